#include "sync_complete.h"

#include "sort.h"
#include "sync_notify.h"

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
    hd_sync_tell(rh, host, HD_ITEM_SYNC_LEAVE,
                 &(hd_sync_item){ .process = request->peer, .thread = request->partner_thread, .order = order, .index = request->partner,
                                  .leave = call->leave });
    add_told(syncs, &posted, call);
}

static bool
is_post(const hd_op *op)
{
    return op->kind == HD_OP_POST && (op->flags & HD_OP_COLLECTIVE) == 0;
}

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
