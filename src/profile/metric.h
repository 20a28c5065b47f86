/* src/profile/metric.h: the metrics of a report, by number, and what is known of each.
 *
 * A metric's number is its place in metric_table.h: parents before children, a parent's descendants right behind it. Numbers
 * are no part of any file and may change from version to version; ids stay. Uses: base. MT: read only, any thread.
 */
#ifndef HD_METRIC_H
#define HD_METRIC_H

#include "metric_table.h"
#include "types.h"

#define HD_METRIC_ENUM(id, parent, name, unit, kind, build, bound, what) HD_METRIC_##id,
typedef enum hd_metric { HD_METRICS(HD_METRIC_ENUM) HD_N_METRICS } hd_metric;
#undef HD_METRIC_ENUM

typedef enum hd_metric_unit {
    HD_UNIT_TICKS, /* collected in ticks; "sec", FLOAT in reports */
    HD_UNIT_OCC,   /* "occ", INTEGER */
    HD_UNIT_BYTES, /* "bytes", INTEGER */
} hd_metric_unit;

typedef enum hd_metric_kind {
    HD_KIND_R, /* measured: the analysis collects it */
    HD_KIND_P, /* exclusive time, or visits, of the regions that pass a test */
    HD_KIND_S, /* sum or difference of others; a difference may be negative */
    HD_KIND_H, /* heuristic over all locations of the finished report */
} hd_metric_kind;

typedef enum hd_metric_build { /* the paradigm that the call tree must contain for a report to have the metric */
    HD_BUILD_ALL,
    HD_BUILD_MPI,
    HD_BUILD_OPENMP,
    HD_BUILD_PARALLEL, /* MPI or OpenMP */
    HD_BUILD_LONG_TERM, /* MPI, without --compat also OpenMP */
    HD_BUILD_PTHREAD,
    HD_BUILD_OPENACC,
    HD_BUILD_OPENCL,
    HD_BUILD_OPENCL_KERNELS,
    HD_BUILD_CUDA,
    HD_BUILD_CUDA_KERNELS,
    HD_BUILD_EXTENSION, /* MPI, and not with --compat; nor are those that follow */
    HD_BUILD_OPENMP_EXTENSION, /* OpenMP, and not with --compat */
    HD_BUILD_PARALLEL_EXTENSION, /* MPI or OpenMP, and not with --compat */
    HD_BUILD_PTHREAD_EXTENSION,  /* POSIX threads, and not with --compat */
    HD_BUILD_THREADS_EXTENSION,  /* any of the three, or SHMEM, and not with --compat */
    HD_BUILD_SHMEM, /* SHMEM, and not with --compat */
    HD_BUILD_ONE_SIDED_EXTENSION, /* MPI or SHMEM, and not with --compat */
    HD_BUILD_TOPOLOGY, /* MPI and a topology of processes, and not with --compat */
    HD_BUILD_GRID_1,   /* the same, and it has one dimension; likewise */
    HD_BUILD_GRID_2,
    HD_BUILD_GRID_3,
    HD_BUILD_AXIS_2,   /* it has two dimensions or more; likewise */
    HD_BUILD_AXIS_3,
    HD_BUILD_MACHINE,      /* MPI, not with --compat, and processes at several places of the machine that exchange messages */
    HD_BUILD_NEAR_PROCESS, /* the same, and messages between processes that near, see hd_nearness of topology/machine.h; likewise */
    HD_BUILD_NEAR_CORE,
    HD_BUILD_NEAR_NUMA,
    HD_BUILD_NEAR_SOCKET,
    HD_BUILD_NEAR_NODE,
    HD_BUILD_NEAR_SWITCH,
    HD_BUILD_NEAR_SWITCH_2,
    HD_BUILD_NEAR_SWITCH_3,
    HD_BUILD_NEAR_REMOTE,
    HD_BUILD_HOPS,   /* HD_BUILD_TOPOLOGY, and processes that have places exchange messages */
    HD_BUILD_HOPS_0, /* the same, over so many hops: see hd_distance_class() of topology/distance.h; likewise */
    HD_BUILD_HOPS_1,
    HD_BUILD_HOPS_2,
    HD_BUILD_HOPS_4,
    HD_BUILD_HOPS_8,
    HD_BUILD_HOPS_16,
    HD_BUILD_HOPS_MORE,
    HD_N_BUILDS
} hd_metric_build;

typedef enum hd_metric_bound { /* no value is larger than ...; without --compat */
    HD_BOUND_NONE,
    HD_BOUND_TIME,   /* the exclusive time of its call path at its location */
    HD_BOUND_PARENT, /* its parent's value there */
} hd_metric_bound;

typedef struct hd_metric_info {
    const char *id;   /* unique name in files */
    const char *name; /* for people; not unique */
    const char *what; /* one sentence */
    uint32_t    parent; /* hd_metric; HD_NONE: a root */
    uint8_t     unit, kind, build, bound; /* hd_metric_unit, hd_metric_kind, hd_metric_build, hd_metric_bound */
} hd_metric_info;

extern const hd_metric_info hd_metric_infos[HD_N_METRICS];

/* Not among the names of scout. */
static inline bool
hd_metric_is_extension(const hd_metric_info *info)
{
    return info->build >= HD_BUILD_EXTENSION;
}

/* The number of the metric with that id, HD_NONE if there is none. Cost: O(metrics). */
uint32_t hd_metric_by_id(const char *id);

/* A metric of waiting time that no other one contains; false for HD_NONE. */
bool hd_metric_is_wait_state(uint32_t metric);

#endif
