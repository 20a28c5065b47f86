#include "p2p.h"

#include "sync_notify.h"
#include "unfinished.h"

static hd_channel_key
send_key(const hd_agent *agent, const hd_channel *channel)
{
    return (hd_channel_key){ channel->comm, channel->tag, agent->process_id, channel->peer };
}

static hd_channel_key
receive_key(const hd_agent *agent, const hd_channel *channel)
{
    return (hd_channel_key){ channel->comm, channel->tag, channel->peer, agent->process_id };
}

void
hd_p2p_announce(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    const hd_oplog *log = &agent->location->log;

    agent->links = HD_NEW_ARRAY(hd_link, log->n_channels);
    for (size_t i = 0; i < log->n_channels; i++) {
        const hd_channel *channel = &log->channels[i];
        hd_link          *link    = &agent->links[i];

        if (channel->kind == HD_CHANNEL_RECV) {
            link->box = hd_mailbox_box(&rh->mailbox, receive_key(agent, channel));
            link->box->n_expected += channel->n;
        } else if (channel->kind == HD_CHANNEL_SEND) {
            hd_channel_count count = { .key = send_key(agent, channel), .n = channel->n };

            link->limit = HD_NONE;
            link->host  = hd_placement_host(rh->replay->request->placement, (hd_process){ channel->peer });
            if (link->host == hd_host_number(host)) {
                link->box = hd_mailbox_box(&rh->mailbox, count.key);
                link->box->n_announced += channel->n;
            } else
                hd_host_send(host, link->host, HD_ITEM_ANNOUNCE, &count, sizeof count, NULL, 0);
        }
    }
}

static uint64_t
channel_hash(uint32_t comm, uint32_t tag, uint32_t receiver)
{
    return hd_hash((uint64_t)comm << 32 | tag) ^ receiver;
}

/* Finds a send channel of an agent; the index is made when it is first asked for: nearly all messages have receivers. */
static uint32_t
send_channel(hd_agent *agent, const hd_channel_key *key)
{
    const hd_oplog *log = &agent->location->log;
    uint64_t        hash;
    uint32_t        i;

    if (agent->send_channels.slots == NULL)
        for (size_t c = 0; c < log->n_channels; c++)
            if (log->channels[c].kind == HD_CHANNEL_SEND) {
                hash = channel_hash(log->channels[c].comm, log->channels[c].tag, log->channels[c].peer);
                while (hd_table_get(&agent->send_channels, hash) != HD_NONE)
                    hash++;
                hd_table_add(&agent->send_channels, hash, (uint32_t)c);
            }
    for (hash = channel_hash(key->comm, key->tag, key->receiver); (i = hd_table_get(&agent->send_channels, hash)) != HD_NONE; hash++)
        if (log->channels[i].comm == key->comm && log->channels[i].tag == key->tag && log->channels[i].peer == key->receiver)
            return i;
    return HD_NONE;
}

/* All sending threads learn from which number on nobody receives. */
static void
limit_sends(const hd_replay *replay, const hd_channel_count *count)
{
    hd_agent *agent     = hd_replay_agent(replay, count->key.sender, 0);
    uint32_t  n_threads = agent->process->n_locations;

    for (uint32_t t = 0; t < n_threads; t++) {
        uint32_t channel = send_channel(&agent[t], &count->key);

        if (channel != HD_NONE)
            agent[t].links[channel].limit = count->n;
    }
}

void
hd_p2p_tell_unclaimed(hd_replay_host *rh, hd_host *host)
{
    for (size_t i = 0; i < rh->mailbox.n_boxes; i++) {
        const hd_box    *box   = rh->mailbox.boxes[i];
        hd_channel_count count = { .key = box->key, .n = box->n_expected };
        uint32_t         home;

        if (box->n_announced <= box->n_expected)
            continue;
        hd_unfinished_messages(rh, box);
        home = hd_placement_host(rh->replay->request->placement, (hd_process){ box->key.sender });
        if (home == hd_host_number(host))
            limit_sends(rh->replay, &count);
        else
            hd_host_send(host, home, HD_ITEM_UNCLAIMED, &count, sizeof count, NULL, 0);
    }
}

/* The number of the operation at hand in its channel; each operation asks once. */
static uint32_t
take_number(hd_agent *agent)
{
    if (HD_UNLIKELY(agent->location->log.channels[agent->op.channel].shared))
        return hd_cursor_shared_number(&agent->cursor);
    return agent->links[agent->op.channel].next++;
}

