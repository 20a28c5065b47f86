/* replay/core/release.c: the choice of the vproc that is released when all are blocked. All ranks reduce the time of
 * their candidate, then its number, so they agree on one without a message to each other. */
#include "release.h"

#include "memory.h"

#define WINDOW_EVENTS     128 /* of the application's time in a time slice of a vproc, about as many of its events */
#define ROUNDS_ONE_BY_ONE 1000

static hd_time
window(const hd_defs *defs)
{
    double per_event = (double)defs->length / ((double)defs->n_events / defs->n_locations + 1);
    double ticks     = per_event * WINDOW_EVENTS;

    return ticks < 1 ? 1 : ticks > 1e18 ? UINT64_MAX / 2 : (hd_time)ticks;
}

hd_engine *
hd_replay_engine(hd_analysis_comm *analysis_comm, const hd_defs *defs, const hd_placement *placement,
                 const uint32_t *processes, hd_engine_request request)
{
    uint32_t  *threads = HD_NEW_ARRAY(uint32_t, request.n_vprocs);
    hd_engine *engine;

    request.n_threads     = hd_placement_n_threads(placement);
    request.vproc_threads = threads;
    request.window        = window(defs);
    for (uint32_t i = 0; i < request.n_vprocs; i++)
        threads[i] = hd_placement_worker(placement, (hd_process){ processes[i] }) % request.n_threads;
    engine = hd_engine_new(analysis_comm, &request);
    free(threads);
    return engine;
}

bool
hd_release_choose(hd_analysis_comm *analysis_comm, const void *replay, uint32_t n_vprocs, hd_blocked_at *blocked_at,
                  bool latest, uint32_t round, hd_release *chosen)
{
    uint64_t   first = UINT64_MAX, place = UINT64_MAX; /* the least key, be it a time or how far one is from the end of
                                                       * all times */
    hd_blocked at;

    for (uint32_t i = 0; i < n_vprocs; i++)
        if (blocked_at(replay, i, &at))
            first = hd_time_min(first, latest ? UINT64_MAX - 1 - at.time : at.time);
    hd_analysis_comm_reduce(analysis_comm, &first, 1, HD_MIN);
    if (first == UINT64_MAX)
        return false;
    for (uint32_t i = 0; i < n_vprocs; i++)
        if (blocked_at(replay, i, &at) && (latest ? UINT64_MAX - 1 - at.time : at.time) == first)
            place = hd_time_min(place, (uint64_t)at.process << 32 | at.thread);
    hd_analysis_comm_reduce(analysis_comm, &place, 1, HD_MIN);
    *chosen = (hd_release){ { latest ? UINT64_MAX - 1 - first : first, (uint32_t)(place >> 32), (uint32_t)place },
                            round >= ROUNDS_ONE_BY_ONE };
    return true;
}
