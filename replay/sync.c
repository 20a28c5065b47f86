#include "sync.h"

#include "agent.h"

void
hd_syncs_fini(hd_syncs *syncs)
{
    free(syncs->points);
    free(syncs->first);
    free(syncs->paths);
    free(syncs->spans);
    free(syncs->intermediates);
    free(syncs->waiters);
    free(syncs->moves);
    free(syncs->told);
    *syncs = (hd_syncs){ 0 };
}

/* To the host of the item's process; at once where that is this one. */
static void
tell(hd_replay_host *rh, hd_host *host, uint32_t kind, const hd_sync_item *item)
{
    uint32_t home = hd_placement_host(rh->replay->request->placement, (hd_process){ item->process });

    if (home == hd_host_number(host))
        hd_sync_deliver(rh, host, kind, item);
    else
        hd_host_send(host, home, kind, item, sizeof *item, NULL, 0);
}

void
hd_sync_late_sender(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_sync *sync)
{
    hd_sync own = *sync;

    if (!rh->replay->goes_back)
        return;
    own.kind  = HD_SYNC_RECV;
    own.delay = HD_DELAY_LATE_SENDER;
    own.list  = HD_NONE;
    hd_syncs_add(&agent->syncs, &own);
    tell(rh, host, HD_ITEM_SYNC_SEND,
         &(hd_sync_item){ .process = sync->peer, .thread = sync->partner_thread, .order = sync->partner, .peer = agent->process_id,
                          .peer_thread = agent->thread, .peer_order = sync->order, .leave = agent->cursor.call.leave });
}

void
hd_sync_late_receiver(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_sync *sync)
{
    hd_sync own = *sync;

    if (!rh->replay->goes_back)
        return;
    own.kind  = HD_SYNC_SENT;
    own.delay = HD_DELAY_LATE_RECEIVER;
    own.list  = HD_NONE;
    hd_syncs_add(&agent->syncs, &own);
    tell(rh, host, HD_ITEM_SYNC_REQUEST,
         &(hd_sync_item){ .process = sync->peer, .thread = sync->partner_thread, .order = sync->partner, .peer = agent->process_id,
                          .peer_thread = agent->thread, .index = (uint32_t)agent->syncs.n - 1,
                          .enter = sync->enter + (hd_time)sync->wait, .leave = sync->enter + (hd_time)sync->pruned });
}

void
hd_sync_wait_for_root(hd_replay_host *rh, hd_host *host, const hd_agent *agent, const hd_sync *sync)
{
    tell(rh, host, HD_ITEM_SYNC_WAITER,
         &(hd_sync_item){ .process = sync->delayer, .comm = sync->peer, .peer = agent->process_id, .peer_order = sync->partner });
}

void
hd_sync_deliver(hd_replay_host *rh, hd_host *host, uint32_t kind, const void *data)
{
    const hd_sync_item *item  = data;
    hd_agent           *agent = hd_replay_agent(rh->replay, item->process, item->thread);
    hd_sync             sync  = { .delay = HD_DELAY_NONE, .order = item->order, .peer = item->peer, .partner = item->peer_order,
                                  .partner_thread = item->peer_thread, .list = HD_NONE };

    (void)host;
    switch (kind) {
    case HD_ITEM_SYNC_SEND: /* the leave of the call that waited stands in `pruned` until the op log is looked at */
        sync.kind   = HD_SYNC_SEND;
        sync.pruned = (hd_span)item->leave;
        HD_PUSH(agent->syncs.told, agent->syncs.n_told, agent->syncs.capacity_told, sync);
        return;
    case HD_ITEM_SYNC_REQUEST: /* likewise; its order is that of the receive until then */
        sync.kind    = HD_SYNC_REQUEST;
        sync.enter   = item->enter;
        sync.pruned  = (hd_span)item->leave;
        sync.partner = item->index;
        HD_PUSH(agent->syncs.told, agent->syncs.n_told, agent->syncs.capacity_told, sync);
        return;
    case HD_ITEM_SYNC_LEAVE: {
        hd_sync *sent = &agent->syncs.points[item->index];
        hd_time  call_leave = sent->enter + (hd_time)sent->pruned;

        if (rh->replay->compat) /* D2 */
            sent->pruned += item->leave > call_leave ? hd_span_between(call_leave, item->leave) : 0;
        else
            sent->pruned -= call_leave > item->leave ? hd_span_between(item->leave, call_leave) : 0;
        return;
    }
    default:
        HD_PUSH(agent->syncs.waiters, agent->syncs.n_waiters, agent->syncs.capacity_waiters,
                ((hd_sync_waiter){ item->comm, item->peer_order, item->peer }));
        return;
    }
}

