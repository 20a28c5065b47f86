/* replay/forward/p2p.c: messages through the channel queues. Both ends count the operations of each channel before the
 * replay starts, so a receive never waits for a send that does not exist. A receive takes its message by
 * number. */
#include "p2p.h"

#include "forward_pattern.h"
#include "ideal_clock.h"
#include "unfinished.h"

typedef struct hd_channel_count {
    hd_channel_key key;
    uint32_t       n, unused;
} hd_channel_count;

typedef struct hd_message_item {
    hd_channel_key key;
    uint32_t       number, unused;
    hd_message     message;
} hd_message_item;

static hd_channel_key
send_key(const hd_vproc *vproc, const hd_channel *channel)
{
    return (hd_channel_key){ channel->comm, channel->tag, vproc->process_id, channel->peer };
}

static hd_channel_key
receive_key(const hd_vproc *vproc, const hd_channel *channel)
{
    return (hd_channel_key){ channel->comm, channel->tag, channel->peer, vproc->process_id };
}

void
hd_p2p_announce(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    const hd_oplog *log = &vproc->location->log;

    vproc->links = HD_NEW_ARRAY(hd_link, log->n_channels);
    for (size_t i = 0; i < log->n_channels; i++) {
        const hd_channel *channel = &log->channels[i];
        hd_link          *link    = &vproc->links[i];

        if (channel->kind == HD_CHANNEL_RECV) {
            link->queue = hd_channel_queues_get(&rh->channel_queues, receive_key(vproc, channel));
            link->queue->n_expected += channel->n;
        } else if (channel->kind == HD_CHANNEL_SEND) {
            hd_channel_count count = { .key = send_key(vproc, channel), .n = channel->n };

            uint32_t home = hd_placement_worker(rh->replay->request->placement, (hd_process){ channel->peer });

            link->limit = HD_NONE;
            if (home == hd_worker_number(worker)) {
                link->queue = hd_channel_queues_get(&rh->channel_queues, count.key);
                link->queue->n_announced += channel->n;
            } else {
                link->far_worker = (uintptr_t)home << 1 | 1;
                hd_worker_send(worker, home, HD_ITEM_ANNOUNCE, &count, sizeof count, NULL, 0);
            }
        }
    }
}

static uint64_t
channel_hash(uint32_t comm, uint32_t tag, uint32_t receiver)
{
    return hd_hash((uint64_t)comm << 32 | tag) ^ receiver;
}

/* Finds a send channel of a vproc; the index is made when it is first asked for: nearly all messages have
 * receivers. */
static uint32_t
send_channel(hd_vproc *vproc, const hd_channel_key *key)
{
    const hd_oplog *log = &vproc->location->log;
    uint64_t        hash;
    uint32_t        i;

    if (vproc->send_channels.slots == NULL)
        for (size_t c = 0; c < log->n_channels; c++)
            if (log->channels[c].kind == HD_CHANNEL_SEND) {
                hash = channel_hash(log->channels[c].comm, log->channels[c].tag, log->channels[c].peer);
                while (hd_table_get(&vproc->send_channels, hash) != HD_NONE)
                    hash++;
                hd_table_add(&vproc->send_channels, hash, (uint32_t)c);
            }
    for (hash = channel_hash(key->comm, key->tag, key->receiver);
         (i = hd_table_get(&vproc->send_channels, hash)) != HD_NONE; hash++)
        if (log->channels[i].comm == key->comm && log->channels[i].tag == key->tag &&
            log->channels[i].peer == key->receiver)
            return i;
    return HD_NONE;
}

/* All sending threads learn from which number on there are no receives. */
static void
limit_sends(const hd_replay *replay, const hd_channel_count *count)
{
    hd_vproc *vproc     = hd_replay_vproc(replay, count->key.sender, 0);
    uint32_t  n_threads = vproc->process->n_locations;

    for (uint32_t t = 0; t < n_threads; t++) {
        uint32_t channel = send_channel(&vproc[t], &count->key);

        if (channel != HD_NONE)
            vproc[t].links[channel].limit = count->n;
    }
}

void
hd_p2p_notify_of_unclaimed(hd_replay_worker *rh, hd_worker *worker)
{
    for (size_t i = 0; i < rh->channel_queues.n_slots; i++) {
        const hd_channel_queue *queue = rh->channel_queues.queues[i];
        hd_channel_count        count;
        uint32_t                home;

        if (queue == NULL || queue->n_announced <= queue->n_expected)
            continue;
        count = (hd_channel_count){ .key = queue->key, .n = queue->n_expected };
        hd_unfinished_messages(rh, queue);
        home = hd_placement_worker(rh->replay->request->placement, (hd_process){ queue->key.sender });
        if (home == hd_worker_number(worker))
            limit_sends(rh->replay, &count);
        else
            hd_worker_send(worker, home, HD_ITEM_UNCLAIMED, &count, sizeof count, NULL, 0);
    }
}

