#include "sync.h"

#include "agent.h"
#include "sort.h"

void
hd_syncs_init(hd_syncs *syncs, hd_scratch *scratch)
{
    *syncs = (hd_syncs){ .scratch = scratch, .collected.scratch = scratch, .told.scratch = scratch,
                         .vectors.bytes.scratch = scratch };
    for (uint32_t level = 1; level < HD_SYNC_LEVELS; level++)
        syncs->levels[level].vectors.bytes.scratch = scratch;
}

void
hd_syncs_fini(hd_syncs *syncs)
{
    hd_bytes_fini(&syncs->collected);
    hd_bytes_fini(&syncs->told);
    hd_scratch_free(syncs->scratch, syncs->leaves);
    hd_scratch_free(syncs->scratch, syncs->points);
    hd_scratch_free(syncs->scratch, syncs->groups);
    hd_vector_run_fini(&syncs->vectors);
    for (uint32_t level = 1; level < HD_SYNC_LEVELS; level++) {
        hd_vector_run_fini(&syncs->levels[level].vectors);
        hd_scratch_free(syncs->scratch, syncs->levels[level].waits);
    }
    hd_scratch_free(syncs->scratch, syncs->intermediates);
    hd_scratch_free(syncs->scratch, syncs->waiters);
    hd_scratch_free(syncs->scratch, syncs->moves);
    hd_syncs_init(syncs, syncs->scratch);
}

void
hd_syncs_add_group(hd_syncs *syncs, const hd_sync *sync, hd_sync_group group)
{
    hd_sync own = *sync;

    own.partner = (uint32_t)syncs->n_groups;
    HD_SCRATCH_PUSH(syncs->scratch, syncs->groups, syncs->n_groups, syncs->capacity_groups, group);
    hd_syncs_add(syncs, &own);
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
    hd_syncs_add(&agent->syncs, &own);
    tell(rh, host, HD_ITEM_SYNC_SEND,
         &(hd_sync_item){ .process = sync->peer, .thread = sync->partner_thread, .order = sync->partner, .peer = agent->process_id,
                          .peer_thread = agent->thread, .peer_order = sync->order, .leave = agent->cursor.call.leave });
}

void
hd_sync_late_receiver(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_sync *sync, uint32_t post)
{
    hd_sync own = *sync;

    if (!rh->replay->goes_back)
        return;
    own.kind  = HD_SYNC_SENT;
    own.delay = HD_DELAY_LATE_RECEIVER;
    hd_syncs_add(&agent->syncs, &own);
    tell(rh, host, HD_ITEM_SYNC_REQUEST,
         &(hd_sync_item){ .process = sync->peer, .thread = sync->partner_thread, .order = sync->partner, .peer = agent->process_id,
                          .peer_thread = agent->thread, .peer_order = post, .index = agent->syncs.n_sent - 1,
                          .enter = sync->enter + (hd_time)sync->wait, .leave = sync->enter + (hd_time)sync->pruned });
}

void
hd_sync_rma_wait(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_sync *sync, hd_sync_group group, hd_time leave)
{
    hd_sync own = *sync;

    if (!rh->replay->goes_back)
        return;
    own.kind  = HD_SYNC_RECV;
    own.delay = HD_DELAY_RMA;
    hd_syncs_add_group(&agent->syncs, &own, group);
    tell(rh, host, HD_ITEM_SYNC_SEND,
         &(hd_sync_item){ .process = group.delayer, .thread = group.thread, .order = group.record, .peer = agent->process_id,
                          .peer_thread = agent->thread, .peer_order = sync->order, .leave = leave });
}

void
hd_sync_wait_for_root(hd_replay_host *rh, hd_host *host, const hd_agent *agent, uint32_t comm, hd_sync_group group)
{
    tell(rh, host, HD_ITEM_SYNC_WAITER,
         &(hd_sync_item){ .process = group.delayer, .comm = comm, .peer = agent->process_id, .peer_order = group.number });
}

