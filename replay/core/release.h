/* replay/core/release.h: an engine for the vprocs of a replay, and which vproc is released when all are blocked.
 * Private to the replay.
 *
 * All sends that a receive can match are known to exist, so at quiescence only those vprocs are blocked that wait in a
 * circle: the archive contradicts itself, its clocks contradict the order of messages, or epochs of windows do that an
 * MPI library put off. One is released: the earliest in the forward replay, the latest in the backward replay. Vprocs
 * that wait for it then go on. After very many circles all are released at once.
 *
 * Uses: scheduler. MT: main thread only, not while the engine runs.
 */
#ifndef HD_RELEASE_H
#define HD_RELEASE_H

#include "defs.h"
#include "engine.h"
#include "placement.h"

typedef struct hd_blocked { /* where a vproc is */
    hd_time  time; /* below UINT64_MAX */
    uint32_t process, thread;
} hd_blocked;

typedef struct hd_release {
    hd_blocked who;
    bool      all; /* who does not count */
} hd_release;

/* Where a vproc is blocked; false: it is not. */
typedef bool hd_blocked_at(const void *replay, uint32_t vproc, hd_blocked *at);

/* processes: [request.n_vprocs] of the vprocs; n_threads, vproc_threads and window are set here. Ranks: all,
 * together. */
hd_engine *hd_replay_engine(hd_analysis_comm *analysis_comm, const hd_defs *defs, const hd_placement *placement,
                            const uint32_t *processes, hd_engine_request request);

/* round: number of releases before this one. The same for any ranks and threads. False: no vproc is blocked. Ranks:
 * all, together. */
bool hd_release_choose(hd_analysis_comm *analysis_comm, const void *replay, uint32_t n_vprocs,
                       hd_blocked_at *blocked_at, bool latest, uint32_t round,
                       hd_release *chosen);

static inline bool
hd_is_released(const hd_release *chosen, const hd_blocked *at)
{
    return chosen->all ||
           (chosen->who.time == at->time && chosen->who.process == at->process && chosen->who.thread == at->thread);
}

#endif
