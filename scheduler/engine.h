/* scheduler/engine.h: runs virtual processes on workers until nothing is left to do.
 *
 * A worker is an (analysis rank, replay thread) pair; a virtual process ("vproc": one location's cursor over its op
 * log) belongs to one worker. One thread at a time runs a worker: mostly its own. Another thread of the rank that has
 * nothing to do may take it: where a message to another core takes longer than the work between two messages, and where
 * the system does not run the own thread. An analysis gives functions; it knows nothing of threads, ranks, MPI:
 *
 *     READY ──engine runs it──▶ RUNNING ──says HD_RUN_BLOCKED──▶ BLOCKED ──hd_worker_wake()──▶ READY
 *                                  └──────says HD_RUN_DONE──▶ DONE       └──release() at quiescence──▶ READY
 *
 * Items (a kind and a few words) go to a worker by number: to the own worker directly, in batches to another thread of
 * the rank or, over real MPI, to another rank. Order from one worker to another is kept. Vprocs of a worker are run in
 * windows of the application's time, and the workers of a rank keep within some windows of each other, so that the
 * messages in flight stay about what the application itself had in flight. Ranks do not wait for each other: one that
 * only sends can get ahead.
 *
 * Uses: trace (nothing yet but its time), analysis_comm, base. Owner: the replay. Memory: 13 bytes per vproc, a batch
 * of 32 KiB per pair of workers that have messages under way.
 */
#ifndef HD_ENGINE_H
#define HD_ENGINE_H

#include "analysis_comm.h"
#include "worker.h"

typedef struct hd_engine_request {
    uint32_t           n_threads;
    uint32_t           n_vprocs;                                /* of this rank */
    const uint32_t    *vproc_threads;                           /* [n_vprocs] */
    hd_time            window;                                  /* [ticks] of application time per time slice, > 0 */
    bool               yield;                                   /* waiting threads give up their core: more threads than
                                                                 * cores */
    const _Atomic int *stop;                                    /* not 0: the run is to end soon; any rank may set it,
                                                                 * at any time. NULL: never */
    void          (*on_thread)(void *context, uint32_t thread); /* called on each thread before it runs anything; or
                                                                 * NULL */
    void           *context;
} hd_engine_request;

/* Ranks: all, together. MT: main thread only. */
hd_engine *hd_engine_new(hd_analysis_comm *analysis_comm, const hd_engine_request *request);
void       hd_engine_free(hd_engine *engine);

/* Runs all vprocs that are ready and delivers all items until, on all ranks, nothing is ready and nothing is under way.
 * A vproc that is ready at the start: with start_all all of them, else those that were woken. Runs do not overlap: no
 * rank begins before all have ended the run before. Ends the program if there are fewer OpenMP threads than asked for.
 * Ranks: all, together. MT: main thread only; the analysis' functions are called on the replay threads, for a worker on
 * one at a time. */
void hd_engine_run(hd_engine *engine, const hd_analysis *analysis, bool start_all);

/* Whether a run was stopped: vprocs that were not done were not run any more, on no rank, messages that were under way
 * were delivered. No further run may follow. MT: main thread only, not while running. Ranks: local, the same on all
 * after a run. */
bool hd_engine_is_stopped(const hd_engine *engine);

/* Calls visit(context, worker) on each replay thread of this rank. MT: main thread only. Ranks: local. */
void hd_engine_each_worker(hd_engine *engine, void (*visit)(void *context, hd_worker *worker), void *context);

/* What one worker of this rank did in all runs so far, and how long its thread ran and waited. MT: main thread only,
 * not while running. Ranks: local. */
hd_engine_stats hd_engine_stats_get(const hd_engine *engine, uint32_t thread);

#endif
