/* replay/core/replay_request.h: what a replay is asked for. Uses: scheduler, profile. Owner: the program. */
#ifndef HD_REPLAY_REQUEST_H
#define HD_REPLAY_REQUEST_H

#include <stdatomic.h>

#include "engine.h"
#include "found_delay.h"
#include "path_fold.h"
#include "pattern.h"
#include "placement.h"

typedef struct hd_replay_request {
    hd_analysis_comm           *analysis_comm;
    const hd_defs              *defs;
    hd_trace                   *trace;     /* its profiles, and if a backward replay follows also its op logs and
                                            * interval logs, are gone afterwards, but with keeps_logs */
    uint32_t *const    *maps;      /* [trace->n_processes] node of the process -> unified call path */
    const hd_placement         *placement;
    uint32_t                    n_call_paths;          /* of the unified tree */
    uint32_t                    n_sides;               /* on which each stands (analysis_interval.h), as the trace was
                                                        * loaded; results have nothing of what lies outside. 1: all
                                                        * counts; always with compat */
    bool                        compat;                /* --compat=scout26 */
    bool                        delays, critical_path; /* wanted: the backward replay follows */
    bool                        compares_work;         /* wanted, with delays: what causes did, where locations have
                                                        * counter logs */
    hd_windows                  windows;               /* n > 0: series of waiting time are wanted, of whole runs */
    hd_windows                  ideal;                 /* what ideal clocks are of, if not of the run */
    const hd_path_fold         *paths;                 /* which call paths have such series; NULL: none has */
    hd_time_paths              *time_paths;            /* which call paths have series of computation, where it grows or
                                                        * shrinks over iterations; NULL: none has */
    bool                        all_series;            /* everywhere, and series of MPI and OpenMP, whose call paths are
                                                        * found in time_paths then, and counts over time */
    const uint8_t              *rma_calls;             /* with all_series: [defs->n_regions] which of hd_rma_calls count
                                                        * the visits of a region: bit k is of number k */
    const hd_iterations        *iterations;            /* of the processes of the trace; NULL, or n 0: there are none */
    bool                        matrix;                /* wanted: the communication matrix */
    bool                        statistics;            /* wanted, of the instances of wait states */
    hd_found_delays            *found_delays;          /* [locations of the rank] gets the delays, with `delays`, not
                                                        * with compat; NULL: not wanted */
    bool                        keeps_logs;            /* they are there afterwards */
    uint32_t                    n_worst;               /* instances of each wait state that are reported, see
                                                        * hd_instance_table */
    bool                        yield;                 /* see hd_engine_request */
    void              (*on_thread)(void *context, uint32_t thread);
    void                      *context;
    const hd_process_patterns *patterns; /* of processes, NULL: none */
    void                      *patterns_context;
    const hd_message_patterns *messages; /* [n_messages] */
    size_t                     n_messages;
    _Atomic uint64_t          *n_done;             /* calls replayed so far are added here now and then; NULL: not
                                                    * wanted */
    const _Atomic int         *stop;               /* not 0: it is to end soon; any rank may set it, at any time. NULL:
                                                    * never */
    /* Called on the main thread of all ranks when the forward replay is done and, with statistics, the trace still has
     * its op logs; or NULL. statistics: on rank 0 */
    void              (*forward_done)(void *context, const hd_wait_statistics *statistics);
    void              (*goes_back)(void *context); /* called on the main thread before the backward replay; or NULL */
} hd_replay_request;

#endif