/* The number of the current operation in its channel; each operation asks once. */
static inline uint32_t
take_number(hd_vproc *vproc)
{
    if (HD_UNLIKELY(vproc->location->log.channels[vproc->op.channel].has_numbers))
        return hd_cursor_number(&vproc->cursor);
    return vproc->links[vproc->op.channel].next++;
}

static inline void
wake_waiting(hd_replay_worker *rh, hd_worker *worker, hd_channel_queue *queue)
{
    uint32_t waiting;

    while ((waiting = hd_channel_queue_take_waiting(&rh->channel_queues, queue)) != HD_NONE)
        hd_worker_wake(worker, waiting);
}

/* The call that completes the current send and can wait for the receiver, if there is one. */
static void
describe_completion(const hd_vproc *vproc, hd_message *message)
{
    const hd_oplog     *log        = &vproc->location->log;
    const hd_op        *op         = &vproc->op;
    const hd_call      *call       = &vproc->cursor.call;
    hd_completion       completion = { .call = HD_COMPLETION_NONE };
    hd_send_call        done;

    message->done_call_path = message->done_call = HD_NONE;
    if ((op->flags & HD_OP_NONBLOCKING) == 0) {
        if (call->group == HD_CALL_BLOCK_SEND) {
            message->done_enter     = call->enter;
            message->done_leave     = call->leave;
            message->done_call_path = call->call_path;
            message->done_thread    = vproc->thread;
        }
        return;
    }
    completion           = log->completions[op->number];
    message->done_thread = vproc->thread;
    if (completion.call == HD_COMPLETION_ELSEWHERE) {
        size_t low = 0, high = log->rare->n_elsewhere;

        while (high - low > 1) {
            size_t middle = (low + high) / 2;

            *(log->rare->elsewhere[middle].send <= op->number ? &low : &high) = middle;
        }
        completion           = log->rare->elsewhere[low].completion;
        message->done_thread = log->rare->elsewhere[low].thread;
        log                  = &vproc->process->locations[message->done_thread].log;
    }
    if (completion.call == HD_COMPLETION_NONE)
        return;
    done                    = hd_send_calls_get(&log->send_calls, completion.call);
    message->done_enter     = done.enter;
    message->done_leave     = done.leave;
    message->done_call_path = done.call_path;
    message->done_call      = done.multi ? completion.call : HD_NONE;
    message->done_number    = completion.number;
}

/* Whether the receiver of a send has this worker. */
static inline bool
is_near(const hd_link *link)
{
    return (link->far_worker & 1) == 0;
}

/* Where the message that is number `number` of the channel of the current operation is to be written, in its queue or
 * in the item, before carry(). */
static inline hd_message *
place(hd_replay_worker *rh, const hd_vproc *vproc, hd_message_item *item, uint32_t number)
{
    const hd_link *link = &vproc->links[vproc->op.channel];

    item->number = number;
    return is_near(link) ? hd_channel_queues_place(&rh->channel_queues, link->queue, number) : &item->message;
}

static inline void
carry(hd_replay_worker *rh, hd_worker *worker, const hd_vproc *vproc, hd_message_item *item)
{
    const hd_link *link = &vproc->links[vproc->op.channel];

    if (is_near(link)) {
        wake_waiting(rh, worker, link->queue);
        hd_worker_count_item(worker);
        return;
    }
    item->key    = send_key(vproc, &vproc->location->log.channels[vproc->op.channel]);
    item->unused = 0;
    hd_worker_send(worker, (uint32_t)(link->far_worker >> 1), HD_ITEM_MESSAGE, item, sizeof *item, NULL, 0);
}

static void
notify_of_send(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_p2p_event event = { .rh = rh, .worker = worker, .vproc = vproc };

    hd_patterns_notify(&rh->replay->hooks->send, &event);
}

void
hd_p2p_send(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    const hd_op      *op      = &vproc->op;
    const hd_channel *channel = &vproc->location->log.channels[op->channel];
    hd_link          *link    = &vproc->links[op->channel];
    hd_message_item   item;
    hd_message       *message;
    uint32_t          number;

    if (HD_UNLIKELY((op->flags & HD_OP_NONBLOCKING) != 0 &&
                    vproc->location->log.completions[op->number].call == HD_COMPLETION_CANCELLED)) {
        if (channel->has_numbers)
            hd_cursor_number(&vproc->cursor);
        return;
    }
    number = take_number(vproc);
    if (HD_UNLIKELY(number >= link->limit)) {
        hd_vproc_finding(rh, vproc, HD_FINDING_UNMATCHED_SEND, vproc->cursor.call.call_path, channel->peer,
                         channel->comm, channel->tag, op->time);
        hd_unfinished_send(rh, vproc);
        return;
    }
    if (HD_UNLIKELY(rh->replay->hooks->send.n > 0))
        notify_of_send(rh, worker, vproc);
    message         = place(rh, vproc, &item, number);
    message->enter  = vproc->cursor.call.enter;
    message->leave  = vproc->cursor.call.leave;
    message->call_path = vproc->cursor.call.call_path;
    message->time   = op->time;
    message->ideal  = vproc->ideal.enter;
    message->bytes  = op->sent;
    message->thread = vproc->thread;
    message->order  = vproc->order;
    describe_completion(vproc, message);
    carry(rh, worker, vproc, &item);
}

