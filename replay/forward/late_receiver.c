/* replay/forward/late_receiver.c: Late Receiver. Only the receiver knows both times, but the send is waited for
 * elsewhere: the receiver sends an item, and of a call that completes several sends the longest wait is booked when
 * the call is left. */
#include "late_receiver.h"

#include "recent_posts.h"
#include "sync_notify.h"

typedef struct late_receiver_item { /* to the sender */
    uint32_t process, thread, call_path, call, number, is_empty; /* process, thread: of the call that waited */
    hd_span  wait;
    hd_time  enter, leave;   /* of the call that waited */
    uint32_t receiver, receiver_thread, receiver_order, post; /* the receive, see hd_op */
    hd_sync_call posted;     /* the call that posted it, and receiver_order of that record, if it is known */
} late_receiver_item;

typedef struct multi_wait { /* of one call that completes several sends */
    hd_span  wait;                 /* the largest */
    uint32_t number : 30;          /* of its completion, the lowest among equals */
    uint32_t is_empty : 1;
    uint32_t receiver, receiver_thread, receiver_order, post; /* who made it wait */
    uint32_t call_path;            /* of the call that posted the receive; HD_NONE: it is not known */
    hd_span  length;               /* of that call */
} multi_wait;

typedef struct late_receivers { /* of a location */
    uint32_t   *places; /* [log.n_send_calls] 0: nothing is known of the call, SUPPRESSED, or its place in waits, from 1
                         * on; NULL until the first */
    multi_wait *waits;  /* [n] */
    size_t      n, capacity;
} late_receivers;

#define SUPPRESSED HD_NONE /* a receive of the same call waited for its sender */

static uint32_t *
place_of(const hd_p2p_event *event, late_receivers *all, uint32_t call)
{
    if (all->places == NULL)
        all->places = hd_scratch_alloc(event->rh->replay->scratch, event->vproc->location->log.n_send_calls,
                                       sizeof *all->places);
    return &all->places[call];
}

/* A wait with what ended it. */
typedef struct found_wait {
    hd_wait  wait;
    bool     is_empty;
    uint32_t receiver_order, post; /* the receive, see hd_op */
    hd_sync_call posted;           /* the call that posted it */
} found_wait;

/*   sender    ─────[ send·············]──
 *   receiver  ───────────[ recv ]────────      waiting = recv.enter - send.enter, if send.enter < recv.enter <
 *                                              send.leave
 *                  |<--->|                     docs/metrics.md#late-receiver
 * send: the call that completes it; recv: the call that posted the receive. Booked by the sender. */
static void
book(hd_p2p_event *event, const found_wait *found)
{
    const hd_wait *wait       = &found->wait;
    hd_severities *severities = &event->vproc->severities;
    hd_p2p_event   notified       = *event;

    hd_vproc_book_wait(event->vproc, HD_METRIC_mpi_latereceiver, wait->node, wait->from, wait->time);
    hd_severity_add(severities, found->is_empty ? HD_METRIC_mpi_slr_count : HD_METRIC_mpi_clr_count, wait->node, 1);
    if (HD_UNLIKELY(event->rh->statistics != NULL))
        hd_vproc_note(event->rh, event->vproc, wait);
    notified.late_receiver = wait;
    hd_patterns_notify(&event->rh->replay->hooks->late_receiver, &notified);
    hd_sync_late_receiver(event->rh, event->worker, event->vproc,
                          &(hd_sync){ .enter = wait->enter, .wait = wait->time,
                                      .pruned = hd_span_between(wait->enter, wait->leave),
                                      .call_path = wait->node, .peer = wait->peer, .partner = found->receiver_order,
                                      .partner_thread = (uint16_t)wait->peer_thread },
                          &found->posted, found->post);
}

/* The receiver found it: event->vproc is the sender. Of a call that completes several sends the longest wait counts,
 * when all are known. */
static void
take(hd_p2p_event *event, void *state, const void *data)
{
    const late_receiver_item *item = data;
    late_receivers           *all  = state;
    uint32_t                 *place;
    multi_wait               *late;

    if (item->call == HD_NONE) {
        book(event, &(found_wait){ .wait =
            { .metric = HD_METRIC_mpi_latereceiver, .node = item->call_path, .enter = item->enter,
              .leave = item->leave, .from = item->enter, .time = item->wait, .peer = item->receiver,
              .peer_thread = item->receiver_thread },
                                   .is_empty = item->is_empty != 0, .receiver_order = item->receiver_order,
                                   .post = item->post, .posted = item->posted });
        return;
    }
    place = place_of(event, all, item->call);
    if (*place == SUPPRESSED)
        return;
    if (*place == 0) {
        HD_SCRATCH_PUSH(event->rh->replay->scratch, all->waits, all->n, all->capacity, ((multi_wait){ .wait = 0 }));
        *place = (uint32_t)all->n;
    }
    late = &all->waits[*place - 1];
    if (item->wait > late->wait || (item->wait == late->wait && (item->number & 0x3fffffff) < late->number)) {
        late->wait            = item->wait;
        late->number          = item->number & 0x3fffffff;
        late->is_empty        = item->is_empty != 0;
        late->receiver        = item->receiver;
        late->receiver_thread = item->receiver_thread;
        late->receiver_order  = item->receiver_order;
        late->post            = item->post;
        late->length          = hd_span_between(item->posted.enter, item->posted.leave);
        late->call_path       = item->posted.call_path;
    }
}

