/* src/trace/load/loader.h: from the event files to op logs and profiles, every event touched once.
 *
 * Locations are loaded in parallel by n_readers of n_threads threads (OpenMP), each with its own OTF2 reader and one open file, all of a process at the same
 * time: a worker's call paths start where its master forked, so that a worker follows its master (team_starts.h). Then each
 * process is joined: one tree of call paths, requests completed on another thread, numbers of operations on channels that
 * threads share. A process in which tasks moved between threads is loaded twice (moved_task.h).
 * Raw events are not kept. Findings about the trace go to the trace's lists.
 *
 * Uses: group, base. MT: hd_trace_load() main thread only. Ranks: local.
 * Memory per location: op log (oplog.h), interval log (interval_log.h), thread log, 40 bytes per call path, 16 per severity.
 */
#ifndef HD_LOADER_H
#define HD_LOADER_H

#include <stdatomic.h>

#include "call_path.h"
#include "defs.h"
#include "finding.h"
#include "interval_log.h"
#include "oplog.h"
#include "period.h"
#include "recording_end.h"
#include "status.h"
#include "thread_log.h"

#define HD_BASE_PROGRAM (HD_NONE - 1)        /* the program, whichever node it is; none: roots are below it */
#define HD_STUB_WITHOUT_REGION (HD_NONE - 1) /* region of a task's stub that stands for its parent */

typedef struct hd_path_node { /* a call path of a location */
    uint32_t parent;          /* index in the same array, HD_NONE: a root; of a place: node of the process's first location,
                               * HD_BASE_PROGRAM */
    uint32_t region;          /* HD_NONE: not a call path, the place in the process where a thread's team was forked */
    uint64_t visits;
    hd_span  time;            /* [ticks] exclusive */
    uint32_t last_child;      /* child entered last, HD_NONE */
    uint32_t generation;      /* of the decoder, when it got time last */
} hd_path_node;

/* What a location's profile counts besides visits and time, per call path: known without the other side. */
typedef enum hd_counter {
    HD_COUNT_SENDS_EMPTY, HD_COUNT_SENDS_FULL, HD_COUNT_SENT_BYTES,   /* point-to-point */
    HD_COUNT_COLL_EMPTY, HD_COUNT_COLL_EXCHANGE, HD_COUNT_COLL_SOURCE, HD_COUNT_COLL_DESTINATION,
    HD_COUNT_COLL_OUT_BYTES, HD_COUNT_COLL_IN_BYTES,
    HD_COUNT_PUT_BYTES, HD_COUNT_GOT_BYTES, /* one-sided */
    HD_N_COUNTERS
} hd_counter;

typedef struct hd_counts { /* of one call path; only where there are any */
    uint32_t node;
    uint64_t values[HD_N_COUNTERS];
} hd_counts;

typedef struct hd_open_call { /* the period ends in it */
    hd_time  enter;
    uint32_t node;
} hd_open_call;

typedef struct hd_loaded_location {
    uint32_t      location;   /* index in the definitions */
    hd_path_node *nodes;      /* [n_nodes] */
    uint32_t      n_nodes;
    uint32_t     *map;        /* [n_nodes] its node -> node of the process, n_nodes behind it outside of the period; NULL: the same */
    hd_counts    *counts;     /* [n_counts] in the order of first use */
    size_t        n_counts;
    hd_open_call *open_calls; /* [n_open_calls] that the period held until it ended */
    size_t        n_open_calls;
    hd_oplog      log;
    hd_thread_log threads;
    hd_interval_log intervals;
    uint64_t      n_events;
    bool          is_cut; /* some of its events are missing */
    bool          is_team_unknown; /* it worked for OpenMP below no fork, and no team was recorded */
    bool          has_init, has_finalize; /* the process's first MPI_Init, MPI_Finalize is here */
    hd_time       init_enter, finalize_enter;
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
    hd_call_path       *nodes;     /* [n_nodes] of all its locations */
    uint32_t            n_nodes;
    hd_open_requests    open;
    hd_scratch         *scratch;   /* the trace's */
    const hd_period    *period;    /* NULL: all counts */
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

/* Is told where locations are, while they are read. MT: any loading thread, a location from one at a time. */
typedef struct hd_load_observer {
    void  *context;
    /* Before a location is read: what is given back goes to at(), NULL: it is not looked at. Again where one is read twice. */
    void *(*begin)(void *context, uint32_t process, uint32_t thread);
    /* After each of its records. node: of the location, HD_NONE: it is in no region. */
    void  (*at)(void *state, hd_time now, uint32_t node);
} hd_load_observer;

typedef struct hd_clock_logs hd_clock_logs;

typedef struct hd_load_request {
    const char        *anchor;
    const hd_defs     *defs;
    const uint32_t    *processes;  /* [n_processes] ascending: those that this rank hosts */
    const uint32_t    *threads;    /* [n_processes] the thread on which each is hosted, < n_threads: it loads it if it can */
    uint32_t           n_processes, n_threads;
    uint32_t           n_readers;  /* of the threads, > 0: those that read files, one at a time each */
    uint64_t           most_events; /* that are read of a location; 0: all */
    const hd_load_observer *observer; /* NULL: nobody */
    bool               compat;     /* --compat=scout26 */
    bool               raw_clocks; /* times as they were recorded, without the offsets of clocks */
    const hd_clock_logs *clocks;   /* of these processes, at least: times are corrected by them; NULL: they are not */
    const hd_period   *period;     /* what counts, not with compat; NULL: all. Lives as long as the trace */
    bool               intervals;  /* write interval logs: a backward replay will follow */
    hd_scratch        *scratch;    /* for the logs; NULL: the heap. Lives longer than the trace */
    _Atomic uint64_t  *n_done;     /* events read so far is added here now and then; NULL: nobody asks */
    const _Atomic int *stop; /* not 0: loading is to end soon. NULL: nobody says so */
    void             (*on_thread)(void *context, uint32_t thread); /* called once on each thread, before it loads; or NULL */
    void              *context;
} hd_load_request;

/* Owner: the caller, hd_trace_free() it. Errors: HD_EOPEN, the anchor cannot be opened any more; HD_EREAD, the file system fails to read a
 * file that is there; HD_ESTOPPED; HD_EWRITE, there is no space in the scratch, which from then on is fatal. */
hd_status hd_trace_load(const hd_load_request *request, hd_trace **trace);
void      hd_trace_free(hd_trace *trace);
void      hd_loaded_location_fini(hd_loaded_location *location);

#endif
