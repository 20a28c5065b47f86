/* replay/forward/late_sender.c: Late Sender and messages in wrong order. A Late Sender is in wrong order if a message
 * that was sent earlier is received after it, so each is kept on a stack, by the time of its send, until such a
 * message comes. */
#include "late_sender.h"

#include "record_run.h"
#include "sync_notify.h"

typedef struct late_sender { /* one that waits to be known as in order or not (docs/metrics.md#wrong-order) */
    hd_time  sent;
    hd_span  wait;
    uint32_t call_path;
    uint32_t source : 31;  /* process; with compat the rank in the communicator */
    uint32_t is_empty : 1; /* a message of 0 bytes */
} late_sender;

typedef struct late_sender_call { /* of a pending Late Sender, for statistics */
    hd_time  enter, leave;
    uint32_t peer, peer_thread;
} late_sender_call;

typedef struct worst_sender {
    late_sender  late;
    hd_sync      sync; /* the same as a synchronization point */
    hd_sync_call send; /* and the call of its send */
} worst_sender;

typedef struct late_sender_calls {
    late_sender_call *rows; /* [n] of the pending ones */
    size_t            n, capacity;
} late_sender_calls;

typedef struct late_senders { /* of a location */
    worst_sender      *worst;     /* of the current MPI_Waitall; late.wait == 0: none; NULL until the first one */
    size_t             n_pending;
    late_sender_calls *calls;     /* only for statistics; NULL: there was none yet */
    union {
        struct {
            late_sender   top;    /* the pending one whose message was sent last, where n_pending > 0 */
            hd_record_run below;  /* those below it, see push() */
        };
        struct {                  /* with compat */
            late_sender *recent;  /* [n_pending] at most 100, in order of occurrence */
            size_t       capacity_recent;
        };
    };
} late_senders;

enum { LATE_BYTES_MAX = 2 * HD_NUMBER_BYTES_MAX + 2 * 5 + 1 };

/* Below the new one is the one before, as numbers (bytes.h):
 *
 *   sent, difference to the one above · wait · call path · source << 1 | is_empty       and a byte: their length */
static void
push(late_senders *all, const late_sender *late)
{
    const late_sender *top = &all->top;
    uint8_t            buffer[LATE_BYTES_MAX], *begin, *at;

    if (all->n_pending++ > 0) {
        at = begin = hd_record_run_room(&all->below, LATE_BYTES_MAX, buffer);
        at = hd_bytes_write_difference(at, top->sent, late->sent);
        at = hd_bytes_write_number(at, (uint64_t)top->wait);
        at = hd_bytes_write_number(at, top->call_path);
        at = hd_bytes_write_number(at, (uint64_t)top->source << 1 | top->is_empty);
        *at = (uint8_t)(at - begin);
        hd_record_run_put(&all->below, begin, (size_t)(at + 1 - begin));
    }
    all->top = *late;
}

static void
pop(late_senders *all)
{
    const uint8_t *end, *begin, *at;
    uint32_t       number, source;

    if (--all->n_pending == 0)
        return;
    end   = hd_record_run_top(&all->below);
    begin = at = end - 1 - end[-1];
    all->top.sent      = hd_bytes_get_difference(&at, all->top.sent);
    all->top.wait      = (hd_span)hd_bytes_get_number(&at);
    all->top.call_path = (uint32_t)hd_bytes_get_number(&at);
    number             = (uint32_t)hd_bytes_get_number(&at);
    source             = number >> 1;
    all->top.source    = source & INT32_MAX;
    all->top.is_empty  = number & 1;
    hd_record_run_pop(&all->below, begin);
}

/* late: pending, i: its place among them. detail_call_path: where the split by source and the count go: the late
 * receive's own, but for scout 2.6 (see below). */
