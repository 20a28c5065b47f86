/* src/trace/read/load_request.h: which event files an analysis rank reads, and how.
 *
 * One request serves both passes over the files: that of the clocks (clock/clock_read.h), where there is one, and
 * loading (load/loader.h).
 * Uses: log. Owner: the caller, for as long as the files are read. MT: read only.
 */
#ifndef HD_LOAD_REQUEST_H
#define HD_LOAD_REQUEST_H

#include <stdatomic.h>

#include "clock_log.h"
#include "cluster_cuts.h"
#include "counter_log.h"
#include "defs.h"
#include "analysis_interval.h"
#include "event_reader.h"
#include "record_times.h"

/* Is told where locations are, while they are read. MT: any loading thread, a location from one at a time. */
typedef struct hd_load_observer {
    void  *context;
    /* Before a location is read: what is given back goes to at(), NULL: it is not looked at. Again where one is read
     * twice. */
    void *(*begin)(void *context, uint32_t process, uint32_t thread);
    /* After each of its records. node: of the location, HD_NONE: it is in no region. */
    void  (*at)(void *state, hd_time now, uint32_t node);
    bool    all_records; /* now is the time of each record; else that of the last one that is decoded */
} hd_load_observer;

typedef struct hd_load_request {
    const char                 *anchor;
    const hd_defs              *defs;
    const hd_region            *regions;   /* [defs->n_regions] those of the definitions, some marked as
                                            * HD_CALL_ITERATION: their instances are kept. NULL: none is. Live until
                                            * all is loaded */
    const uint32_t             *processes; /* [n_processes] ascending: those that this rank hosts */
    const uint32_t             *threads;   /* [n_processes] the thread on which each is hosted, < n_threads: it loads it
                                            * if it can */
    uint32_t                    n_processes, n_threads;
    uint32_t                    n_readers;                         /* of the threads, > 0: those that read files, one at
                                                                    * a time each */
    uint64_t                    max_events;                        /* that are read of a location; 0: all */
    const hd_load_observer     *observer;                          /* NULL: none */
    bool                        compat;                            /* --compat=scout26 */
    hd_event_reader             reader;
    bool                        raw_clocks;                        /* times as they were recorded, without the offsets
                                                                    * of clocks */
    const hd_clock_logs        *clocks;                            /* of these processes, at least: times are corrected
                                                                    * by them; NULL: they are not */
    hd_record_times *const     *times;                             /* [n_processes][locations of the process] of all
                                                                    * records, instead of those in the archive; NULL:
                                                                    * they stay as they are */
    const hd_analysis_intervals *analysis_intervals;               /* [n_processes] what counts, not with compat; NULL:
                                                                    * all. Live as long as the trace */
    bool                        finds_main_window;                 /* the intervals are the main window, which is not
                                                                    * known yet (load/main_window.h) */
    bool                        intervals;                         /* write interval logs: a backward replay will
                                                                    * follow */
    bool                        cuts_all;                          /* with intervals: boundaries at enters and leaves
                                                                    * of all regions, too, but for those in calls of MPI
                                                                    * and in tasks, and count logs; not with compat;
                                                                    * analyses have the
                                                                    * same results, but for series by call path and of
                                                                    * counters */
    bool                        moments;                           /* write what the simulation needs to know of
                                                                    * threads (HD_THREAD_MOMENT), not with compat;
                                                                    * analyses have the same results with it */
    bool                        counters;                          /* METRIC records are read, not with compat */
    const hd_compared_counters *compared;                          /* with intervals: write counter logs of these; NULL:
                                                                    * not */
    bool                        level_values;                      /* with counters: those of metrics over time are
                                                                    * kept */
    const hd_cluster_cuts      *cuts;                              /* call paths get nodes of clusters, not with compat;
                                                                    * NULL: they do not */
    const uint32_t             *marks;                             /* [defs->n_regions] not 0: instances of these
                                                                    * regions are noted, with that number, and are
                                                                    * boundaries of interval logs; NULL: none */
    const uint8_t              *states;                            /* [defs->n_regions] of a thread in the region
                                                                    * (hd_state): write state logs; NULL: not */
    hd_scratch                 *scratch;                           /* for the logs; NULL: the heap. Lives longer than
                                                                    * the trace */
    _Atomic uint64_t           *n_done;                            /* events that were read are added to it now and
                                                                    * then; NULL: not */
    const _Atomic int          *stop;                              /* not 0: loading is to end soon. NULL: never */
    void             (*on_thread)(void *context, uint32_t thread); /* called once on each thread, before it loads; or
                                                                    * NULL */
    void              *context;
} hd_load_request;

#endif
