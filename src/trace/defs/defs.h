/* src/trace/defs/defs.h: the global definitions of an archive, as one run of bytes without pointers.
 *
 * Rank 0 reads them once (defs_read.h), hd_analysis_comm_share() gives every node one copy. Everything in it was
 * checked while reading: every index below is in range or HD_NONE, every string offset points at a NUL-terminated text.
 * Uses: base. Owner: the analysis_comm's shared copy. MT: any thread, read only. Ranks: local.
 *
 * Layout (offsets from the start of struct hd_defs, each array 8-byte aligned):
 *   regions, 24 bytes each; processes, 32; locations, 32; communicators, 16; groups, 24;
 *   system tree nodes, 24, with their properties; topologies, 24, with dimensions and coordinates; calling contexts,
 *   12; files, 12, and their handles, 8; counters, 20; the texts, of which offset 0 is ""; and members of groups, 4
 *   bytes each or in runs of 12 (comm_group.h). Grows with: the definitions of the archive.
 */
#ifndef HD_DEFS_H
#define HD_DEFS_H

#include "types.h"

/* What a region is to the analysis, decided once per region: docs/metrics.md#region-classes. */
typedef enum hd_region_class {
    HD_CLASS_USER,
    HD_CLASS_MPI, /* and SHMEM */
    HD_CLASS_OMP, HD_CLASS_PTHREAD, HD_CLASS_INTERNAL
} hd_region_class;

/* What a call is to the patterns. */
typedef enum hd_call_group {
    HD_CALL_OTHER,
    HD_CALL_INIT,        /* MPI_Init, MPI_Init_thread */
    HD_CALL_FINALIZE,
    HD_CALL_BLOCK_SEND,  /* MPI_Send, MPI_Ssend: can wait for the receiver */
    HD_CALL_TEST,        /* MPI_Test*: never waits */
    HD_CALL_WAIT_SINGLE, /* MPI_Wait, MPI_Waitany */
    HD_CALL_WAIT_MULTI,  /* MPI_Waitall, MPI_Waitsome */
    HD_CALL_OMP_PARALLEL, /* those above are of class MPI and fit into three bits */
    HD_CALL_OMP_BARRIER,
    HD_CALL_OMP_IMPLICIT_BARRIER,
    HD_CALL_OMP_TASKWAIT,
    HD_CALL_OMP_ORDERED_BLOCK,
    HD_CALL_MUTEX_LOCK, /* pthread_mutex_lock, _trylock */
    HD_CALL_COND_WAIT,  /* pthread_cond_wait, _timedwait */
    HD_CALL_ITERATION,  /* of decoding only: its instances are kept (hd_load_request.regions) */
    HD_CALL_WIN_CREATE, /* and all else that makes a window; those from here on are of class MPI */
    HD_CALL_WIN_FREE,
    HD_CALL_WIN_FENCE,
    HD_CALL_WIN_POST,
    HD_CALL_WIN_START,
    HD_CALL_WIN_COMPLETE,
    HD_CALL_WIN_WAIT,
    HD_CALL_WIN_TEST,
    HD_CALL_WIN_UNLOCK, /* MPI_Win_unlock, _unlock_all */
    HD_CALL_WIN_FLUSH,  /* MPI_Win_flush, _flush_all */
    HD_CALL_WIN_FLUSH_LOCAL,
    HD_CALL_SHMEM_BARRIER,
    HD_CALL_SHMEM_BROADCAST,
    HD_CALL_SHMEM_EXCHANGE, /* all others in which all take part */
    HD_CALL_PROBE,          /* MPI_Probe, MPI_Iprobe, MPI_Mprobe, MPI_Improbe */
    HD_CALL_FILE,           /* of an open call only: it has records of operations on files */
} hd_call_group;

typedef enum hd_paradigm { /* as OTF2; written to reports as hd_paradigm_name() */
    HD_PARADIGM_UNKNOWN = 0, HD_PARADIGM_USER = 1, HD_PARADIGM_COMPILER = 2, HD_PARADIGM_OPENMP = 3,
    HD_PARADIGM_MPI = 4,
    HD_PARADIGM_CUDA = 5, HD_PARADIGM_MEASUREMENT = 6, HD_PARADIGM_PTHREAD = 7, HD_PARADIGM_SHMEM = 13,
    HD_PARADIGM_OPENACC = 18, HD_PARADIGM_OPENCL = 19, HD_PARADIGM_HIP = 23,
} hd_paradigm;

