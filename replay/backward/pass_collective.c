#include "pass_collective.h"

#include "charge_letters.h"
#include "comm_members.h"
#include "sync_previous.h"
#include "wait_letter.h"

static uint32_t
n_others(const hd_replay_host *rh, const hd_agent *agent, const hd_sync *sync)
{
    const hd_sync_group *group = hd_sync_group_of(agent->syncs, sync);
    size_t               n;

    if (sync->delay == HD_DELAY_N21)
        return 1;
    if (sync->delay == HD_DELAY_12N) {
        hd_sync_waiters(agent, sync, &n);
        return (uint32_t)n;
    }
    return (group->list != HD_NONE ? rh->lists[group->list]->n : hd_comm_size(rh, sync->peer)) - 1;
}

bool
hd_pass_collective(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync       *sync  = &agent->syncs->points[point];
    const hd_sync_group *group = hd_sync_group_of(agent->syncs, sync);
    uint64_t             key   = hd_collective_key(sync->peer, group->number);
    hd_letters          *all;

    if (group->delayer != agent->process_id) {
        hd_wait_send(rh, host, agent, point, group->delayer, key);
        return true;
    }
    all = hd_letters_expect(rh, agent, key, n_others(rh, agent, sync));
    if (all == NULL)
        return false;
    if (rh->replay->request->delays)
        hd_charge_find_previous(agent, point, all, rh->replay->compat);
    hd_charge_letters(rh, host, agent, point, all);
    hd_letters_done(rh, agent, key, all);
    return true;
}

bool
hd_pass_awaited(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync = &agent->syncs->points[point];
    uint64_t       key  = hd_team_key(sync->peer, HD_AT_LOCK);
    size_t         n    = 1; /* who has the lock next */
    hd_letters    *all;

    if (!hd_sync_is_lock(sync->kind, sync->delay)) {
        key = hd_collective_key(sync->peer, hd_sync_group_of(agent->syncs, sync)->number);
        hd_sync_waiters(agent, sync, &n);
    }
    if (n == 0)
        return true;
    all = hd_letters_expect(rh, agent, key, (uint32_t)n);
    if (all == NULL)
        return false;
    hd_charge_find_previous(agent, point, all, false);
    hd_charge_letters(rh, host, agent, point, all);
    hd_letters_done(rh, agent, key, all);
    return true;
}

bool
hd_pass_waited(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync       *sync = &agent->syncs->points[point];
    const hd_sync_group *group;

    if (hd_sync_is_lock(sync->kind, sync->delay)) {
        hd_wait_send(rh, host, agent, point, agent->process_id, hd_team_key(sync->peer, HD_AT_LOCK));
        return true;
    }
    group = hd_sync_group_of(agent->syncs, sync);
    hd_wait_send(rh, host, agent, point, group->delayer, hd_collective_key(sync->peer, group->number));
    return true;
}
