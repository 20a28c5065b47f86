/* src/trace/log/trace.h: what is kept of the events of an archive: op logs, interval logs, logs of threads, profiles.
 *
 * Made by load/loader.h, read by all that comes after it. Uses: defs. Owner: who loaded it. MT: read only. Ranks:
 * local. Memory per location: op log (oplog.h), interval log (interval_log.h), log of threads (thread_log.h), 40 bytes
 * per call path.
 */
#ifndef HD_TRACE_H
#define HD_TRACE_H

#include "call_path.h"
#include "count_log.h"
#include "counter_log.h"
#include "defs.h"
#include "finding.h"
#include "interval_log.h"
#include "oplog.h"
#include "analysis_interval.h"
#include "recording_end.h"
#include "state_log.h"
#include "thread_log.h"

#define HD_BASE_PROGRAM (HD_NONE - 1)        /* the program, whichever node it is; none: roots are below it */
#define HD_STUB_WITHOUT_REGION (HD_NONE - 1) /* region of a task's stub that stands for its parent */

typedef struct hd_path_node { /* a call path of a location */
    uint32_t parent;          /* index in the same array, HD_NONE: a root; of a place: node of the process's first
                               * location, HD_BASE_PROGRAM */
    uint32_t region;          /* HD_NONE: not a call path, the place in the process where a thread's team was forked */
    uint64_t visits;
    hd_span  time;            /* [ticks] exclusive */
    uint32_t last_child;      /* child entered last, HD_NONE */
    uint32_t generation;      /* of the decoder, when it got time last */
} hd_path_node;

/* What a location's profile counts besides visits and time, per call path: known without the other side. */
typedef enum hd_count_kind {
    HD_COUNT_SENDS_EMPTY, HD_COUNT_SENDS_FULL, HD_COUNT_SENT_BYTES,   /* point-to-point */
    HD_COUNT_COLL_EMPTY, HD_COUNT_COLL_EXCHANGE, HD_COUNT_COLL_SOURCE, HD_COUNT_COLL_DESTINATION,
    HD_COUNT_COLL_OUT_BYTES, HD_COUNT_COLL_IN_BYTES,
    HD_COUNT_PUT_BYTES, HD_COUNT_GOT_BYTES, /* one-sided */
    HD_N_COUNTS
} hd_count_kind;

typedef struct hd_counts { /* of one call path; only where there are any */
    uint32_t node;
    uint64_t values[HD_N_COUNTS];
} hd_counts;

typedef struct hd_file_use { /* what a location did with a file at a call path; only where there is any */
    uint32_t node, file;     /* file: index in the definitions */
    uint64_t reads, writes, others;
    uint64_t bytes_read, bytes_written;
    hd_span  time;           /* [ticks] in calls on the file, see file_use.h */
} hd_file_use;

typedef struct hd_iteration { /* an instance of a region of iterations, or of one that a hypothesis names */
    hd_time  enter, leave;
    uint32_t region;          /* index in the definitions; of hypotheses its mark (hd_load_request.marks) */
    uint32_t first_call;      /* of a loop that is found: number + 1 in the op log of the call that is entered at
                               * `enter`, or, where iterations end with a call, of that behind the one that is left
                               * then; of an instance: of the first call that is entered in it; 0: not known */
    uint32_t n_calls;         /* of an instance, where first_call is known: that are entered in it */
} hd_iteration;

typedef struct hd_level { /* what the values of a counter were, of those that are no sums */
    uint32_t counter;      /* index in the definitions */
    uint64_t n;            /* of values */
    double   first, last, least, most;
    double   sum;          /* of the values */
    double   integral;     /* value times ticks, until its last value */
    hd_time  begin, end;   /* of its first and last value */
    bool     has_fallen;   /* some value is below the one before it */
} hd_level;

typedef struct hd_level_value { /* of a metric that is recorded over time */
    hd_time  time;
    double   value;
    uint32_t level; /* index in the location's levels */
} hd_level_value;

typedef struct hd_open_call { /* an interval ends in it */
    hd_time  enter;
    uint32_t node; /* inside */
    uint32_t bits; /* of the side on which it is left, at least */
} hd_open_call;

typedef struct hd_location_more { /* what most locations do not have */
    uint64_t        *counters;   /* [n_counter_nodes][counters of the definitions] per node, as their type says: the
                                  * sums of differences; NULL: none was recorded */
    uint32_t         n_counter_nodes; /* <= n_nodes; others have none */
    hd_level        *levels;     /* [n_levels] in the order of first use */
    size_t           n_levels;
    hd_level_value  *level_values; /* [n_level_values] in order, where they are kept: of metrics over time; in the
                                    * scratch of counted */
    size_t           n_level_values;
    hd_file_use     *file_uses; /* [n_file_uses] in the order of first use */
    size_t           n_file_uses;
    hd_iteration    *marked;     /* [n_marked] by enter; of regions with a mark the outermost ones: enters and leaves
                                  * are boundaries of the interval log */
    size_t           n_marked, marked_capacity;
    hd_counter_log   counted;    /* of hd_load_request.compared */
    hd_count_log     counting;   /* of hd_load_request.cuts_all; else empty */
    hd_thread_log    threads;
} hd_location_more;