typedef enum hd_role { /* as OTF2; written to reports as hd_role_name() */
    HD_ROLE_UNKNOWN = 0, HD_ROLE_FUNCTION, HD_ROLE_WRAPPER, HD_ROLE_LOOP, HD_ROLE_CODE, HD_ROLE_PARALLEL,
    HD_ROLE_SECTIONS,
    HD_ROLE_SECTION, HD_ROLE_WORKSHARE, HD_ROLE_SINGLE, HD_ROLE_SINGLE_SBLOCK, HD_ROLE_MASTER, HD_ROLE_CRITICAL,
    HD_ROLE_CRITICAL_SBLOCK, HD_ROLE_ATOMIC, HD_ROLE_BARRIER, HD_ROLE_IMPLICIT_BARRIER, HD_ROLE_FLUSH, HD_ROLE_ORDERED,
    HD_ROLE_ORDERED_SBLOCK,
    HD_ROLE_TASK, HD_ROLE_TASK_CREATE, HD_ROLE_TASK_WAIT, HD_ROLE_COLL_ONE2ALL, HD_ROLE_COLL_ALL2ONE,
    HD_ROLE_COLL_ALL2ALL,
    HD_ROLE_COLL_OTHER, HD_ROLE_FILE_IO, HD_ROLE_POINT2POINT, HD_ROLE_RMA, HD_ROLE_DATA_TRANSFER, HD_ROLE_ARTIFICIAL,
    HD_ROLE_THREAD_CREATE, HD_ROLE_THREAD_WAIT, HD_ROLE_TASK_UNTIED, HD_ROLE_ALLOCATE, HD_ROLE_DEALLOCATE,
    HD_ROLE_REALLOCATE, HD_ROLE_FILE_IO_METADATA
} hd_role;

typedef struct hd_region {
    uint32_t name, canonical, file; /* texts */
    uint32_t begin_line, end_line;  /* 0: unknown */
    uint8_t  role, paradigm;        /* hd_role, hd_paradigm */
    uint8_t  region_class, call;    /* hd_region_class, hd_call_group */
    uint8_t  is_dynamic;            /* 1: its instances are told apart: the body of a loop (region flag DYNAMIC) */
} hd_region;

typedef struct hd_process_def { /* in the order of hd_process: MPI ranks first, then the others as defined */
    uint64_t n_events;          /* that the definitions announce, all locations */
    uint32_t name;              /* text */
    uint32_t node;              /* its system tree node, HD_NONE: none */
    uint32_t first_location, n_locations; /* consecutive; CPU threads first, in definition order */
    bool     has_mpi_rank;
} hd_process_def;

typedef enum hd_location_type { HD_LOCATION_CPU, HD_LOCATION_ACCELERATOR, HD_LOCATION_METRIC } hd_location_type;

typedef struct hd_location_def { /* the column of a location in a report is its index here */
    uint64_t ref;                /* the number in the archive: <ref>.evt */
    uint64_t n_events;
    uint32_t name;
    uint32_t process;
    uint32_t thread; /* position in its process, 0: master */
    uint8_t  type;   /* hd_location_type */
} hd_location_def;

typedef struct hd_comm_group {
    uint64_t first;  /* of its numbers in hd_defs_members() */
    uint32_t n;      /* of members */
    uint32_t n_runs; /* comm_group.h; 0: a list of process indexes, in the order of the ranks */
    uint32_t self;   /* 1: the group of MPI_COMM_SELF, whose only member is the process that uses it */
} hd_comm_group;

/* A communicator; a file that processes share (n_file_comms, behind the archive's communicators); or a window of
 * one-sided communication: these are the last ones. Files and windows have the processes of their communicator. */
typedef struct hd_comm {
    uint32_t name; /* text */
    uint32_t group_a;            /* HD_NONE: not a communicator of MPI processes */
    uint32_t group_b;            /* HD_NONE unless an inter-communicator */
    uint32_t team_master;        /* location that is thread 0 of this team of threads, HD_NONE: no team */
} hd_comm;

typedef enum hd_domain { /* bits, in the order of OTF2 */
    HD_DOMAIN_MACHINE = 1, HD_DOMAIN_SHARED_MEMORY = 2, HD_DOMAIN_NUMA = 4, HD_DOMAIN_SOCKET = 8, HD_DOMAIN_CACHE = 16,
    HD_DOMAIN_CORE = 32, HD_DOMAIN_PU = 64
} hd_domain;

typedef struct hd_system_node {
    uint32_t domains; /* hd_domain; 0: not recorded */
    uint32_t parent; /* HD_NONE: a root; otherwise smaller than its own index */
    uint32_t name, node_class; /* texts */
    uint32_t first_property, n_properties;
} hd_system_node;

typedef struct hd_property { /* of a node of the system tree */
    uint32_t name, value; /* texts */
} hd_property;

typedef struct hd_dimension {
    uint32_t name, size;
    uint32_t periodic;
} hd_dimension;

