/* scheduler/engine.h: runs virtual processes on hosts until nothing is left to do.
 *
 * A host is an (analysis rank, replay thread) pair; a virtual process ("agent": one location's cursor over its op log) belongs
 * to one host and is touched by its thread alone. An analysis gives three functions; it knows nothing of threads, ranks, MPI:
 *
 *     READY ──engine runs it──▶ RUNNING ──says HD_RUN_PARKED──▶ PARKED ──hd_host_wake()──▶ READY
 *                                  └──────says HD_RUN_DONE──▶ DONE       └──release() at quiescence──▶ READY
 *
 * Items (a kind and a few words) go to a host by number: to the own host directly, in batches to another thread of
 * the rank or, over real MPI, to another rank. Order from one host to another is kept. Agents of a host are run in windows of
 * the application's time, and the hosts of a rank keep within some windows of each other, so that mail in flight stays about
 * what the application itself had in flight. Ranks do not wait for each other: one that only sends can get ahead.
 *
 * Uses: trace (nothing yet but its time), group, base. Owner: the replay. Memory: 21 bytes per agent, a batch of 32 KiB per
 * pair of hosts that have mail under way.
 */
#ifndef HD_ENGINE_H
#define HD_ENGINE_H

#include "group.h"
#include "host.h"

typedef struct hd_engine_request {
    uint32_t        n_threads;
    uint32_t        n_agents;       /* of this rank */
    const uint32_t *agent_threads;  /* [n_agents] */
    hd_time         window;         /* [ticks] of application time per turn, > 0 */
    bool            yield;          /* waiting threads give up their core: more threads than cores */
    const _Atomic int *stop; /* not 0: the run is to end soon; any rank may say so, at any time. NULL: nobody does */
    void          (*on_thread)(void *context, uint32_t thread); /* called on each thread before it runs anything; or NULL */
    void           *context;
} hd_engine_request;

/* Ranks: all, together. MT: main thread only. */
hd_engine *hd_engine_new(hd_group *group, const hd_engine_request *request);
void       hd_engine_free(hd_engine *engine);

/* Runs all agents that are ready and delivers all items until, on all ranks, nothing is ready and nothing is under way.
 * An agent that is ready at the start: with start_all all of them, else those that were woken. Runs do not overlap: no rank
 * begins before all have ended the run before. Ends the program if there are fewer OpenMP threads than asked for.
 * Ranks: all, together. MT: main thread only; the analysis' functions are called on the replay threads. */
void hd_engine_run(hd_engine *engine, const hd_analysis *analysis, bool start_all);

/* Whether a run was stopped: agents that were not done were not run any more, on no rank, mail that was under way was delivered. No further
 * run may follow. MT: main thread only, not while running. Ranks: local, the same on all after a run. */
bool hd_engine_is_stopped(const hd_engine *engine);

/* Calls visit(context, host) on each replay thread of this rank. MT: main thread only. Ranks: local. */
void hd_engine_each_host(hd_engine *engine, void (*visit)(void *context, hd_host *host), void *context);

/* What one thread of this rank did in all runs so far. MT: main thread only, not while running. Ranks: local. */
hd_engine_stats hd_engine_stats_get(const hd_engine *engine, uint32_t thread);

#endif