static void
put_message(hd_replay_host *rh, hd_host *host, hd_box *box, uint32_t number, const hd_message *message)
{
    uint32_t waiting;

    hd_mailbox_put(&rh->mailbox, box, number, message);
    while ((waiting = hd_box_waiting_take(&rh->mailbox, box)) != HD_NONE)
        hd_host_wake(host, waiting);
}

/* The call that completes the send at hand and can wait for the receiver, if there is one. */
static void
describe_completion(const hd_agent *agent, hd_message *message)
{
    const hd_oplog     *log        = &agent->location->log;
    const hd_op        *op         = &agent->op;
    const hd_call      *call       = &agent->cursor.call;
    hd_completion       completion = { .call = HD_COMPLETION_NONE };
    const hd_send_call *done;

    message->done_call_path = message->done_call = HD_NONE;
    if ((op->flags & HD_OP_NONBLOCKING) == 0) {
        if (call->group == HD_CALL_BLOCK_SEND) {
            message->done_enter     = call->enter;
            message->done_leave     = call->leave;
            message->done_call_path = call->call_path;
            message->done_thread    = agent->thread;
        }
        return;
    }
    completion           = log->completions[op->number];
    message->done_thread = agent->thread;
    if (completion.call == HD_COMPLETION_ELSEWHERE) {
        size_t low = 0, high = log->n_elsewhere;

        while (high - low > 1) {
            size_t middle = (low + high) / 2;

            *(log->elsewhere[middle].send <= op->number ? &low : &high) = middle;
        }
        completion           = log->elsewhere[low].completion;
        message->done_thread = log->elsewhere[low].thread;
        log                  = &agent->process->locations[message->done_thread].log;
    }
    if (completion.call == HD_COMPLETION_NONE)
        return;
    done                    = &log->send_calls[completion.call];
    message->done_enter     = done->enter;
    message->done_leave     = done->leave;
    message->done_call_path = done->call_path;
    message->done_call      = done->multi ? completion.call : HD_NONE;
    message->done_number    = completion.number;
}

static void
make_message_state(const hd_replay *replay, hd_agent *agent)
{
    if (agent->message_state == NULL)
        agent->message_state = hd_alloc(replay->message_state_bytes + 1, 1);
}

static void
tell_message(hd_replay_host *rh, hd_agent *agent, bool is_send, uint32_t peer, uint64_t bytes, hd_span wait)
{
    const hd_replay_request *request = rh->replay->request;
    uint32_t                 node    = agent->cursor.call.call_path;
    hd_message_event         event   = { .process = agent->process_id, .peer = peer, .call_path = node, .bytes = bytes, .wait = wait,
                                         .is_send = is_send, .is_outside = hd_node_is_outside(rh->replay, node) };
    size_t                   at      = 0;

    make_message_state(rh->replay, agent);
    for (size_t i = 0; i < request->n_messages; at += request->messages[i++].state_bytes)
        request->messages[i].message(request->messages[i].context, agent->message_state + at, &agent->severities, &event);
}

static void
tell_late_receiver(const hd_replay *replay, hd_agent *agent, uint32_t receiver, uint32_t call_path, hd_span wait)
{
    const hd_replay_request *request = replay->request;
    hd_message_event         event   = { .process = agent->process_id, .peer = receiver, .call_path = call_path, .wait = wait, .is_send = true,
                                         .is_outside = hd_node_is_outside(replay, call_path) };
    size_t                   at      = 0;

    make_message_state(replay, agent);
    for (size_t i = 0; i < request->n_messages; at += request->messages[i++].state_bytes)
        if (request->messages[i].late_receiver != NULL)
            request->messages[i].late_receiver(request->messages[i].context, agent->message_state + at, &agent->severities, &event);
}

/* Of a call that completes several: the one with the longest wait is booked, so they are told at its leave. */
static void
tell_received(hd_replay_host *rh, hd_agent *agent, uint64_t bytes, hd_span wait)
{
    uint32_t peer = agent->location->log.channels[agent->op.channel].peer;

    if (agent->cursor.call.group == HD_CALL_WAIT_MULTI)
        HD_PUSH(agent->multi, agent->n_multi, agent->capacity_multi,
                ((hd_multi_message){ .bytes = bytes, .peer = peer, .order = agent->order }));
    else
        tell_message(rh, agent, false, peer, bytes, wait);
}

