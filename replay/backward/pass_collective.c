/* replay/backward/pass_collective.c: points of collective operations. The delayer expects a message from each member
 * that waited for it, and is blocked until all are there; any other member sends its own. */
#include "pass_collective.h"

#include "attribute_messages.h"
#include "comm_members.h"
#include "sync_previous.h"
#include "wait_message.h"

enum { GROUPS_AHEAD = 4 };

static uint32_t
n_others(const hd_replay_worker *rh, const hd_vproc *vproc, const hd_sync *sync)
{
    const hd_sync_group *group = hd_sync_group_of(vproc->syncs, sync);
    size_t               n;

    if (sync->delay == HD_DELAY_N21)
        return 1;
    if (sync->delay == HD_DELAY_12N) {
        hd_sync_waiters(vproc, sync, &n);
        return (uint32_t)n;
    }
    return (group->list != HD_NONE ? rh->lists[group->list]->n : hd_comm_size(rh, sync->peer)) - 1;
}

bool
hd_pass_collective(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    const hd_sync_group *group = hd_sync_group_of(vproc->syncs, sync);
    uint64_t             key   = hd_collective_key(sync->peer, group->number);
    hd_backward_messages *all;

    __builtin_prefetch((const void *)((uintptr_t)group - GROUPS_AHEAD * sizeof *group)); /* as in backward.c */
    if (group->delayer != vproc->process_id) {
        hd_wait_send(rh, worker, vproc, point, sync, group->delayer, key);
        return true;
    }
    all = hd_backward_messages_expect(rh, vproc, key, n_others(rh, vproc, sync));
    if (all == NULL)
        return false;
    if (rh->replay->request->delays)
        hd_attribution_find_previous(vproc, point, all, rh->replay->compat);
    hd_attribute_messages(rh, worker, vproc, point, sync, all);
    hd_backward_messages_done(rh, vproc, key, all);
    return true;
}

bool
hd_pass_awaited(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    uint64_t       key  = hd_team_key(sync->peer, HD_AT_LOCK);
    size_t         n    = 1; /* who has the lock next */
    hd_backward_messages *all;

    if (!hd_sync_is_lock(sync->kind, sync->delay)) {
        key = hd_collective_key(sync->peer, hd_sync_group_of(vproc->syncs, sync)->number);
        hd_sync_waiters(vproc, sync, &n);
    }
    if (n == 0)
        return true;
    all = hd_backward_messages_expect(rh, vproc, key, (uint32_t)n);
    if (all == NULL)
        return false;
    hd_attribution_find_previous(vproc, point, all, false);
    hd_attribute_messages(rh, worker, vproc, point, sync, all);
    hd_backward_messages_done(rh, vproc, key, all);
    return true;
}

bool
hd_pass_waited(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    const hd_sync_group *group;

    if (hd_sync_is_lock(sync->kind, sync->delay)) {
        hd_wait_send(rh, worker, vproc, point, sync, vproc->process_id, hd_team_key(sync->peer, HD_AT_LOCK));
        return true;
    }
    group = hd_sync_group_of(vproc->syncs, sync);
    hd_wait_send(rh, worker, vproc, point, sync, group->delayer, hd_collective_key(sync->peer, group->number));
    return true;
}
