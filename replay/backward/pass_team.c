/* replay/backward/pass_team.c: points of teams of threads and of locks. All threads of a process are on one worker,
 * but their messages go the same way as those of processes, so threads need no second mechanism. */
#include "pass_team.h"

#include "attribution.h"
#include "attribute_messages.h"
#include "delay_slices.h"
#include "path.h"
#include "wait_message.h"

/* scout 2.6 goes on from a barrier on all threads that did not wait at it (D19): the last one notifies them. */
static void
spread_path(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync,
            const hd_backward_messages *all)
{
    uint32_t       number  = hd_sync_group_of(vproc->syncs, sync)->number;
    bool           on_path = vproc->backward->path.is_here;

    if (on_path)
        hd_path_book(rh, vproc, point);
    for (hd_backward_message *message = all->first; message != NULL; message = message->next) {
        on_path |= message->item.on_path != 0;
        message->item.on_path = false;
    }
    for (const hd_backward_message *message = all->first; message != NULL; message = message->next) {
        hd_wait_item reply = { .key = hd_reply_key(number, message->item.from_thread), .process = vproc->process_id,
                               .on_path = on_path };

        if (message->item.wait == 0)
            hd_worker_send(worker, hd_worker_number(worker), HD_ITEM_WAIT, &reply, sizeof reply, NULL, 0);
    }
    if (on_path)
        hd_path_enter(vproc, point);
}

/* A thread that did not wait at a barrier, and was not the last one. */
static bool
await_path(hd_replay_worker *rh, hd_vproc *vproc, uint32_t point, uint32_t number)
{
    uint64_t              key = hd_reply_key(number, vproc->thread);
    hd_backward_messages *all = hd_backward_messages_expect(rh, vproc, key, 1);

    if (all == NULL)
        return false;
    vproc->backward->has_notified = false;
    if (all->first != NULL && all->first->item.on_path)
        hd_path_enter(vproc, point);
    hd_backward_messages_done(rh, vproc, key, all);
    return true;
}

/* How much earlier than the last thread another one was at a barrier. */
static double
late(const hd_vproc *vproc, const hd_wait_item *item, hd_time last)
{
    const hd_scout_clock *clock = vproc->syncs->clock;

    last = hd_time_min(last, item->leave);
    if (clock == NULL)
        return (double)hd_span_between(item->enter, last);
    return hd_scout_seconds(clock, last) - hd_scout_seconds(clock, item->enter);
}

/* A barrier of a team: until the last thread came, without regard to the tasks that were done meanwhile. */
bool
hd_pass_barrier(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    const hd_sync_group *group   = hd_sync_group_of(vproc->syncs, sync);
    uint64_t             key     = hd_team_key(group->number, HD_AT_BARRIER);
    bool                 spreads = rh->replay->compat && rh->replay->request->critical_path;
    hd_backward_messages *all;

    if (group->delayer != vproc->thread) {
        if (!vproc->backward->has_notified)
            hd_wait_send(rh, worker, vproc, point, sync, vproc->process_id, key);
        vproc->backward->has_notified = spreads && sync->wait == 0;
        return !vproc->backward->has_notified || await_path(rh, vproc, point, group->number);
    }
    all = hd_backward_messages_expect(rh, vproc, key, group->root - 1);
    if (all == NULL)
        return false;
    if (spreads)
        spread_path(rh, worker, vproc, point, sync, all);
    for (hd_backward_message *message = all->first; message != NULL; message = message->next) {
        if (message->item.on_path && group->list != HD_NONE && !rh->replay->compat) {
            hd_path_enter_after(vproc, point, message->item.leave);
            message->item.on_path = false;
        }
        message->previous = message->until = sync->previous;
        message->item.wait = late(vproc, &message->item, hd_sync_enter_of_call(vproc->syncs, sync));
    }
    hd_attribute_messages(rh, worker, vproc, point, sync, all);
    hd_backward_messages_done(rh, vproc, key, all);
    return true;
}

bool
hd_pass_parallel(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    const hd_sync_group *group   = hd_sync_group_of(vproc->syncs, sync);
    uint64_t             key     = hd_team_key(group->number, HD_AT_PARALLEL);
    bool                 on_path = false;
    hd_backward_messages *all;

    if (group->delayer == HD_NONE || !rh->replay->request->critical_path)
        return true;
    if (group->delayer != vproc->thread) {
        hd_wait_item item = { .key = key, .process = vproc->process_id, .on_path = vproc->backward->path.is_here };

        if (item.on_path)
            hd_path_book(rh, vproc, point);
        hd_worker_send(worker, hd_worker_number(worker), HD_ITEM_WAIT, &item, sizeof item, NULL, 0);
        return true;
    }
    all = hd_backward_messages_expect(rh, vproc, key, group->root - 1);
    if (all == NULL)
        return false;
    for (const hd_backward_message *message = all->first; message != NULL; message = message->next)
        on_path |= message->item.on_path != 0;
    if (vproc->backward->path.is_here && rh->replay->compat) { /* the path goes on from here once */
        hd_path_book(rh, vproc, point);
        on_path = true;
    }
    if (on_path)
        hd_path_enter(vproc, point);
    hd_backward_messages_done(rh, vproc, key, all);
    return true;
}

bool
hd_pass_idle(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    (void)worker;
    if (!rh->replay->request->delays)
        return true;
    hd_sync_time_net(&rh->backward->own, vproc->syncs, sync->previous, point, hd_attribution_rules(rh, false));
    if (rh->delay_parts != NULL)
        hd_delay_slices_book_idle(rh, vproc, sync->partner, sync->previous, point);
    hd_attribute_idle(rh, vproc, sync->partner, sync->previous);
    return true;
}