#define HD_PROCESS_GRID "Process x Thread" /* the name of Score-P's topology of processes and threads, which most
                                            * archives have */

typedef struct hd_topology { /* a Cartesian topology */
    uint64_t first_coordinate;  /* in hd_defs_coordinates(): rows of 1 + n_dimensions numbers: location, x0, x1, ... */
    uint32_t n_coordinates;
    uint32_t name;
    uint32_t first_dimension, n_dimensions;
} hd_topology;

#define HD_CONTEXT_DEPTH_MAX 4096 /* calling contexts below that are not followed: each sample leaves and enters that
                                   * many regions */

typedef struct hd_context { /* a calling context: what is on the stack when a sample is taken */
    uint32_t region;
    uint32_t parent; /* HD_NONE: it is the outermost one */
    uint32_t depth;  /* how many contexts there are from the outermost one to it, with it; 0: it cannot be: it has no
                      * region, its parents are in a circle, undefined, too many, or one of them has no region */
    uint32_t file, line; /* text; where in the region it is: what is called in it is called there; line 0: not known */
    uint32_t site;       /* of what is called in it */
} hd_context;

/* Where in the source a call path is called: 0: not known; else 1 + the index of a context that is there, the same for
 * all that are there. */
#define HD_SITE_SEVERAL UINT32_MAX

/* That of two calls of a call path together: a place that is not known does not count. */
static inline uint32_t
hd_site_of_both(uint32_t a, uint32_t b)
{
    return a == b || b == 0 ? a : a == 0 ? b : HD_SITE_SEVERAL;
}

typedef struct hd_sampler { /* what samples were taken by: an interrupt generator */
    uint32_t name;   /* text */
    uint32_t is_time;
    double   period; /* seconds, or how often what it counts happens between two samples */
} hd_sampler;

typedef struct hd_file { /* a file as one interface sees it */
    uint32_t name, paradigm; /* texts; paradigm: "MPI-IO", "POSIX I/O", ... */
    uint32_t is_inner;       /* 1: another interface opened it, as MPI-IO does through POSIX */
} hd_file;

typedef struct hd_file_handle { /* what events name */
    uint32_t file; /* index in hd_defs_files() */
    uint32_t comm; /* of its collective operations; HD_NONE: it has none */
} hd_file_handle;

typedef enum hd_counter_type {
    HD_COUNTER_INT64, HD_COUNTER_UINT64, HD_COUNTER_DOUBLE, HD_COUNTER_OTHER
} hd_counter_type;

typedef enum hd_counter_mode { /* what a recorded value is */
    HD_COUNTER_ACCUMULATED, /* the sum since a start: differences count */
    HD_COUNTER_LEVEL,       /* what is there now, such as the memory in use */
    HD_COUNTER_RELATIVE     /* what has come since the value before */
} hd_counter_mode;

typedef enum hd_counter_scope { /* what a value is of */
    HD_SCOPE_LOCATION, HD_SCOPE_PROCESS, HD_SCOPE_NODE, HD_SCOPE_GROUP /* several locations */
} hd_counter_scope;

#define HD_DEFS_CLUSTERS 64 /* of iterations: most that have regions */
#define HD_COUNTERS_MAX 1024 /* that are recorded with enters and leaves; others are left out */

/* A metric of the archive. With the same name they are one. Those that are recorded with enters and leaves stand first
 * (n_counters): they belong to call paths. Those recorded over time follow (n_tracks), one for each thing that they are
 * of. */
typedef struct hd_counter_def {
    uint32_t name, unit, what; /* texts; unit: with the exponent, "10^-6 s" */
    uint8_t  type, mode;       /* hd_counter_type, hd_counter_mode */
    uint8_t  scope;            /* hd_counter_scope, of tracks */
    uint32_t scope_index;      /* of tracks: process, or node of the system tree; HD_NONE: the location that has them,
                                * or not known */
} hd_counter_def;

typedef struct hd_recorded_set { /* what a METRIC record names: a class or an instance of one */
    uint32_t first, n;         /* of its members in hd_defs_metric_members() */
} hd_recorded_set;