static void
book_wrong_order(hd_p2p_event *event, const late_senders *all, const late_sender *late, size_t i, uint32_t source,
                 uint32_t detail_call_path)
{
    hd_severity_add(&event->vproc->severities, HD_METRIC_mpi_latesender_wo, late->call_path, late->wait);
    hd_severity_add(&event->vproc->severities,
                    late->source == source ? HD_METRIC_mpi_lswo_same : HD_METRIC_mpi_lswo_different,
                    detail_call_path, late->wait);
    hd_severity_add(&event->vproc->severities, late->is_empty ? HD_METRIC_mpi_slswo_count : HD_METRIC_mpi_clswo_count,
                    detail_call_path, 1);
    if (HD_UNLIKELY(all->calls != NULL)) {
        const late_sender_call *call = &all->calls->rows[i];

        hd_vproc_note(event->rh, event->vproc,
                      &(hd_wait){ .metric = HD_METRIC_mpi_latesender_wo, .node = late->call_path, .enter = call->enter,
                                  .leave = call->leave, .from = call->enter, .time = late->wait, .peer = call->peer,
                                  .peer_thread = call->peer_thread });
    }
}

/* A message sent at `sent` is received now: the Late Senders whose message was sent after it were received too early.
 * Those that are left are in ascending order of their send times, so they are on top of the stack. */
static void
classify_pending(hd_p2p_event *event, late_senders *all, hd_time sent, uint32_t source)
{
    while (all->n_pending > 0 && all->top.sent > sent) {
        book_wrong_order(event, all, &all->top, all->n_pending - 1, source, all->top.call_path);
        pop(all);
    }
}

#define COMPAT_PENDING 100 /* scout 2.6 keeps as many */

/* Where several of them are in one receive, scout 2.6 books all details at the call path of the oldest. */
static void
classify_pending_compat(hd_p2p_event *event, late_senders *all, hd_time sent, uint32_t source)
{
    uint32_t oldest = HD_NONE;
    size_t   n_left = 0;

    for (size_t i = 0; i < all->n_pending; i++)
        if (all->recent[i].sent > sent) {
            oldest = oldest == HD_NONE ? all->recent[i].call_path : oldest;
            book_wrong_order(event, all, &all->recent[i], i, source, oldest);
        } else {
            if (all->calls != NULL)
                all->calls->rows[n_left] = all->calls->rows[i];
            all->recent[n_left++] = all->recent[i];
        }
    all->n_pending = n_left;
}

static void
note_late_sender(hd_p2p_event *event, late_senders *all, const hd_sync *sync)
{
    hd_wait wait = { .metric = HD_METRIC_mpi_latesender, .node = sync->call_path, .enter = sync->enter,
                     .leave = event->vproc->cursor.call.leave,
                     .from = sync->enter, .time = sync->wait, .peer = sync->peer, .peer_thread = sync->partner_thread };

    hd_vproc_note(event->rh, event->vproc, &wait);
    if (all->calls == NULL)
        all->calls = HD_NEW(late_sender_calls);
    all->calls->n = all->n_pending;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): with room for as many as pending */
    HD_SCRATCH_PUSH(event->rh->replay->scratch, all->calls->rows, all->calls->n, all->calls->capacity,
                    ((late_sender_call){ wait.enter, wait.leave, wait.peer, wait.peer_thread }));
}

/*   sender    ────────[ send ]──
 *   receiver  ──[ recv······ ]──               waiting = min(send.enter, recv.leave) - recv.enter, if positive
 *               |<--->|                        docs/metrics.md#late-sender */
