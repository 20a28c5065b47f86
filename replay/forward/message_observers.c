/* replay/forward/message_observers.c: passes each message on to the patterns of other components, with the wait that
 * was booked for it. Messages of a call that completes several are kept until the call is left, as the longest wait is
 * known only then. */
#include "message_observers.h"

typedef struct kept_message { /* of a call that completes several, until it is known which of them was booked */
    uint64_t bytes;
    uint32_t peer, order;
} kept_message;

typedef struct observers { /* of a location */
    char         *states; /* of the request's message patterns, one after the other; NULL until the first message */
    kept_message *kept;   /* [n_kept] received in the current call */
    size_t        n_kept, capacity_kept;
} observers;

static bool
is_wanted(const hd_replay *replay)
{
    return replay->request->n_messages > 0;
}

static void
make_states(const hd_replay_request *request, observers *all)
{
    size_t bytes = 0;

    if (all->states != NULL)
        return;
    for (size_t i = 0; i < request->n_messages; i++)
        bytes += request->messages[i].state_bytes;
    all->states = hd_alloc(bytes + 1, 1);
}

static hd_message_event
message_of(const hd_p2p_event *event, bool is_send, uint32_t peer, uint32_t node)
{
    return (hd_message_event){ .process = event->vproc->process_id, .peer = peer, .call_path = node, .is_send = is_send,
                               .is_outside = hd_node_is_outside(event->rh->replay, node) };
}

static void
notify(const hd_p2p_event *event, observers *all, bool is_send, uint32_t peer, uint64_t bytes, hd_span wait)
{
    const hd_replay_request *request = event->rh->replay->request;
    hd_message_event         message = message_of(event, is_send, peer, event->vproc->cursor.call.call_path);
    size_t                   at      = 0;

    message.bytes = bytes;
    message.wait  = wait;
    make_states(request, all);
    for (size_t i = 0; i < request->n_messages; at += request->messages[i++].state_bytes)
        request->messages[i].message(request->messages[i].context, all->states + at, &event->vproc->severities,
                                     &message);
}

static void
observe_send(hd_p2p_event *event, void *state)
{
    const hd_op *op = &event->vproc->op;

    notify(event, state, true, event->vproc->location->log.channels[op->channel].peer, op->sent, 0);
}

/* Of a call that completes several: the one with the longest wait is booked, so they are notified when it is left. */
static void
observe_receive(hd_p2p_event *event, void *state)
{
    observers *all   = state;
    hd_vproc  *vproc = event->vproc;
    uint32_t   peer  = vproc->location->log.channels[vproc->op.channel].peer;

    if (vproc->cursor.call.group != HD_CALL_WAIT_MULTI) {
        notify(event, all, false, peer, event->message->bytes, event->late_sender);
        return;
    }
    HD_PUSH(all->kept, all->n_kept, all->capacity_kept,
            ((kept_message){ .bytes = event->message->bytes, .peer = peer, .order = vproc->order }));
    vproc->wants_leave = true;
}

static void
leave(hd_p2p_event *event, void *state)
{
    observers *all = state;

    for (size_t i = 0; i < all->n_kept; i++) {
        bool is_booked = event->late_sender > 0 && event->late_sender_order == all->kept[i].order;

        notify(event, all, false, all->kept[i].peer, all->kept[i].bytes, is_booked ? event->late_sender : 0);
    }
    all->n_kept = 0;
}

static void
observe_late_receiver(hd_p2p_event *event, void *state)
{
    const hd_replay_request *request = event->rh->replay->request;
    observers               *all     = state;
    hd_message_event         message = message_of(event, true, event->late_receiver->peer, event->late_receiver->node);
    size_t                   at      = 0;

    message.wait = event->late_receiver->time;
    make_states(request, all);
    for (size_t i = 0; i < request->n_messages; at += request->messages[i++].state_bytes)
        if (request->messages[i].late_receiver != NULL)
            request->messages[i].late_receiver(request->messages[i].context, all->states + at,
                                               &event->vproc->severities, &message);
}

static void
finish(hd_p2p_event *event, void *state)
{
    const hd_replay_request *request = event->rh->replay->request;
    observers               *all     = state;
    size_t                   at      = 0;

    for (size_t i = 0; all->states != NULL && i < request->n_messages; at += request->messages[i++].state_bytes)
        if (request->messages[i].finish != NULL)
            request->messages[i].finish(request->messages[i].context, all->states + at, &event->vproc->severities);
    free(all->states);
    free(all->kept);
}

const hd_forward_pattern hd_message_observers_pattern = {
    .state_bytes = sizeof(observers), .is_wanted = is_wanted, .on_send = observe_send, .on_receive = observe_receive,
    .on_late_receiver = observe_late_receiver, .on_leave = leave, .on_finish = finish
};
