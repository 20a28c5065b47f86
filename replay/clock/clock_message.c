/* replay/clock/clock_message.c: see clock_message.h. */
#include "clock_message.h"

typedef struct clock_message {
    hd_clock_stamp sent;
    uint64_t       event; /* index in the sender's log */
} clock_message;

typedef struct clock_message_item {
    hd_channel_key key;
    uint32_t       number, unused;
    clock_message  message;
} clock_message_item;

typedef struct clock_announce_item {
    hd_channel_key key;
    uint32_t       n, unused;
} clock_announce_item;

typedef struct clock_limit_item {
    uint32_t process, thread;
    uint64_t event;  /* index in the log of this thread */
    hd_time  latest; /* that it may be */
} clock_limit_item;

void
hd_clock_messages_init(hd_clock_host *ch)
{
    hd_mailbox_init(&ch->mailbox, sizeof(clock_message), ch->replay->n_agents);
}

void
hd_clock_messages_fini(hd_clock_host *ch)
{
    hd_mailbox_fini(&ch->mailbox);
}

static hd_channel_key
key_of(const hd_clock_agent *agent, const hd_channel *channel)
{
    bool is_send = channel->kind == HD_CHANNEL_SEND;

    return (hd_channel_key){ channel->comm, channel->tag, is_send ? agent->process_id : channel->peer,
                             is_send ? channel->peer : agent->process_id };
}

void
hd_clock_messages_announce(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    const hd_clock_log *log = agent->log;

    agent->boxes = HD_NEW_ARRAY(hd_box *, log->n_channels);
    agent->hosts = HD_NEW_ARRAY(uint32_t, log->n_channels);
    for (uint32_t i = 0; i < log->n_channels; i++) {
        const hd_channel   *channel  = &log->channels[i];
        clock_announce_item announce = { .key = key_of(agent, channel), .n = channel->n };

        if (channel->kind != HD_CHANNEL_SEND && channel->kind != HD_CHANNEL_RECV)
            continue;
        agent->hosts[i] = hd_placement_host(ch->replay->request->placement, (hd_process){ announce.key.receiver });
        if (agent->hosts[i] == hd_host_number(host))
            agent->boxes[i] = hd_mailbox_box(&ch->mailbox, announce.key);
        if (channel->kind == HD_CHANNEL_RECV)
            agent->boxes[i]->n_expected += channel->n;
        else if (agent->boxes[i] != NULL)
            agent->boxes[i]->n_announced += channel->n;
        else
            hd_host_send(host, agent->hosts[i], HD_CLOCK_ITEM_ANNOUNCE, &announce, sizeof announce, NULL, 0);
    }
}

void
hd_clock_messages_forget(hd_clock_agent *agent)
{
    free(agent->boxes);
    free(agent->hosts);
}

static void
put_message(hd_clock_host *ch, hd_host *host, hd_box *box, uint32_t number, const clock_message *message)
{
    uint32_t waiting;

    if (number >= box->n_expected)
        return;
    hd_mailbox_put(&ch->mailbox, box, number, message);
    while ((waiting = hd_box_waiting_take(&ch->mailbox, box)) != HD_NONE)
        hd_host_wake(host, waiting);
}

void
hd_clock_send(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    const hd_clock_point *point = &agent->log->points[agent->at];
    clock_message_item    item  = { .number  = point->number,
                                    .message = { .sent = hd_clock_stamp_at(ch->replay, agent), .event = agent->at } };

    if (agent->boxes[point->what] != NULL) {
        put_message(ch, host, agent->boxes[point->what], item.number, &item.message);
        hd_host_count_item(host);
        return;
    }
    item.key = key_of(agent, &agent->log->channels[point->what]);
    hd_host_send(host, agent->hosts[point->what], HD_CLOCK_ITEM_MESSAGE, &item, sizeof item, NULL, 0);
}

static void
limit_send(hd_clock_replay *replay, const clock_limit_item *item)
{
    uint32_t agent = hd_table_get(&replay->agent_of, item->process) + item->thread;

    hd_clock_limit(&replay->agents[agent], item->event, item->latest);
}

/* The send must not be later than the receive, which has its corrected time now: the sender is notified. */
static void
send_limit(hd_clock_replay *replay, hd_host *host, const hd_clock_agent *agent, const clock_message *message)
{
    clock_limit_item limit = { .process = message->sent.process, .thread = message->sent.thread,
                               .event  = message->event,
                               .latest = hd_clock_stamp_at(replay, agent).corrected - (hd_time)replay->latency };
    uint32_t         home  = hd_placement_host(replay->request->placement, (hd_process){ limit.process });

    if (home == hd_host_number(host))
        limit_send(replay, &limit);
    else
        hd_host_send(host, home, HD_CLOCK_ITEM_LIMIT, &limit, sizeof limit, NULL, 0);
}

bool
hd_clock_receive(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    hd_clock_replay      *replay = ch->replay;
    const hd_clock_point *point  = &agent->log->points[agent->at];
    hd_box               *box    = agent->boxes[point->what];
    hd_mail              *mail;
    clock_message         message;

    if (agent->given_up) {
        hd_box_unwait(&ch->mailbox, box, agent->number);
        return true;
    }
    if (point->number >= box->n_announced) {
        ch->n_given_up += !replay->is_check;
        return true;
    }
    mail = hd_mailbox_take(box, point->number);
    if (mail == NULL) {
        hd_box_wait(&ch->mailbox, box, agent->number);
        return false;
    }
    memcpy(&message, mail->payload, sizeof message);
    hd_mailbox_drop(&ch->mailbox, mail);
    hd_clock_apply(ch, agent, &(hd_clock_bound){ message.sent, message.sent });
    if (!replay->is_check && replay->request->corrects && !hd_clock_is_own(agent, &message.sent))
        send_limit(replay, host, agent, &message);
    return true;
}

void
hd_clock_message_deliver(hd_clock_host *ch, hd_host *host, uint32_t kind, const void *data)
{
    if (kind == HD_CLOCK_ITEM_ANNOUNCE) {
        const clock_announce_item *announce = data;

        hd_mailbox_box(&ch->mailbox, announce->key)->n_announced += announce->n;
    } else if (kind == HD_CLOCK_ITEM_MESSAGE) {
        const clock_message_item *item = data;

        put_message(ch, host, hd_mailbox_box(&ch->mailbox, item->key), item->number, &item->message);
    } else
        limit_send(ch->replay, data);
}