void
hd_sync_deliver(hd_replay_host *rh, hd_host *host, uint32_t kind, const void *data)
{
    const hd_sync_item *item  = data;
    hd_agent           *agent = hd_replay_agent(rh->replay, item->process, item->thread);
    hd_sync_told        told  = { .leave = item->leave, .peer = item->peer, .partner_thread = (uint16_t)item->peer_thread,
                                  .order = item->order };

    (void)host;
    switch (kind) {
    case HD_ITEM_SYNC_SEND:
    case HD_ITEM_SYNC_REQUEST:
        told.kind    = kind == HD_ITEM_SYNC_SEND ? HD_SYNC_SEND : HD_SYNC_REQUEST;
        told.place   = kind == HD_ITEM_SYNC_SEND ? item->order : item->enter;
        told.partner = kind == HD_ITEM_SYNC_SEND ? item->peer_order : item->index;
        told.post    = kind == HD_ITEM_SYNC_SEND ? HD_NONE : item->peer_order;
        hd_syncs_add_told(&agent->syncs, &told);
        return;
    case HD_ITEM_SYNC_LEAVE:
        if (agent->syncs.leaves == NULL)
            agent->syncs.leaves = hd_scratch_alloc(agent->syncs.scratch, agent->syncs.n_sent, sizeof(hd_sync_leave));
        agent->syncs.leaves[item->index] = (hd_sync_leave){ .leave = item->leave, .order = item->order };
        return;
    default:
        HD_SCRATCH_PUSH(agent->syncs.scratch, agent->syncs.waiters, agent->syncs.n_waiters, agent->syncs.capacity_waiters,
                        ((hd_sync_waiter){ item->comm, item->peer_order, item->peer }));
        return;
    }
}

void
hd_sync_add_team_point(void *agents_, const hd_team_point *point)
{
    static const uint8_t kinds[] = { [HD_TEAM_IDLE] = HD_SYNC_IDLE, [HD_TEAM_PARALLEL] = HD_SYNC_PARALLEL,
                                     [HD_TEAM_BARRIER] = HD_SYNC_BARRIER, [HD_TEAM_JOIN] = HD_SYNC_JOIN,
                                     [HD_TEAM_LEAVE] = HD_SYNC_EDGE,
                                     [HD_TEAM_RELEASE] = HD_SYNC_AWAITED, [HD_TEAM_LOCK_WAIT] = HD_SYNC_WAITED };
    hd_agent    *agents = agents_;
    hd_syncs    *syncs  = &agents[point->thread].syncs;
    hd_sync      sync   = { .kind = kinds[point->kind], .enter = point->enter, .wait = point->wait, .pruned = point->pruned,
                            .call_path = point->call_path, .peer = point->instance, .delay = HD_DELAY_NONE };
    hd_sync_group group = { .number = point->number, .delayer = point->delayer, .list = point->has_tasks ? 0 : HD_NONE,
                            .root = point->n_threads };

    switch (point->kind) {
    case HD_TEAM_BARRIER:
        sync.delay = HD_DELAY_OMP_BARRIER;
        if (point->after_enter > 0) { /* a difference that does not fit is none */
            bool fits  = point->after_enter < (hd_span)HD_NONE;
            group.list = fits ? (uint32_t)point->after_enter : HD_NONE;
            sync.enter = fits ? sync.enter : sync.enter - (hd_time)point->after_enter;
        }
        hd_syncs_add_group(syncs, &sync, group);
        return;
    case HD_TEAM_PARALLEL:
        sync.partner_thread = (uint16_t)point->count;
        hd_syncs_add_group(syncs, &sync, group);
        return;
    case HD_TEAM_IDLE:
        sync.partner = point->count;
        break;
    case HD_TEAM_RELEASE:
    case HD_TEAM_LOCK_WAIT:
        sync.delay = (uint8_t)point->delay;
        sync.peer  = point->number;
        break;
    case HD_TEAM_JOIN:
    case HD_TEAM_LEAVE:
        break;
    }
    hd_syncs_add(syncs, &sync);
}

void
hd_sync_add_time_move(void *agents_, const hd_time_move *move)
{
    hd_agent *agents = agents_;
    hd_syncs *syncs  = &agents[move->thread].syncs;

    HD_SCRATCH_PUSH(syncs->scratch, syncs->moves, syncs->n_moves, syncs->capacity_moves, *move);
}

static int
compare_requests(const void *left, const void *right)
{
    const hd_sync_told *a = left, *b = right;

    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->post != b->post)
        return a->post < b->post ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Sends by their order, then requests by the time at which they were posted: nearly the order in which they were received. Orders are
 * those of the op log, so they are counted instead of compared. Returns the number of sends. */
static size_t
sort_told(hd_scratch *scratch, hd_sync_told **told, size_t n)
{
    hd_sync_told *sorted = hd_scratch_realloc(scratch, NULL, n, sizeof *sorted), *all = *told;
    uint32_t      last   = 0, *places[2];
    size_t        place = 0, n_sends = 0;

    for (size_t i = 0; i < n; i++)
        last = all[i].order > last ? all[i].order : last;
    for (int kind = 0; kind < 2; kind++)
        places[kind] = hd_scratch_alloc(scratch, (size_t)last + 1, sizeof(uint32_t));
    for (size_t i = 0; i < n; i++)
        places[all[i].kind == HD_SYNC_REQUEST][all[i].order]++;
    for (int kind = 0; kind < 2; kind++) {
        n_sends = kind == 1 ? place : 0;
        for (uint32_t order = 0; order <= last; order++) {
            uint32_t count = places[kind][order];

            places[kind][order] = (uint32_t)place;
            place += count;
        }
    }
    for (size_t i = 0; i < n; i++)
        sorted[places[all[i].kind == HD_SYNC_REQUEST][all[i].order]++] = all[i];
    hd_scratch_free(scratch, places[0]);
    hd_scratch_free(scratch, places[1]);
    hd_scratch_free(scratch, all);
    *told = sorted;
    HD_SORT_NEARLY(hd_sync_told, sorted + n_sends, n - n_sends, compare_requests);
    return n_sends;
}