static void
tell_multi(hd_replay_host *rh, hd_agent *agent)
{
    for (size_t i = 0; i < agent->n_multi; i++) {
        bool is_booked = agent->worst.wait > 0 && agent->worst_sync.order == agent->multi[i].order;

        tell_message(rh, agent, false, agent->multi[i].peer, agent->multi[i].bytes, is_booked ? agent->worst.wait : 0);
    }
    agent->n_multi = 0;
}

/* The message as number `number` of the channel of the operation at hand. */
static inline void
carry(hd_replay_host *rh, hd_host *host, const hd_agent *agent, hd_message_item *item, uint32_t number)
{
    const hd_link *link = &agent->links[agent->op.channel];

    if (link->box != NULL) {
        put_message(rh, host, link->box, number, &item->message);
        hd_host_count_item(host);
        return;
    }
    item->key    = send_key(agent, &agent->location->log.channels[agent->op.channel]);
    item->number = number;
    item->unused = 0;
    hd_host_send(host, link->host, HD_ITEM_MESSAGE, item, sizeof *item, NULL, 0);
}

void
hd_p2p_send(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    const hd_op      *op      = &agent->op;
    const hd_channel *channel = &agent->location->log.channels[op->channel];
    hd_link          *link    = &agent->links[op->channel];
    hd_message_item   item;
    uint32_t          number;

    if (HD_UNLIKELY((op->flags & HD_OP_NONBLOCKING) != 0 &&
                    agent->location->log.completions[op->number].call == HD_COMPLETION_CANCELLED)) {
        if (channel->shared)
            hd_cursor_shared_number(&agent->cursor);
        return;
    }
    number = take_number(agent);
    if (HD_UNLIKELY(number >= link->limit)) {
        hd_agent_finding(rh, agent, HD_FINDING_UNMATCHED_SEND, agent->cursor.call.call_path, channel->peer, channel->comm,
                         channel->tag, op->time);
        hd_unfinished_send(rh, agent);
        return;
    }
    if (HD_UNLIKELY(rh->replay->request->n_messages > 0))
        tell_message(rh, agent, true, channel->peer, op->sent, 0);
    item.message.enter  = agent->cursor.call.enter;
    item.message.leave  = agent->cursor.call.leave;
    item.message.time   = op->time;
    item.message.bytes  = op->sent;
    item.message.thread = agent->thread;
    item.message.order  = agent->order;
    describe_completion(agent, &item.message);
    carry(rh, host, agent, &item, number);
}

bool
hd_p2p_put(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_message *message)
{
    hd_message_item item   = { .message = *message };
    uint32_t        number = take_number(agent);

    if (number >= agent->links[agent->op.channel].limit)
        return false;
    carry(rh, host, agent, &item, number);
    return true;
}

/*   sender    ─────[ send·············]──
 *   receiver  ───────────[ recv ]────────      waiting = recv.enter - send.enter, if send.enter < recv.enter < send.leave
 *                  |<--->|                     docs/metrics.md#late-receiver
 * send: the call that completes it; recv: the call that posted the receive. Booked by the sender. */
static void
count_late_receiver(hd_replay_host *rh, hd_agent *agent, const hd_wait *wait, bool is_empty)
{
    hd_severity_add(&agent->severities, HD_METRIC_mpi_latereceiver, wait->node, wait->time);
    hd_severity_add(&agent->severities, is_empty ? HD_METRIC_mpi_slr_count : HD_METRIC_mpi_clr_count, wait->node, 1);
    if (HD_UNLIKELY(rh->statistics != NULL))
        hd_agent_note(rh, agent, wait);
    if (HD_UNLIKELY(rh->replay->request->n_messages > 0))
        tell_late_receiver(rh->replay, agent, wait->peer, wait->node, wait->time);
}

static void
book_late_receiver(hd_replay_host *rh, hd_host *host, const hd_late_receiver_item *item)
{
    hd_agent          *agent = hd_replay_agent(rh->replay, item->process, item->thread);
    hd_late_receivers *all;

    if (item->call == HD_NONE) {
        count_late_receiver(rh, agent,
                            &(hd_wait){ .metric = HD_METRIC_mpi_latereceiver, .node = item->call_path, .enter = item->enter,
                                        .leave = item->leave, .from = item->enter, .time = item->wait, .peer = item->receiver,
                                        .peer_thread = item->receiver_thread },
                            item->is_empty != 0);
        hd_sync_late_receiver(rh, host, agent,
                              &(hd_sync){ .enter = item->enter, .wait = item->wait, .pruned = hd_span_between(item->enter, item->leave),
                                          .call_path = item->call_path, .peer = item->receiver,
                                          .partner = item->receiver_order, .partner_thread = (uint16_t)item->receiver_thread },
                              item->post);
        return;
    }
    if (agent->late_receivers == NULL)
        agent->late_receivers = hd_scratch_alloc(rh->replay->scratch, agent->location->log.n_send_calls,
                                                 sizeof *agent->late_receivers);
    all = &agent->late_receivers[item->call];
    if (item->wait > all->wait || (item->wait == all->wait && (item->number & 0x3fffffff) < all->number)) {
        all->wait            = item->wait;
        all->number          = item->number & 0x3fffffff;
        all->is_empty        = item->is_empty != 0;
        all->receiver        = item->receiver;
        all->receiver_thread = item->receiver_thread;
        all->receiver_order  = item->receiver_order;
        all->post            = item->post;
    }
}

