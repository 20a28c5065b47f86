/* replay/backward/pass_point.c: a table from the kind of a point to the function that passes it, so that a new kind is
 * a row. */
#include "pass_point.h"

#include "attribution.h"
#include "pass_collective.h"
#include "pass_pair.h"
#include "pass_team.h"
#include "path.h"

/* Where the critical path begins: with the run on this location. */
static bool
pass_begin(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    (void)worker;
    (void)sync;
    if (vproc->backward->path.is_here)
        hd_path_book(rh, vproc, point);
    return true;
}

static bool
pass_over(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    (void)rh;
    (void)worker;
    (void)vproc;
    (void)point;
    (void)sync;
    return true;
}

/* By hd_sync_kind. */
static bool (*const passes[HD_SYNC_END + 1])(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                                              const hd_sync *sync) = {
    [HD_SYNC_BEGIN]    = pass_begin,
    [HD_SYNC_INIT]     = pass_begin,
    [HD_SYNC_RECV]     = hd_pass_receive,
    [HD_SYNC_SEND]     = hd_pass_pair,
    [HD_SYNC_SENT]     = hd_pass_sent,
    [HD_SYNC_REQUEST]  = hd_pass_pair,
    [HD_SYNC_COLL]     = hd_pass_collective,
    [HD_SYNC_IDLE]     = hd_pass_idle,
    [HD_SYNC_PARALLEL] = hd_pass_parallel,
    [HD_SYNC_BARRIER]  = hd_pass_barrier,
    [HD_SYNC_AWAITED]  = hd_pass_awaited,
    [HD_SYNC_WAITED]   = hd_pass_waited,
    [HD_SYNC_FINALIZE] = pass_over,
    [HD_SYNC_JOIN]     = pass_over,
    [HD_SYNC_EDGE]     = pass_over,
    [HD_SYNC_END]      = pass_over,
};

bool
hd_pass_point(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    hd_attributions_take_off(rh, &vproc->backward->attributions, point);
    return passes[sync->kind](rh, worker, vproc, point, sync);
}
