/* replay/sync/sync_complete.c: a second pass over the op log of a location, up to the last call of which something is
 * to be known. Notifications of receives that were posted before do not say where, if that was longer ago than
 * recent_posts.h goes back. */
#include "sync_complete.h"

#include "call_walk.h"
#include "sort.h"
#include "sync_notify.h"

static int
compare_requests(const void *left, const void *right)
{
    const hd_sync_notification *a = left, *b = right;

    if (a->enter != b->enter)
        return a->enter < b->enter ? -1 : 1;
    if (a->post != b->post)
        return a->post < b->post ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void
add_request(hd_syncs *syncs, const hd_sync_notification *request, const hd_call_walk *call, uint32_t order)
{
    hd_syncs_add_notified(syncs, &(hd_sync){
        .kind = HD_SYNC_REQUEST, .delay = HD_DELAY_NONE, .enter = call->enter, .call_path = call->call_path,
        .pruned = hd_span_between(call->enter, hd_time_min(request->leave, call->leave)),
        .order = order, .peer = request->peer, .partner_thread = request->partner_thread });
}

/* The request of a receive that was posted as number `post` at that time, or, HD_NONE, of the blocking one with that
 * order; NULL: there is none, or it was taken. */
static hd_sync_notification *
find_request(hd_sync_notification *requests, size_t n, hd_time enter, uint32_t post, uint32_t order)
{
    hd_sync_notification wanted = { .enter = enter, .post = post, .order = post == HD_NONE ? order : 0 };
    size_t               low = 0, high = n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (compare_requests(&requests[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || requests[low].enter != enter || requests[low].post != post ||
        (post == HD_NONE && requests[low].order != order) || requests[low].is_taken)
        return NULL;
    return &requests[low];
}

/* The op log of a location, gone through once more, and notifications of other locations about its records. */
typedef struct completion {
    hd_replay_worker     *rh;
    hd_worker            *worker;
    hd_syncs             *syncs;
    hd_call_walk          call;
    hd_cursor             cursor;                     /* over its records, where they matter */
    uint32_t              order;                      /* of the last record of the log that was passed */
    hd_sync_notification *requests, *end_of_requests; /* not passed yet, by the time at which their call was
                                                         * entered */
} completion;

/* The current record posted this receive: the sender that waited learns when its call was left. */
static void
complete_request(completion *c, hd_sync_notification *request)
{
    const hd_call_walk *call = &c->call;

    request->is_taken = true; /* in a damaged archive two posts may have the same number */
    hd_sync_notify(c->rh, c->worker, HD_ITEM_SYNC_LEAVE,
                   &(hd_sync_item){ .process = request->peer, .thread = request->partner_thread, .order = c->order,
                                  .index = request->partner, .leave = call->leave });
    add_request(c->syncs, request, call, c->order);
}

static bool
is_post(const hd_op *op)
{
    return op->kind == HD_OP_POST && (op->flags & HD_OP_COLLECTIVE) == 0;
}

static bool
posts_receive(const hd_op *op)
{
    return is_post(op) || (op->kind == HD_OP_RECV && (op->flags & HD_OP_NONBLOCKING) == 0);
}

static bool
has_request(const completion *c)
{
    return c->requests < c->end_of_requests && c->requests->enter == c->call.enter;
}

static void
pass_record(completion *c, const hd_op *op)
{
    const hd_call_walk   *call = &c->call;
    hd_sync_notification *request;

    if (c->rh->replay->compat && is_post(op)) /* scout 2.6 has a point there, even if the receiver did not wait */
        hd_syncs_add_notified(c->syncs, &(hd_sync){ .kind = HD_SYNC_EDGE, .delay = HD_DELAY_NONE, .enter = call->enter,
                                                    .order = c->order, .call_path = call->call_path });
    if (!has_request(c) || !posts_receive(op))
        return;
    request = find_request(c->requests, (size_t)(c->end_of_requests - c->requests), call->enter, op->post, c->order);
    if (request != NULL)
        complete_request(c, request);
}

static void
pass_call(completion *c)
{
    hd_op op;

    while (c->requests < c->end_of_requests && c->requests->enter < c->call.enter)
        c->requests++;
    if (!c->rh->replay->compat && !has_request(c)) { /* the records themselves do not matter */
        c->order += c->call.n_records;
        return;
    }
    hd_call_walk_open(&c->call, &c->cursor);
    while (c->cursor.n_left > 0) {
        hd_cursor_op(&c->cursor, &op);
        c->order++;
        pass_record(c, &op);
    }
}

/* The next call of which something is to be known: most are passed over. False: there is none. */
static inline bool
find_call(completion *c)
{
    hd_call_walk call       = c->call; /* a copy, which stays in registers */
    uint32_t     order      = c->order;
    uint64_t     next_enter = c->requests < c->end_of_requests ? c->requests->enter : UINT64_MAX;
    bool         is_found;

    if (HD_UNLIKELY(c->rh->replay->compat))
        next_enter = 0;
    else if (next_enter == UINT64_MAX)
        return false;
    for (;; order += call.n_records) {
        hd_call_walk_skip(&call, next_enter, &order);
        is_found = hd_call_walk_next(&call);
        if (!is_found || call.enter >= next_enter)
            break;
    }
    c->call  = call;
    c->order = order;
    return is_found;
}

void
hd_sync_complete(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_syncs             *syncs = vproc->syncs;
    completion            c     = { .rh = rh, .worker = worker, .syncs = syncs };
    hd_sync_notification *requests;
    size_t                n;

    requests = hd_syncs_take_notifications(syncs, &n);
    if (n == 0 && !rh->replay->compat) { /* the log may be gone */
        hd_scratch_free(syncs->scratch, requests);
        return;
    }
    HD_SORT_NEARLY(hd_sync_notification, requests, n, compare_requests);
    c.requests        = requests;
    c.end_of_requests = requests + n;
    c.call            = hd_call_walk_of(&vproc->location->log);
    hd_cursor_init(&c.cursor, &vproc->location->log);
    while (find_call(&c))
        pass_call(&c);
    hd_scratch_free(syncs->scratch, requests);
}