static void
add_told(hd_syncs *syncs, const hd_sync_told *told, const hd_call *call)
{
    hd_syncs_add(syncs, &(hd_sync){ .kind = told->kind, .delay = HD_DELAY_NONE, .enter = call->enter, .call_path = call->call_path,
                                    .pruned = hd_span_between(call->enter, hd_time_min(told->leave, call->leave)),
                                    .order = told->order, .peer = told->peer, .partner = told->partner,
                                    .partner_thread = told->partner_thread });
}

/* The request of a receive that was posted as number `post` at that time, or, HD_NONE, of the blocking one with that order; NULL: there
 * is none, or it was taken. */
static hd_sync_told *
find_request(hd_sync_told *requests, size_t n, hd_time place, uint32_t post, uint32_t order)
{
    hd_sync_told wanted = { .place = place, .post = post, .order = post == HD_NONE ? order : 0 };
    size_t       low = 0, high = n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (compare_requests(&requests[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || requests[low].place != place || requests[low].post != post || (post == HD_NONE && requests[low].order != order) ||
        requests[low].kind != HD_SYNC_REQUEST)
        return NULL;
    return &requests[low];
}

/* order: of the record that posted the receive. request: NULL: nobody waited for it. */
static void
complete_request(hd_replay_host *rh, hd_host *host, hd_syncs *syncs, const hd_call *call, uint32_t order, hd_sync_told *request)
{
    hd_sync_told posted;

    if (request == NULL)
        return;
    posted        = *request;
    posted.order  = order;
    request->kind = HD_SYNC_END; /* taken: in a damaged archive two posts may have the same number */
    tell(rh, host, HD_ITEM_SYNC_LEAVE,
         &(hd_sync_item){ .process = request->peer, .thread = request->partner_thread, .order = order, .index = request->partner,
                          .leave = call->leave });
    add_told(syncs, &posted, call);
}

static bool
is_post(const hd_op *op)
{
    return op->kind == HD_OP_POST && (op->flags & HD_OP_COLLECTIVE) == 0;
}

/* Requests whose call is not on this location (another thread posted the receive) are left out. */
void
hd_sync_complete(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_syncs     *syncs = &agent->syncs;
    size_t        n_told, n_sends, n_requests, i_send = 0, i_request = 0;
    hd_sync_told *sends = hd_syncs_take_told(syncs, &n_told), *requests;
    uint32_t      order = 0;
    hd_cursor     cursor;
    hd_op         op;

    syncs->n_own = syncs->n;
    n_sends       = sort_told(syncs->scratch, &sends, n_told);
    requests   = sends + n_sends;
    n_requests = n_told - n_sends;
    hd_cursor_init(&cursor, &agent->location->log);
    while ((i_send < n_sends || i_request < n_requests || rh->replay->compat) && hd_cursor_call(&cursor)) {
        while (i_request < n_requests && requests[i_request].place < cursor.call.enter)
            i_request++;
        if (!rh->replay->compat && !(i_request < n_requests && requests[i_request].place == cursor.call.enter)) {
            order += cursor.n_left; /* the records themselves do not matter */
            for (; i_send < n_sends && sends[i_send].order <= order; i_send++)
                add_told(syncs, &sends[i_send], &cursor.call);
            hd_cursor_skip(&cursor);
            continue;
        }
        while (cursor.n_left > 0) {
            hd_cursor_op(&cursor, &op);
            order++;
            while (i_send < n_sends && sends[i_send].order == order) /* a window's call may have kept several waiting */
                add_told(syncs, &sends[i_send++], &cursor.call);
            if (rh->replay->compat && is_post(&op))
                hd_syncs_add(syncs, &(hd_sync){ .kind = HD_SYNC_EDGE, .delay = HD_DELAY_NONE, .enter = cursor.call.enter,
                                                .order = order, .call_path = cursor.call.call_path });
            if (i_request < n_requests && requests[i_request].place == cursor.call.enter &&
                (is_post(&op) || (op.kind == HD_OP_RECV && (op.flags & HD_OP_NONBLOCKING) == 0)))
                complete_request(rh, host, syncs, &cursor.call, order,
                                 find_request(requests + i_request, n_requests - i_request, cursor.call.enter, op.post, order));
        }
    }
    hd_scratch_free(syncs->scratch, sends);
}
