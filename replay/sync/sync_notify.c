/* replay/sync/sync_notify.c: keeps a point of this location, and sends the other side what it cannot know itself. */
#include "sync_notify.h"

void
hd_sync_notify(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const hd_sync_item *item)
{
    uint32_t home = hd_placement_worker(rh->replay->request->placement, (hd_process){ item->process });

    if (home == hd_worker_number(worker))
        hd_sync_deliver(rh, worker, kind, item);
    else
        hd_worker_send(worker, home, kind, item, sizeof *item, NULL, 0);
}

void
hd_sync_late_sender(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_sync *sync,
                    const hd_sync_call *call)
{
    hd_sync own = *sync;

    if (!rh->replay->goes_back)
        return;
    own.kind  = HD_SYNC_RECV;
    own.delay = HD_DELAY_LATE_SENDER;
    hd_syncs_add(vproc->syncs, &own);
    hd_sync_notify(rh, worker, HD_ITEM_SYNC_SEND,
                   &(hd_sync_item){ .process = sync->peer, .thread = sync->partner_thread, .order = sync->partner,
                                  .peer = vproc->process_id,
                                  .peer_thread = vproc->thread, .call_path = call->call_path, .enter = call->enter,
                                  .leave = hd_time_min(vproc->cursor.call.leave, call->leave) });
}

void
hd_sync_late_receiver(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_sync *sync,
                      const hd_sync_call *call, uint32_t post)
{
    hd_sync own   = *sync;
    hd_time leave = sync->enter + (hd_time)sync->pruned;

    if (!rh->replay->goes_back)
        return;
    own.kind  = HD_SYNC_SENT;
    own.delay = HD_DELAY_LATE_RECEIVER;
    if (call->call_path != HD_NONE) {
        hd_sync_add_leave(&own, call->leave, rh->replay->compat);
        leave = hd_time_min(leave, call->leave);
    } else
        own.partner = 0;
    hd_syncs_add(vproc->syncs, &own);
    hd_sync_notify(rh, worker, HD_ITEM_SYNC_REQUEST,
                   &(hd_sync_item){ .process = sync->peer, .thread = sync->partner_thread, .order = sync->partner,
                                  .peer = vproc->process_id,
                                  .peer_thread = vproc->thread, .peer_order = post, .index = vproc->syncs->n_sent - 1,
                                  .call_path = call->call_path, .enter = sync->enter + (hd_time)sync->wait,
                                  .leave = leave });
}

void
hd_sync_rma_wait(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_sync *sync, hd_sync_group group,
                 const hd_sync_call *call)
{
    hd_sync own = *sync;

    if (!rh->replay->goes_back)
        return;
    own.kind  = HD_SYNC_RECV;
    own.delay = HD_DELAY_RMA;
    hd_syncs_add_group(vproc->syncs, &own, group);
    hd_sync_notify(rh, worker, HD_ITEM_SYNC_SEND,
                   &(hd_sync_item){ .process = group.delayer, .thread = group.thread, .order = group.record,
                                  .peer = vproc->process_id,
                                  .peer_thread = vproc->thread, .call_path = call->call_path, .enter = call->enter,
                                  .leave = call->leave });
}

void
hd_sync_wait_for_root(hd_replay_worker *rh, hd_worker *worker, const hd_vproc *vproc, uint32_t comm,
                      hd_sync_group group)
{
    hd_sync_notify(rh, worker, HD_ITEM_SYNC_WAITER,
                   &(hd_sync_item){ .process = group.delayer, .comm = comm, .peer = vproc->process_id,
                                  .peer_order = group.number });
}

/* All that there is to know of the point. */
static void
add_point(hd_syncs *syncs, uint32_t kind, const hd_sync_item *item)
{
    hd_syncs_add_notified(syncs, &(hd_sync){
        .kind = (uint8_t)kind, .delay = HD_DELAY_NONE, .enter = item->enter, .call_path = item->call_path,
        .pruned = hd_span_between(item->enter, item->leave), .order = item->order, .peer = item->peer,
        .partner_thread = (uint16_t)item->peer_thread });
}

static void
add_waiter(hd_syncs *syncs, const hd_sync_item *item)
{
    hd_syncs_rare *rare = hd_syncs_rare_of(syncs);

    HD_SCRATCH_PUSH(syncs->scratch, rare->waiters, rare->n_waiters, rare->capacity_waiters,
                    ((hd_sync_waiter){ item->comm, item->peer_order, item->peer }));
}

void
hd_sync_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data)
{
    const hd_sync_item *item  = data;
    hd_vproc           *vproc = hd_replay_vproc(rh->replay, item->process, item->thread);

    (void)worker;
    switch (kind) {
    case HD_ITEM_SYNC_SEND:
        add_point(vproc->syncs, HD_SYNC_SEND, item);
        return;
    case HD_ITEM_SYNC_REQUEST:
        if (item->call_path != HD_NONE)
            add_point(vproc->syncs, HD_SYNC_REQUEST, item);
        else
            hd_syncs_add_notification(vproc->syncs,
                                      &(hd_sync_notification){ .enter = item->enter, .leave = item->leave,
                                                               .peer = item->peer, .partner = item->index,
                                                               .order = item->order, .post = item->peer_order,
                                                               .partner_thread = (uint16_t)item->peer_thread });
        return;
    case HD_ITEM_SYNC_LEAVE:
        if (vproc->syncs->leaves == NULL)
            vproc->syncs->leaves = hd_scratch_alloc(vproc->syncs->scratch, vproc->syncs->n_sent, sizeof(hd_sync_leave));
        vproc->syncs->leaves[item->index] = (hd_sync_leave){ .leave = item->leave, .order = item->order };
        return;
    default:
        add_waiter(vproc->syncs, item);
        return;
    }
}