typedef struct hd_loaded_location {
    uint32_t         location; /* index in the definitions */
    uint32_t         n_nodes;
    hd_path_node    *nodes;    /* [n_nodes] */
    uint32_t        *map;    /* [n_nodes] its node -> node of the process; NULL: the same. On side s of the
                              * analysis interval s n_nodes of the process after it. May be that of the location
                              * before, hd_trace_share_maps() */
    uint32_t        *call_sites; /* [n_call_sites] of its nodes inside of the analysis interval: where they are called
                                  * (defs.h); of those behind it is not known */
    hd_counts       *counts; /* [n_counts] in the order of first use */
    hd_open_call    *open_calls; /* [n_open_calls] by enter, ascending: an interval, or the window, ends in them */
    uint32_t         n_call_sites, n_counts, n_open_calls;
    uint32_t         n_main_borders;         /* hd_load_request.finds_main_window: that were found here, */
    hd_time          first;                  /* and of its first record */
    hd_iteration    *iterations; /* [n_iterations] by leave; of regions that hd_load_request.regions marks */
    size_t           n_iterations, iteration_capacity;
    const hd_location_more *more; /* not NULL; changed through hd_loaded_location_more() */
    hd_oplog         log;
    hd_interval_log  intervals;
    hd_state_log     states; /* empty: none was wanted */
    uint64_t         n_events;
    bool             is_cut;                 /* some of its events are missing */
    bool             is_team_unknown;        /* it worked for OpenMP below no fork, and no team was recorded */
    bool             has_init, has_finalize; /* the process's first MPI_Init, MPI_Finalize is here */
    hd_time          init_enter, finalize_enter;
    hd_time          init_left, finalize_left; /* 0: it is open at the end */
    hd_recording_end end;
} hd_loaded_location;

typedef struct hd_open_requests { /* of a process that was waiting when its recording ended; else none */
    uint64_t *sends;              /* [n_sends] thread << 32 | number in its completions, ascending */
    size_t    n_sends;
    uint32_t  n_receives, n_others;
} hd_open_requests;

typedef struct hd_loaded_process {
    hd_process          process;
    hd_loaded_location *locations; /* [n_locations] by thread */
    uint32_t            n_locations;
    hd_call_path       *nodes;     /* [n_nodes] of all its locations; NULL once trees are unified */
    uint32_t            n_nodes;
    uint32_t           *call_sites; /* [n_nodes] likewise; NULL: none is known */
    hd_open_requests    open;
    hd_scratch         *scratch;   /* the trace's */
    const hd_analysis_intervals *analysis_intervals; /* NULL: all counts */
} hd_loaded_process;

typedef struct hd_trace {
    const hd_defs     *defs;
    hd_loaded_process *processes; /* [n_processes] ascending */
    uint32_t           n_processes;
    hd_findings       *findings;  /* [n_threads], by thread that loaded */
    uint32_t           n_threads;
    uint64_t           n_events, n_calls, n_ops, log_bytes;
    hd_scratch        *scratch;    /* where its logs are, and what else grows with its length; NULL: in the heap */
} hd_trace;

void hd_trace_free(hd_trace *trace); /* NULL is fine */
/* A location whose map is that of the one before shares it, as most do in programs whose processes do the same. When
 * all are loaded; they are freed together then. */
void hd_trace_share_maps(hd_trace *trace);
void hd_loaded_process_drop_tree(hd_loaded_process *process); /* its nodes and call_sites */

/* An empty one; what it will have goes to the scratch. location: index in the definitions. */
void hd_loaded_location_init(hd_loaded_location *loaded, uint32_t location, hd_scratch *scratch);
void hd_loaded_location_fini(hd_loaded_location *loaded);
void hd_location_more_put_in(hd_location_more *more, hd_scratch *scratch); /* its arrays go there; it has none yet */
/* Its own, made if it has none yet. */
hd_location_more *hd_loaded_location_more(hd_loaded_location *loaded);
/* It had none yet; more: copied, if anything is in it. */
void hd_loaded_location_take_more(hd_loaded_location *loaded, const hd_location_more *more);
void hd_loaded_location_drop_paths(hd_loaded_location *loaded); /* times and counts of its call paths; n_nodes stays */
/* The same, and its states and log of threads, when they have been read. */
void hd_loaded_location_drop_profile(hd_loaded_location *loaded);

#endif
