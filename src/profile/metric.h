/* src/profile/metric.h: the metrics of a report, by number, and what is known of each.
 *
 * A metric's number is its place in metric_table.h: parents before children, a parent's descendants right after it.
 * Numbers are no part of any file and may change from version to version; ids stay. Uses: base. MT: read only, any
 * thread.
 */
#ifndef HD_METRIC_H
#define HD_METRIC_H

#include "metric_build.h"
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
    HD_KIND_S, /* sum of its children, but for those with a formula in src/report/build/derive.c; a difference may be
                * negative */
    HD_KIND_H, /* heuristic over all locations of the finished report */
} hd_metric_kind;

#define HD_METRIC_BUILD_ENUM(name, facts, compat_facts, needs) HD_BUILD_##name,
typedef enum hd_metric_build { HD_METRIC_BUILDS(HD_METRIC_BUILD_ENUM) HD_N_BUILDS } hd_metric_build;
#undef HD_METRIC_BUILD_ENUM

typedef struct hd_metric_build_info { /* see metric_build.h */
    uint64_t facts, compat_facts, needs;
} hd_metric_build_info;

extern const hd_metric_build_info hd_metric_build_infos[HD_N_BUILDS];

/* Whether the report of a run with these facts has metrics of this kind. */
static inline bool
hd_metric_build_occurs(hd_metric_build build, uint64_t facts, bool compat)
{
    const hd_metric_build_info *info = &hd_metric_build_infos[build];

    return (facts & (compat ? info->compat_facts : info->facts)) != 0 &&
           (info->needs == 0 || (facts & info->needs) != 0);
}

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
    return hd_metric_build_infos[info->build].compat_facts == 0;
}

/* The number of the metric with that id, HD_NONE if there is none. Cost: O(metrics). */
uint32_t hd_metric_by_id(const char *id);

/* A metric of waiting time that no other one contains; false for HD_NONE. */
bool hd_metric_is_wait_state(uint32_t metric);

/* Where a wait state is, in words: "MPI", "OpenMP, implicit". With its name it is told from all other wait states. */
const char *hd_metric_interface(uint32_t metric);

/* The name of a wait state and its interface, "Wait at Barrier (OpenMP, implicit)"; free() it. */
char *hd_metric_title(uint32_t metric);

/* The wait state with this title, in capital or small letters; HD_NONE: there is none. Cost: O(metrics). */
uint32_t hd_metric_by_title(const char *title);

/* A wait state of the calls that start and end MPI, which is start-up. */
bool hd_metric_is_startup(uint32_t metric);

/* Times in classes of MPI calls: those below `mpi` that are no waits. */
bool hd_metric_is_mpi_class(uint32_t metric);

/* Computation, MPI and classes of its calls, OpenMP, the critical path: they have series of time, but are no wait
 * states. */
static inline bool
hd_metric_is_time_over_time(uint32_t metric)
{
    return metric == HD_METRIC_comp || metric == HD_METRIC_mpi || metric == HD_METRIC_omp_time ||
           metric == HD_METRIC_critical_path || hd_metric_is_mpi_class(metric);
}

/* Visits, messages, collective operations, calls for windows and bytes, which are counted over time, and sums of them.
 * metric: may be HD_NONE. */
bool hd_metric_is_count_over_time(uint32_t metric);

/* Delay costs, and sums of them. metric: may be HD_NONE, or HD_N_METRICS. */
bool hd_metric_is_delay_cost(uint32_t metric);

/* Whether one is the other one or below it. */
bool hd_metric_is_within(uint32_t metric, uint32_t ancestor);

/* Metrics of the visits of calls for windows. */
enum { HD_N_RMA_CALLS = 5 };

extern const hd_metric hd_rma_calls[HD_N_RMA_CALLS];

#endif