void
hd_sync_add_team(hd_agent *agents, const hd_team_points *points)
{
    static const uint8_t kinds[] = { [HD_TEAM_IDLE] = HD_SYNC_IDLE, [HD_TEAM_PARALLEL] = HD_SYNC_PARALLEL,
                                     [HD_TEAM_BARRIER] = HD_SYNC_BARRIER, [HD_TEAM_JOIN] = HD_SYNC_JOIN };

    for (size_t i = 0; i < points->n_points; i++) {
        const hd_team_point *point = &points->points[i];

        hd_syncs_add(&agents[point->thread].syncs,
                     &(hd_sync){ .kind = kinds[point->kind], .enter = point->enter, .wait = point->wait, .pruned = point->pruned,
                                 .call_path = point->call_path, .peer = point->instance,
                                 .partner = point->kind == HD_TEAM_IDLE ? (uint32_t)point->until_last : point->number,
                                 .partner_thread = point->n_threads, .delayer = point->delayer, .list = HD_NONE,
                                 .delay = point->kind == HD_TEAM_BARRIER ? HD_DELAY_OMP_BARRIER : HD_DELAY_NONE });
    }
    for (size_t i = 0; i < points->n_moves; i++) {
        hd_syncs *syncs = &agents[points->moves[i].thread].syncs;

        HD_PUSH(syncs->moves, syncs->n_moves, syncs->capacity_moves, points->moves[i]);
    }
}

static int
compare_orders(const void *left, const void *right)
{
    const hd_sync *a = left, *b = right;

    return a->order < b->order ? -1 : a->order > b->order;
}

static int
compare_enters(const void *left, const void *right)
{
    const hd_sync *a = left, *b = right;

    if (a->enter != b->enter)
        return a->enter < b->enter ? -1 : 1;
    return compare_orders(left, right);
}

/* Sends by their order, then requests by their time. */
static int
compare_told(const void *left, const void *right)
{
    const hd_sync *a = left, *b = right;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->kind == HD_SYNC_SEND ? compare_orders(left, right) : compare_enters(left, right);
}

/* The call of a point that another location told of. `pruned` is the leave of that location's call until now. */
static void
set_call(hd_sync *sync, const hd_call *call)
{
    hd_time other = (hd_time)sync->pruned;

    sync->enter     = call->enter;
    sync->call_path = call->call_path;
    sync->pruned    = hd_span_between(call->enter, hd_time_min(other, call->leave));
}

/* Requests whose call is not on this location (another thread posted the receive) are left out. */
void
hd_sync_complete(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_syncs *syncs = &agent->syncs;
    hd_sync  *sends = syncs->told, *requests;
    size_t    n_sends = 0, n_requests, i_send = 0, i_request = 0;
    uint32_t  order   = 0;
    hd_cursor cursor;
    hd_op     op;

    if (syncs->n_told > 1)
        qsort(syncs->told, syncs->n_told, sizeof *syncs->told, compare_told);
    while (n_sends < syncs->n_told && syncs->told[n_sends].kind == HD_SYNC_SEND)
        n_sends++;
    requests   = syncs->told + n_sends;
    n_requests = syncs->n_told - n_sends;
    hd_cursor_init(&cursor, &agent->location->log);
    while ((i_send < n_sends || i_request < n_requests || rh->replay->compat) && hd_cursor_call(&cursor)) {
        while (i_request < n_requests && requests[i_request].enter < cursor.call.enter)
            i_request++;
        while (cursor.n_left > 0) {
            hd_cursor_op(&cursor, &op);
            order++;
            if (i_send < n_sends && sends[i_send].order == order) {
                sends[i_send].peer = agent->location->log.channels[op.channel].peer;
                set_call(&sends[i_send], &cursor.call);
                hd_syncs_add(&agent->syncs, &sends[i_send++]);
            }
            if (rh->replay->compat && op.kind == HD_OP_POST)
                hd_syncs_add(syncs, &(hd_sync){ .kind = HD_SYNC_EDGE, .delay = HD_DELAY_NONE, .enter = cursor.call.enter,
                                                .order = order, .call_path = cursor.call.call_path, .list = HD_NONE });
            if (i_request < n_requests && requests[i_request].enter == cursor.call.enter &&
                (op.kind == HD_OP_POST || (op.kind == HD_OP_RECV && (op.flags & HD_OP_NONBLOCKING) == 0))) {
                hd_sync *request = &requests[i_request++];

                tell(rh, host, HD_ITEM_SYNC_LEAVE,
                     &(hd_sync_item){ .process = request->peer, .thread = request->partner_thread, .order = 0,
                                      .index = request->partner, .leave = cursor.call.leave });
                request->partner = request->order;
                set_call(request, &cursor.call);
                hd_syncs_add(&agent->syncs, request);
            }
        }
    }
    free(syncs->told);
    syncs->told   = NULL;
    syncs->n_told = syncs->capacity_told = 0;
}