static void
detect_late_receiver(hd_replay_host *rh, hd_host *host, const hd_agent *agent, const hd_message *message)
{
    hd_late_receiver_item item = { .call_path = message->done_call_path };
    uint32_t              home;

    if (item.call_path == HD_NONE || !(message->done_enter < agent->op.begin && agent->op.begin < message->done_leave))
        return;
    item.process  = agent->location->log.channels[agent->op.channel].peer;
    item.thread   = message->done_thread;
    item.call     = message->done_call;
    item.number   = message->done_number;
    item.is_empty = message->bytes == 0;
    item.wait     = hd_span_between(message->done_enter, agent->op.begin);
    item.enter    = message->done_enter;
    item.leave    = message->done_leave;
    item.receiver = agent->process_id;
    item.receiver_thread = agent->thread;
    item.receiver_order  = agent->order;
    item.post            = agent->op.post;
    home          = hd_placement_host(rh->replay->request->placement, (hd_process){ item.process });
    if (home == hd_host_number(host))
        book_late_receiver(rh, host, &item);
    else
        hd_host_send(host, home, HD_ITEM_LATE_RECEIVER, &item, sizeof item, NULL, 0);
}

/* i: of the pending one. detail_call_path: where the split by source and the count go: the late receive's own, but for scout 2.6 (see below). */
static void
book_wrong_order(hd_replay_host *rh, hd_agent *agent, size_t i, uint32_t source, uint32_t detail_call_path)
{
    const hd_late_sender *late = &agent->pending[i];

    hd_severity_add(&agent->severities, HD_METRIC_mpi_latesender_wo, late->call_path, late->wait);
    hd_severity_add(&agent->severities, late->source == source ? HD_METRIC_mpi_lswo_same : HD_METRIC_mpi_lswo_different,
                    detail_call_path, late->wait);
    hd_severity_add(&agent->severities, late->is_empty ? HD_METRIC_mpi_slswo_count : HD_METRIC_mpi_clswo_count, detail_call_path, 1);
    if (HD_UNLIKELY(rh->statistics != NULL)) {
        const hd_late_sender_call *call = &agent->pending_calls[i];

        hd_agent_note(rh, agent,
                      &(hd_wait){ .metric = HD_METRIC_mpi_latesender_wo, .node = late->call_path, .enter = call->enter,
                                  .leave = call->leave, .from = call->enter, .time = late->wait, .peer = call->peer,
                                  .peer_thread = call->peer_thread });
    }
}

/* A message sent at `sent` is received now: the Late Senders whose message was sent after it were received too early. Those
 * that are left are in ascending order of their send times, so they are on top of the stack. */
static void
classify_pending(hd_replay_host *rh, hd_agent *agent, hd_time sent, uint32_t source)
{
    while (agent->n_pending > 0 && agent->pending[agent->n_pending - 1].sent > sent) {
        size_t i = --agent->n_pending;

        book_wrong_order(rh, agent, i, source, agent->pending[i].call_path);
    }
}

#define COMPAT_PENDING 100 /* scout 2.6 keeps as many */

/* Where one receive meets several of them, scout 2.6 books all details at the call path of the oldest. */
static void
classify_pending_compat(hd_replay_host *rh, hd_agent *agent, hd_time sent, uint32_t source)
{
    uint32_t oldest = HD_NONE;
    size_t   n_left = 0;

    for (size_t i = 0; i < agent->n_pending; i++)
        if (agent->pending[i].sent > sent) {
            oldest = oldest == HD_NONE ? agent->pending[i].call_path : oldest;
            book_wrong_order(rh, agent, i, source, oldest);
        } else {
            if (agent->pending_calls != NULL)
                agent->pending_calls[n_left] = agent->pending_calls[i];
            agent->pending[n_left++] = agent->pending[i];
        }
    agent->n_pending = n_left;
}

