/* replay/backward_run.c: sets up the backward replay, runs it on the engine and ends it. Points are built location by
 * location, and each location's logs are freed as soon as its points are there, so that both are never in memory for
 * all locations. */
#include "backward_run.h"

#include "backward.h"
#include "critical_path.h"
#include "delay_slices.h"
#include "forward_run.h"
#include "sync_build.h"
#include "sync_previous.h"
#include "sync_time.h"

#define MIN_GAP_BYTES (32 * 1024)

/* What a location no longer needs leaves gaps into which the next ones' larger blocks do not fit. Giving them back
 * looks at all gaps, so it is done more rarely the more there is. */
static void
give_back_gaps(hd_replay_worker *rh, size_t freed_bytes, size_t kept_bytes)
{
    rh->backward->freed_bytes += freed_bytes;
    rh->backward->kept_bytes += kept_bytes;
    if (rh->backward->freed_bytes < MIN_GAP_BYTES + rh->backward->kept_bytes / 8)
        return;
    hd_give_back();
    rh->backward->freed_bytes = 0;
}

static void
start_backward_vproc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    size_t freed_bytes = vproc->syncs->own.run.n + vproc->syncs->notified.run.n +
                         vproc->location->intervals.boundaries.n;

    (void)worker;
    hd_sync_build(rh, vproc, &rh->backward->room, rh->backward->limit);
    hd_backward_start(rh, vproc);
    if (rh->replay->request->critical_path)
        hd_critical_path_add_waits(rh, vproc);
    if (!rh->replay->request->keeps_logs && !rh->replay->path_times)
        hd_interval_log_fini(&vproc->location->intervals);
    give_back_gaps(rh, freed_bytes, vproc->syncs->n * sizeof(hd_packed_sync) + vproc->syncs->vectors.bytes.n);
}

static void
start_backward(void *context, hd_worker *worker)
{
    hd_replay_worker *rh = hd_replay_worker_of(context, worker);

    hd_backward_worker_init(rh);
    hd_sync_previous_begin(rh);
    hd_each_vproc(context, worker, start_backward_vproc);
    hd_sync_previous_end(rh);
    hd_sync_room_fini(&rh->backward->room, rh->replay->scratch);
    hd_give_back(); /* the tables of the backward replay are large blocks, for which gaps are of no use */
}

static void
end_backward_vproc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    (void)worker;
    hd_backward_fini(rh, vproc);
}

static void
end_backward(void *context, hd_worker *worker)
{
    hd_each_vproc(context, worker, end_backward_vproc);
    hd_backward_worker_end(hd_replay_worker_of(context, worker));
}

static bool
blocked_backward(const void *replay, uint32_t number, hd_blocked *at)
{
    const hd_vproc *vproc = &((const hd_replay *)replay)->vprocs[number];

    *at = (hd_blocked){ .process = vproc->process_id, .thread = vproc->thread };
    return hd_backward_waits(vproc, &at->time);
}

static void
release_backward_vproc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_blocked at;

    if (blocked_backward(rh->replay, vproc->number, &at) && hd_is_released(&rh->replay->release, &at))
        hd_backward_release(worker, vproc);
}

static void
release_backward(void *context, hd_worker *worker)
{
    hd_each_vproc(context, worker, release_backward_vproc);
}

bool
hd_backward_replay(hd_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = hd_backward_run, .deliver = hd_backward_deliver };

    if (hd_engine_is_stopped(engine))
        return false;
    hd_delay_slices_start(replay);
    hd_engine_each_worker(engine, start_backward, replay);
    if (replay->request->critical_path)
        hd_critical_path_start(replay);
    hd_engine_run(engine, &analysis, true);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && hd_replay_choose(replay, blocked_backward, true, round);
         round++) {
        hd_engine_each_worker(engine, release_backward, replay);
        hd_engine_run(engine, &analysis, false);
    }
    hd_engine_each_worker(engine, end_backward, replay);
    return !hd_engine_is_stopped(engine);
}
