#include "pass_point.h"

#include "charge.h"
#include "pass_collective.h"
#include "pass_pair.h"
#include "pass_team.h"
#include "path.h"

/* Where the critical path begins: with the run on this location. */
static bool
pass_begin(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    (void)host;
    if (agent->backward->path.is_here)
        hd_path_book(rh, agent, point);
    return true;
}

/* By hd_sync_kind; NULL: nothing happens there. */
static bool (*const passes[HD_SYNC_END + 1])(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point) = {
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
};

bool
hd_pass_point(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    uint32_t kind = agent->syncs->points[point].kind;

    hd_charge_take_off(rh, &agent->backward->charges, point);
    return passes[kind] == NULL || passes[kind](rh, host, agent, point);
}