static void
note_late_sender(hd_replay_host *rh, hd_agent *agent, const hd_sync *sync)
{
    hd_wait wait = { .metric = HD_METRIC_mpi_latesender, .node = sync->call_path, .enter = sync->enter, .leave = agent->cursor.call.leave,
                     .from = sync->enter, .time = sync->wait, .peer = sync->peer, .peer_thread = sync->partner_thread };

    hd_agent_note(rh, agent, &wait);
    agent->n_pending_calls = agent->n_pending;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): with room for as many as pending */
    HD_SCRATCH_PUSH(rh->replay->scratch, agent->pending_calls, agent->n_pending_calls, agent->capacity_pending_calls,
                    ((hd_late_sender_call){ wait.enter, wait.leave, wait.peer, wait.peer_thread }));
}

/*   sender    ────────[ send ]──
 *   receiver  ──[ recv······ ]──               waiting = min(send.enter, recv.leave) - recv.enter, if positive
 *               |<--->|                        docs/metrics.md#late-sender */
static void
book_late_sender(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_late_sender *late, const hd_sync *sync)
{
    hd_severity_add(&agent->severities, HD_METRIC_mpi_latesender, late->call_path, late->wait);
    hd_severity_add(&agent->severities, late->is_empty ? HD_METRIC_mpi_sls_count : HD_METRIC_mpi_cls_count, late->call_path, 1);
    if (rh->replay->compat && agent->n_pending == COMPAT_PENDING) {
        memmove(agent->pending, agent->pending + 1, (COMPAT_PENDING - 1) * sizeof *agent->pending);
        if (agent->pending_calls != NULL)
            memmove(agent->pending_calls, agent->pending_calls + 1, (COMPAT_PENDING - 1) * sizeof *agent->pending_calls);
        agent->n_pending--;
    }
    if (HD_UNLIKELY(rh->statistics != NULL))
        note_late_sender(rh, agent, sync);
    HD_SCRATCH_PUSH(rh->replay->scratch, agent->pending, agent->n_pending, agent->capacity_pending, *late);
    hd_sync_late_sender(rh, host, agent, sync);
}

/* The waiting time, if it is booked now. */
static hd_span
detect_late_sender(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_message *message, uint32_t source)
{
    const hd_call *call = &agent->cursor.call;
    hd_late_sender late = { .sent = message->time, .call_path = call->call_path, .source = source, .is_empty = message->bytes == 0 };
    hd_sync        sync;

    if (call->group == HD_CALL_TEST)
        return 0;
    late.wait = hd_span_between(call->enter, hd_time_min(message->enter, call->leave));
    if (late.wait <= 0)
        return 0;
    if (call->group == HD_CALL_WAIT_MULTI && late.wait <= agent->worst.wait)
        return 0;
    sync = (hd_sync){ .enter = call->enter, .wait = late.wait, .call_path = call->call_path, .order = agent->order,
                      .peer = agent->location->log.channels[agent->op.channel].peer, .partner = message->order,
                      .partner_thread = (uint16_t)message->thread,
                      .pruned = hd_span_between(call->enter, hd_time_min(call->leave, message->leave)) };
    if (call->group != HD_CALL_WAIT_MULTI) {
        book_late_sender(rh, host, agent, &late, &sync);
        return late.wait;
    }
    agent->worst      = late;
    agent->worst_sync = sync;
    return 0;
}

static void
receive_message(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_message *message)
{
    const hd_op      *op      = &agent->op;
    const hd_channel *channel = &agent->location->log.channels[op->channel];
    uint32_t          node    = agent->cursor.call.call_path;
    uint32_t          source  = rh->replay->compat ? channel->peer_rank : channel->peer;
    hd_span           wait;

    rh->n_received++;
    if (message->bytes == 0)
        hd_severity_add(&agent->severities, HD_METRIC_syncs_recv, node, 1);
    else {
        hd_severity_add(&agent->severities, HD_METRIC_comms_recv, node, 1);
        hd_severity_add(&agent->severities, HD_METRIC_bytes_rcvd, node, (int64_t)message->bytes);
    }
    if (HD_UNLIKELY(message->time > op->time))
        hd_agent_clock_finding(rh, agent, HD_FINDING_CLOCK_P2P, node, channel->peer, HD_NONE, op->time,
                               hd_span_between(op->time, message->time));
    if (rh->replay->compat)
        classify_pending_compat(rh, agent, message->time, source);
    else
        classify_pending(rh, agent, message->time, source);
    wait = detect_late_sender(rh, host, agent, message, source);
    if (HD_UNLIKELY(rh->replay->request->n_messages > 0))
        tell_received(rh, agent, message->bytes, wait);
    detect_late_receiver(rh, host, agent, message);
}

