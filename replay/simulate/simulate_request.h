/* replay/simulate/simulate_request.h: what a simulation is asked for, and what comes out. Uses: replay/core. Owner: the
 * program.
 */
#ifndef HD_SIMULATE_REQUEST_H
#define HD_SIMULATE_REQUEST_H

#include "calltree.h"
#include "engine.h"
#include "found_delay.h"
#include "hypothesis.h"
#include "placement.h"
#include "record_log.h"
#include "trace.h"

enum { HD_SIM_LANES = 8 }; /* hypotheses of one pass */

typedef struct hd_simulate_request {
    hd_analysis_comm     *analysis_comm;
    const hd_defs        *defs;
    const hd_trace       *trace; /* with interval logs */
    uint32_t *const      *maps;  /* [trace->n_processes] node of the process -> unified call path */
    const hd_calltree    *tree;
    const hd_placement   *placement;
    hd_hypothesis        *hypotheses; /* [n_hypotheses] resolved; equal on all ranks; goals of balances are set */
    size_t                n_hypotheses;
    bool                  wants_times; /* of all calls */
    bool                  wants_uncertain; /* how far run times are from certain: more lanes, and a pass more */
    hd_found_delays      *found_delays; /* [locations of the rank] known when a hypothesis without delays is run,
                                         * which sorts them; NULL: none is */
    hd_record_log *const *records;     /* [trace->n_processes][locations]: new times of all records are wanted; NULL:
                                        * they are not */
    _Atomic uint64_t     *n_done;      /* calls passed so far are added here now and then; NULL: not wanted */
    /* See hd_engine_request. */
    bool                  yield;
    const _Atomic int    *stop;
    void                (*on_thread)(void *context, uint32_t thread);
    void                 *context;
} hd_simulate_request;

typedef struct hd_sim_counts {
    uint64_t n_calls, n_dependencies;
    uint64_t n_unmatched;   /* receives without a send, members of incomplete collective operations: as recorded */
    uint64_t n_cycles;      /* dependencies dropped, as calls waited for each other in a circle */
    uint64_t n_polled;      /* polled waits (hd_polled_wait) */
    uint64_t n_polls;       /* other tests and probes without a record: a loop of them keeps its length */
    uint64_t n_kept;        /* calls of kinds that are not simulated */
    uint64_t kept_time;     /* [ticks] in them, and in MPI and OpenMP regions without records */
    uint64_t all_time;      /* [ticks] of all threads */
} hd_sim_counts;

typedef struct hd_sim_protocol_row { /* of a size class */
    bool     is_same_node;
    uint32_t size;       /* bytes below 1 << size */
    uint64_t n[4];       /* sends that were entered before the receiver was ready; of them left before the receive was
                          * posted; for which the receiver was not in a call; of them left before it entered one */
    const char *what;    /* "eager", "progress", "rendezvous", or NULL: not known */
} hd_sim_protocol_row;

typedef struct hd_sim_fit_row {
    const char *kind; /* "receive", "local", ... */
    uint32_t    what; /* local: region; collective operations: OTF2's number; else HD_NONE */
    bool        is_same_node;
    uint32_t    size, members; /* classes: bytes below 1 << size, members below 1 << members */
    uint64_t    n;
    uint64_t    bytes;       /* mean */
    hd_span     median, low; /* low: the 10 % quantile */
} hd_sim_fit_row;

typedef struct hd_sim_line_row { /* transfer = latency + bytes * slope (sim_network.h) */
    const char *kind;         /* "message", "collective", "tree" */
    uint32_t    operation;    /* OTF2's number; of messages HD_NONE */
    bool        is_same_node;
    uint32_t    members;      /* below 1 << members; of messages 0 */
    uint32_t    n_sizes;
    uint64_t    latency;      /* [ticks] */
    uint64_t    slope;        /* [ticks / 2^32 bytes] */
} hd_sim_line_row;

typedef struct hd_sim_tree_row { /* operations of this kind in which members wait for others than the root */
    uint32_t operation, n_members, size;
    uint64_t n_dependencies; /* pairs of relative ranks */
} hd_sim_tree_row;

typedef struct hd_sim_outcome { /* of a hypothesis */
    hd_span   run_time;       /* [ticks] the earliest leave of MPI_Init to the latest enter of MPI_Finalize */
    hd_span   run_time_whole; /* [ticks] the earliest begin to the latest end */
    hd_span  *region_time;    /* [n_regions] [ticks] in calls of all processes */
    hd_span  *path_wait;      /* [tree->n] [ticks] in calls until the latest enter that they depend on, of all
                               * processes */
    uint64_t  n_moved;        /* calls whose enter or leave is not as recorded */
    uint64_t  n_cycles;       /* dependencies dropped, as calls waited for each other in a circle */
    /* With wants_uncertain, else 0. */
    uint64_t  n_reordered;    /* calls whose messages are sent in another order (sim_order.h) */
    hd_span   uncertain;      /* [ticks] by which the run time differs if these calls wait for nobody */
    hd_span   fit_uncertain;  /* [ticks] by which it differs, at most, with all fits 0 or 4 times as long */
    hd_record_times **records; /* [trace->n_processes][locations] of this rank: new times of all records; NULL: they
                                * were not wanted. records[0]: all of them, [n_locations] */
} hd_sim_outcome;

typedef struct hd_simulate_result { /* the same on all ranks, where nothing else is said */
    hd_sim_outcome       recorded;
    hd_sim_outcome      *outcomes; /* [n_hypotheses] */
    size_t               n_outcomes;
    uint32_t             n_locations; /* of this rank */
    hd_sim_counts        counts;
    hd_sim_protocol_row *protocol; /* [n_protocol] */
    hd_sim_fit_row      *fits;     /* [n_fits] */
    hd_sim_tree_row     *trees;    /* [n_trees] */
    hd_sim_line_row     *lines;    /* [n_lines] */
    size_t               n_protocol, n_fits, n_trees, n_lines;
    char                *times;    /* with wants_times, on rank 0: lines of a TSV; else NULL */
    size_t               times_bytes;
} hd_simulate_result;

/* Frees what a result has. */
void hd_simulate_result_fini(hd_simulate_result *result);

#endif