static void
book_late_sender(hd_p2p_event *event, late_senders *all, const late_sender *late, const hd_sync *sync,
                 const hd_sync_call *send)
{
    hd_vproc_book_wait(event->vproc, HD_METRIC_mpi_latesender, late->call_path, sync->enter, late->wait);
    hd_severity_add(&event->vproc->severities, late->is_empty ? HD_METRIC_mpi_sls_count : HD_METRIC_mpi_cls_count,
                    late->call_path, 1);
    if (event->rh->replay->compat && all->n_pending == COMPAT_PENDING) {
        memmove(all->recent, all->recent + 1, (COMPAT_PENDING - 1) * sizeof *all->recent);
        if (all->calls != NULL)
            memmove(all->calls->rows, all->calls->rows + 1, (COMPAT_PENDING - 1) * sizeof *all->calls->rows);
        all->n_pending--;
    }
    if (HD_UNLIKELY(event->rh->statistics != NULL))
        note_late_sender(event, all, sync);
    if (event->rh->replay->compat)
        HD_SCRATCH_PUSH(event->rh->replay->scratch, all->recent, all->n_pending, all->capacity_recent, *late);
    else {
        all->below.scratch = event->rh->replay->scratch;
        push(all, late);
    }
    hd_sync_late_sender(event->rh, event->worker, event->vproc, sync, send);
}

/* The waiting time, if it is booked now. */
static hd_span
detect_late_sender(hd_p2p_event *event, late_senders *all, uint32_t source)
{
    const hd_call *call = &event->vproc->cursor.call;
    hd_sync_call   send;
    hd_span        wait = hd_span_between(call->enter, hd_time_min(event->message->enter, call->leave));
    late_sender    late;
    hd_sync        sync;

    if (wait <= 0 || call->group == HD_CALL_TEST ||
        (call->group == HD_CALL_WAIT_MULTI && all->worst != NULL && wait <= all->worst->late.wait))
        return 0;
    late = (late_sender){ .sent = event->message->time, .wait = wait, .call_path = call->call_path,
                          .source = source & INT32_MAX, .is_empty = event->message->bytes == 0 };
    sync = (hd_sync){ .enter = call->enter, .wait = late.wait, .call_path = call->call_path,
                      .order = event->vproc->order,
                      .peer = event->vproc->location->log.channels[event->vproc->op.channel].peer,
                      .partner = event->message->order, .partner_thread = (uint16_t)event->message->thread,
                      .pruned = hd_span_between(call->enter, hd_time_min(call->leave, event->message->leave)) };
    send = (hd_sync_call){ .enter = event->message->enter, .leave = event->message->leave,
                           .call_path = event->message->call_path };
    if (call->group != HD_CALL_WAIT_MULTI) {
        book_late_sender(event, all, &late, &sync, &send);
        return late.wait;
    }
    if (HD_UNLIKELY(all->worst == NULL))
        all->worst = HD_NEW(worst_sender);
    *all->worst               = (worst_sender){ late, sync, send };
    event->vproc->wants_leave = true;
    return 0;
}

static void
receive(hd_p2p_event *event, void *state)
{
    const hd_channel *channel = &event->vproc->location->log.channels[event->vproc->op.channel];
    bool              compat  = event->rh->replay->compat;
    uint32_t          source  = compat ? channel->peer_rank : channel->peer;

    if (compat)
        classify_pending_compat(event, state, event->message->time, source);
    else
        classify_pending(event, state, event->message->time, source);
    event->late_sender = detect_late_sender(event, state, source);
}

/* Of a call that completes several receives the one with the longest wait is booked. */
static void
leave(hd_p2p_event *event, void *state)
{
    late_senders *all   = state;
    worst_sender *worst = all->worst;

    if (worst == NULL || worst->late.wait <= 0)
        return;
    book_late_sender(event, all, &worst->late, &worst->sync, &worst->send);
    event->late_sender       = worst->late.wait;
    event->late_sender_order = worst->sync.order;
    event->late_sender_peer  = worst->sync.peer;
    worst->late.wait         = 0;
}

static void
finish(hd_p2p_event *event, void *state)
{
    late_senders *all = state;

    if (event->rh->replay->compat)
        hd_scratch_free(event->rh->replay->scratch, all->recent);
    else
        hd_record_run_fini(&all->below);
    if (all->calls != NULL)
        hd_scratch_free(event->rh->replay->scratch, all->calls->rows);
    free(all->calls);
    free(all->worst);
}

const hd_forward_pattern hd_late_sender_pattern =
    { .state_bytes = sizeof(late_senders), .on_receive = receive, .on_leave = leave,
      .on_finish = finish };