static inline bool
take_mail(hd_replay_host *rh, hd_agent *agent, hd_mail **mail)
{
    hd_box *box = agent->links[agent->op.channel].box;

    if (agent->op_number == HD_NONE)
        agent->op_number = take_number(agent);
    if (HD_UNLIKELY(agent->given_up))
        hd_box_unwait(&rh->mailbox, box, agent->number);
    *mail = HD_UNLIKELY(agent->given_up) ? NULL : hd_mailbox_take(box, agent->op_number); /* what has come since depends on who ran first */
    if (*mail == NULL && agent->op_number < box->n_announced && !agent->given_up) {
        hd_box_wait(&rh->mailbox, box, agent->number);
        return false;
    }
    agent->given_up = false;
    return true;
}

bool
hd_p2p_take(hd_replay_host *rh, hd_agent *agent, hd_mail **mail)
{
    return take_mail(rh, agent, mail);
}

bool
hd_p2p_receive(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    const hd_channel *channel = &agent->location->log.channels[agent->op.channel];
    hd_mail          *mail;

    if (!take_mail(rh, agent, &mail))
        return false;
    if (mail == NULL) {
        hd_agent_finding(rh, agent, HD_FINDING_UNMATCHED_RECEIVE, agent->cursor.call.call_path, channel->peer, channel->comm,
                         channel->tag, agent->op.time);
        return true;
    }
    receive_message(rh, host, agent, (const hd_message *)(const void *)mail->payload);
    hd_mailbox_drop(&rh->mailbox, mail);
    return true;
}

void
hd_p2p_leave(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    const hd_call *call = &agent->cursor.call;

    if (HD_UNLIKELY(agent->n_multi > 0))
        tell_multi(rh, agent);
    if (agent->worst.wait <= 0)
        return;
    book_late_sender(rh, host, agent, &agent->worst, &agent->worst_sync);
    agent->worst.wait = 0;
    if (call->send_call == HD_NONE)
        return;
    if (agent->late_receivers == NULL)
        agent->late_receivers = hd_scratch_alloc(rh->replay->scratch, agent->location->log.n_send_calls,
                                                 sizeof *agent->late_receivers);
    agent->late_receivers[call->send_call].suppressed = true;
}

void
hd_p2p_finish(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    const hd_oplog *log = &agent->location->log;

    for (size_t i = 0; agent->late_receivers != NULL && i < log->n_send_calls; i++) {
        const hd_late_receivers *late = &agent->late_receivers[i];
        const hd_send_call      *call = &log->send_calls[i];

        if (late->wait <= 0 || late->suppressed)
            continue;
        count_late_receiver(rh, agent,
                            &(hd_wait){ .metric = HD_METRIC_mpi_latereceiver, .node = call->call_path, .enter = call->enter,
                                        .leave = call->leave, .from = call->enter, .time = late->wait, .peer = late->receiver,
                                        .peer_thread = late->receiver_thread },
                            late->is_empty);
        hd_sync_late_receiver(rh, host, agent,
                              &(hd_sync){ .enter = call->enter, .wait = late->wait, .pruned = hd_span_between(call->enter, call->leave),
                                          .call_path = call->call_path, .peer = late->receiver, .partner = late->receiver_order,
                                          .partner_thread = (uint16_t)late->receiver_thread },
                              late->post);
    }
    hd_scratch_free(rh->replay->scratch, agent->late_receivers);
    agent->late_receivers = NULL;
}

void
hd_p2p_deliver(hd_replay_host *rh, hd_host *host, uint32_t kind, const void *data)
{
    const hd_channel_count *count = data;
    const hd_message_item  *item  = data;

    switch (kind) {
    case HD_ITEM_ANNOUNCE:
        hd_mailbox_box(&rh->mailbox, count->key)->n_announced += count->n;
        break;
    case HD_ITEM_UNCLAIMED:
        limit_sends(rh->replay, count);
        break;
    case HD_ITEM_MESSAGE:
        put_message(rh, host, hd_mailbox_box(&rh->mailbox, item->key), item->number, &item->message);
        break;
    default:
        book_late_receiver(rh, host, data);
        break;
    }
}
