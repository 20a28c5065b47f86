#include "p2p.h"

#include "forward_pattern.h"
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

/* Finds a send channel of an agent; the index is made when it is first asked for: nearly all messages have
 * receivers. */
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

static void
tell_send(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_p2p_event event = { .rh = rh, .host = host, .agent = agent };

    hd_patterns_tell(&rh->replay->hooks->send, &event);
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
    if (HD_UNLIKELY(rh->replay->hooks->send.n > 0))
        tell_send(rh, host, agent);
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

/* Sends are counted while loading. */
static void
count_message(hd_replay_host *rh, hd_agent *agent, const hd_message *message)
{
    uint32_t node = agent->cursor.call.call_path;

    rh->n_received++;
    if (message->bytes == 0)
        hd_severity_add(&agent->severities, HD_METRIC_syncs_recv, node, 1);
    else {
        hd_severity_add(&agent->severities, HD_METRIC_comms_recv, node, 1);
        hd_severity_add(&agent->severities, HD_METRIC_bytes_rcvd, node, (int64_t)message->bytes);
    }
    if (HD_UNLIKELY(message->time > agent->op.time))
        hd_agent_clock_finding(rh, agent, HD_FINDING_CLOCK_P2P, node, agent->location->log.channels[agent->op.channel].peer, HD_NONE,
                               agent->op.time, hd_span_between(agent->op.time, message->time));
}

static void
receive_message(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_message *message)
{
    hd_p2p_event event = { .rh = rh, .host = host, .agent = agent, .message = message };

    count_message(rh, agent, message);
    hd_patterns_tell(&rh->replay->hooks->receive, &event);
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
    default:
        put_message(rh, host, hd_mailbox_box(&rh->mailbox, item->key), item->number, &item->message);
        break;
    }
}