/* The call that posted the receive on this thread, in nearly all cases. */
static __attribute__((noinline)) void
find_post(hd_vproc *vproc, late_receiver_item *item)
{
    const hd_recent_post *found = hd_recent_posts_find(&vproc->posts, vproc->op.begin, vproc->op.post);

    if (found == NULL)
        return;
    item->receiver_order = found->order;
    item->posted         = (hd_sync_call){ .enter = found->enter, .leave = found->enter + found->length,
                                           .call_path = found->call_path };
}

static void
receive(hd_p2p_event *event, void *state)
{
    const hd_message  *message = event->message;
    const hd_vproc    *vproc   = event->vproc;
    late_receiver_item item;

    (void)state;
    if (message->done_call_path == HD_NONE ||
        !(message->done_enter < vproc->op.begin && vproc->op.begin < message->done_leave))
        return;
    item.call_path       = message->done_call_path;
    item.process         = vproc->location->log.channels[vproc->op.channel].peer;
    item.thread          = message->done_thread;
    item.call            = message->done_call;
    item.number          = message->done_number;
    item.is_empty        = message->bytes == 0;
    item.wait            = hd_span_between(message->done_enter, vproc->op.begin);
    item.enter           = message->done_enter;
    item.leave           = message->done_leave;
    item.receiver        = vproc->process_id;
    item.receiver_thread = vproc->thread;
    item.receiver_order  = vproc->order;
    item.post            = vproc->op.post;
    item.posted          = (hd_sync_call){ .call_path = HD_NONE };
    if ((vproc->op.flags & HD_OP_NONBLOCKING) == 0)
        item.posted = (hd_sync_call){ .enter = vproc->cursor.call.enter, .leave = vproc->cursor.call.leave,
                                      .call_path = vproc->cursor.call.call_path };
    else if (event->rh->replay->goes_back && vproc->op.post != HD_NONE)
        find_post(event->vproc, &item);
    hd_pattern_notify_peer(event, &item, sizeof item);
}

/* A call that waited for a send does not wait for a receiver, too. */
static void
leave(hd_p2p_event *event, void *state)
{
    uint32_t call = event->vproc->cursor.call.send_call;

    if (event->late_sender > 0 && call != HD_NONE)
        *place_of(event, state, call) = SUPPRESSED;
}

static void
finish(hd_p2p_event *event, void *state)
{
    late_receivers *all = state;
    const hd_oplog *log = &event->vproc->location->log;

    for (size_t i = 0; all->places != NULL && i < log->n_send_calls; i++) {
        const multi_wait *late;
        hd_send_call      call;
        hd_time           posted;

        if (all->places[i] == 0 || all->places[i] == SUPPRESSED)
            continue;
        call   = hd_send_calls_get(&log->send_calls, i);
        late   = &all->waits[all->places[i] - 1];
        posted = call.enter + (hd_time)late->wait;
        if (late->wait > 0)
            book(event, &(found_wait){ .wait =
                { .metric = HD_METRIC_mpi_latereceiver, .node = call.call_path, .enter = call.enter,
                  .leave = call.leave, .from = call.enter, .time = late->wait, .peer = late->receiver,
                  .peer_thread = late->receiver_thread },
                                       .is_empty = late->is_empty, .receiver_order = late->receiver_order,
                                       .post = late->post,
                                       .posted = { .enter = posted, .leave = posted + (hd_time)late->length,
                                                   .call_path = late->call_path } });
    }
    hd_scratch_free(event->rh->replay->scratch, all->places);
    hd_scratch_free(event->rh->replay->scratch, all->waits);
}

const hd_forward_pattern hd_late_receiver_pattern =
    { .state_bytes = sizeof(late_receivers), .on_receive = receive, .on_leave = leave,
      .on_item = take, .on_finish = finish };

_Static_assert(sizeof(late_receiver_item) % 8 == 0, "items are whole words");