bool
hd_p2p_put(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_message *message)
{
    uint32_t        number = take_number(vproc);
    hd_message_item item;

    if (number >= vproc->links[vproc->op.channel].limit)
        return false;
    *place(rh, vproc, &item, number) = *message;
    carry(rh, worker, vproc, &item);
    return true;
}

/* Sends are counted while loading. */
static void
count_message(hd_replay_worker *rh, hd_vproc *vproc, const hd_message *message)
{
    uint32_t node = vproc->cursor.call.call_path;

    rh->n_received++;
    if (message->bytes == 0)
        hd_severity_add(&vproc->severities, HD_METRIC_syncs_recv, node, 1);
    else {
        hd_severity_add(&vproc->severities, HD_METRIC_comms_recv, node, 1);
        hd_severity_add(&vproc->severities, HD_METRIC_bytes_rcvd, node, (int64_t)message->bytes);
    }
    if (HD_UNLIKELY(message->time > vproc->op.time))
        hd_vproc_clock_finding(rh, vproc, HD_FINDING_CLOCK_P2P, node,
                               vproc->location->log.channels[vproc->op.channel].peer, HD_NONE,
                               vproc->op.time, hd_span_between(vproc->op.time, message->time));
}

static void
receive_message(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_message *message)
{
    hd_p2p_event event = { .rh = rh, .worker = worker, .vproc = vproc, .message = message };

    count_message(rh, vproc, message);
    hd_ideal_receive(vproc, message->ideal);
    hd_patterns_notify(&rh->replay->hooks->receive, &event);
}

static inline bool
take_queued(hd_replay_worker *rh, hd_vproc *vproc, hd_queued_message **queued)
{
    hd_channel_queue *queue = vproc->links[vproc->op.channel].queue;

    if (vproc->op_number == HD_NONE)
        vproc->op_number = take_number(vproc);
    if (HD_UNLIKELY(vproc->released))
        hd_channel_queue_unwait(&rh->channel_queues, queue, vproc->number);
    /* what has come since depends on who ran first */
    *queued = HD_UNLIKELY(vproc->released) ? NULL : hd_channel_queues_take(queue, vproc->op_number);
    if (*queued == NULL && vproc->op_number < queue->n_announced && !vproc->released) {
        hd_channel_queue_wait(&rh->channel_queues, queue, vproc->number);
        return false;
    }
    vproc->released = false;
    return true;
}

bool
hd_p2p_take(hd_replay_worker *rh, hd_vproc *vproc, hd_queued_message **queued)
{
    return take_queued(rh, vproc, queued);
}

bool
hd_p2p_receive(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    const hd_channel *channel = &vproc->location->log.channels[vproc->op.channel];
    hd_queued_message *queued;

    if (!take_queued(rh, vproc, &queued))
        return false;
    if (queued == NULL) {
        hd_vproc_finding(rh, vproc, HD_FINDING_UNMATCHED_RECEIVE, vproc->cursor.call.call_path, channel->peer,
                         channel->comm, channel->tag, vproc->op.time);
        return true;
    }
    receive_message(rh, worker, vproc, (const hd_message *)(const void *)queued->payload);
    hd_channel_queues_drop(&rh->channel_queues, queued);
    return true;
}

static void
deliver_message(hd_replay_worker *rh, hd_worker *worker, const hd_message_item *item)
{
    hd_channel_queue *queue = hd_channel_queues_get(&rh->channel_queues, item->key);

    hd_channel_queues_put(&rh->channel_queues, queue, item->number, &item->message);
    wake_waiting(rh, worker, queue);
}

void
hd_p2p_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data)
{
    const hd_channel_count *count = data;

    switch (kind) {
    case HD_ITEM_ANNOUNCE:
        hd_channel_queues_get(&rh->channel_queues, count->key)->n_announced += count->n;
        break;
    case HD_ITEM_UNCLAIMED:
        limit_sends(rh->replay, count);
        break;
    default:
        deliver_message(rh, worker, data);
        break;
    }
}