typedef struct hd_defs {
    uint64_t bytes; /* of all this */
    uint64_t resolution;   /* [ticks per second], > 0 */
    uint64_t first_time;   /* the archive's global offset [ticks] */
    uint64_t length;       /* [ticks] */
    uint64_t n_events;     /* that the definitions announce */
    uint64_t archive_bytes; /* sum of the sizes of its files */
    uint64_t n_members, n_coordinate_numbers, text_bytes;
    uint32_t flush_region, off_region, threads_region, tasks_region; /* TRACE BUFFER FLUSH, MEASUREMENT OFF, THREADS,
                                                                      * TASKS */
    uint32_t first_cluster_region, n_clusters; /* regions "cluster 1", "cluster 2", ...: hd_defs_read_for_clusters() */
    uint32_t first_program_region; /* the region of a program whose path is string i; its record names a string, not a
                                    * region */
    uint32_t n_strings;
    uint32_t n_files, n_file_handles, n_file_comms;
    uint32_t n_counters, n_tracks, n_metric_sets, n_metric_members;
    uint32_t n_regions, n_processes, n_locations, n_comms, n_windows, n_groups, n_nodes, n_properties, n_topologies,
        n_dimensions, n_contexts, n_samplers;
    uint32_t n_mpi_processes; /* the world; processes 0 .. n_mpi_processes-1 */
    uint32_t creator, machine, version; /* texts */
    uint32_t shared_processors; /* text of archive_property.h; of archives without it "" */
    bool     has_local_definitions; /* locations have definitions of their own */
    /* offsets */
    uint64_t regions, processes, locations, comms, groups, members, nodes, properties, topologies, dimensions,
        coordinates, texts;
    uint64_t strings, string_refs, region_refs, comm_refs, group_refs, contexts, context_refs, samplers, files,
        file_handles, file_handle_refs, counters, metric_sets, metric_set_refs, metric_members;
} hd_defs;

#define HD_DEFS_ARRAY(type, name)                                                                                      \
    static inline const type *hd_defs_##name(const hd_defs *defs)                                                      \
    {                                                                                                                  \
        return (const type *)(const void *)((const char *)defs + defs->name);                                          \
    }
HD_DEFS_ARRAY(hd_region, regions)
HD_DEFS_ARRAY(hd_process_def, processes)
HD_DEFS_ARRAY(hd_location_def, locations)
HD_DEFS_ARRAY(hd_comm, comms)
HD_DEFS_ARRAY(hd_comm_group, groups)
HD_DEFS_ARRAY(uint32_t, members) /* [n_members] of all groups, packed */
HD_DEFS_ARRAY(hd_system_node, nodes)
HD_DEFS_ARRAY(hd_property, properties)
HD_DEFS_ARRAY(hd_topology, topologies)
HD_DEFS_ARRAY(hd_dimension, dimensions)
HD_DEFS_ARRAY(uint32_t, coordinates)
HD_DEFS_ARRAY(uint32_t, strings)     /* [n_strings] texts of the archive's string definitions */
HD_DEFS_ARRAY(uint32_t, string_refs) /* [n_strings] their numbers in the archive, in any order; so are all ..._refs */
HD_DEFS_ARRAY(uint32_t, region_refs) /* [n_regions]; HD_NONE for those that we add, which come last: four, those of
                                      * clusters, then one for each string */
HD_DEFS_ARRAY(uint32_t, comm_refs)   /* [n_comms]; from hd_first_window() on those of windows, whose numbers are their
                                      * own */
HD_DEFS_ARRAY(uint32_t, group_refs)  /* [n_groups] */
HD_DEFS_ARRAY(hd_context, contexts)
HD_DEFS_ARRAY(uint32_t, context_refs) /* [n_contexts] */
HD_DEFS_ARRAY(hd_sampler, samplers)
HD_DEFS_ARRAY(hd_file, files)                 /* [n_files] */
HD_DEFS_ARRAY(hd_file_handle, file_handles)   /* [n_file_handles] */
HD_DEFS_ARRAY(uint32_t, file_handle_refs)     /* [n_file_handles] */

HD_DEFS_ARRAY(hd_counter_def, counters)       /* [n_counters + n_tracks] */
HD_DEFS_ARRAY(hd_recorded_set, metric_sets)     /* [n_metric_sets] */
HD_DEFS_ARRAY(uint32_t, metric_set_refs)      /* [n_metric_sets] */
HD_DEFS_ARRAY(uint32_t, metric_members)       /* [n_metric_members] counters; HD_NONE: not defined */

/* Index of the first window among the communicators. */
static inline uint32_t
hd_first_window(const hd_defs *defs)
{
    return defs->n_comms - defs->n_windows;
}

static inline const char *
hd_defs_text(const hd_defs *defs, uint32_t offset)
{
    return (const char *)defs + defs->texts + offset;
}

/* What samples were taken by: "timer every 0.01 s, PAPI_TOT_CYC every 1e+07 times"; free() it. NULL: the archive has
 * none. */
char *hd_defs_sampling(const hd_defs *defs);

/* "4 threads share 2 processors of node n1: their times have waiting for a processor in them"; free() it. NULL: the
 * archive says nothing of that. */
char *hd_defs_shared_processors(const hd_defs *defs);

/* Names as reports have them: "mpi", "point2point", ... */
const char *hd_paradigm_name(uint8_t paradigm);
const char *hd_role_name(uint8_t role);

#endif
