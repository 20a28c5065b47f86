/* replay/clock/clock_message.c: stamps of sends go to the receives through channel queues, and limits go back. Both
 * ends announce their counts first, so a receive without a send is not blocked. */
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
hd_clock_messages_init(hd_clock_worker *ch)
{
    hd_channel_queues_init(&ch->channel_queues, sizeof(clock_message), ch->replay->n_vprocs);
}

void
hd_clock_messages_fini(hd_clock_worker *ch)
{
    hd_channel_queues_fini(&ch->channel_queues);
}

static hd_channel_key
key_of(const hd_clock_vproc *vproc, const hd_channel *channel)
{
    bool is_send = channel->kind == HD_CHANNEL_SEND;

    return (hd_channel_key){ channel->comm, channel->tag, is_send ? vproc->process_id : channel->peer,
                             is_send ? channel->peer : vproc->process_id };
}

void
hd_clock_messages_announce(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    const hd_clock_log *log = vproc->log;

    vproc->queues = HD_NEW_ARRAY(hd_channel_queue *, log->n_channels);
    vproc->workers = HD_NEW_ARRAY(uint32_t, log->n_channels);
    for (uint32_t i = 0; i < log->n_channels; i++) {
        const hd_channel   *channel  = &log->channels[i];
        clock_announce_item announce = { .key = key_of(vproc, channel), .n = channel->n };

        if (channel->kind != HD_CHANNEL_SEND && channel->kind != HD_CHANNEL_RECV)
            continue;
        vproc->workers[i] = hd_placement_worker(ch->replay->request->placement, (hd_process){ announce.key.receiver });
        if (vproc->workers[i] == hd_worker_number(worker))
            vproc->queues[i] = hd_channel_queues_get(&ch->channel_queues, announce.key);
        if (channel->kind == HD_CHANNEL_RECV)
            vproc->queues[i]->n_expected += channel->n;
        else if (vproc->queues[i] != NULL)
            vproc->queues[i]->n_announced += channel->n;
        else
            hd_worker_send(worker, vproc->workers[i], HD_CLOCK_ITEM_ANNOUNCE, &announce, sizeof announce, NULL, 0);
    }
}

void
hd_clock_messages_forget(hd_clock_vproc *vproc)
{
    free(vproc->queues);
    free(vproc->workers);
}

static void
put_message(hd_clock_worker *ch, hd_worker *worker, hd_channel_queue *queue, uint32_t number,
            const clock_message *message)
{
    uint32_t waiting;

    if (number >= queue->n_expected)
        return;
    hd_channel_queues_put(&ch->channel_queues, queue, number, message);
    while ((waiting = hd_channel_queue_take_waiting(&ch->channel_queues, queue)) != HD_NONE)
        hd_worker_wake(worker, waiting);
}

void
hd_clock_send(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    const hd_clock_point *point = &vproc->log->points[vproc->at];
    clock_message_item    item  = { .number  = point->number,
                                    .message = { .sent = hd_clock_stamp_at(ch->replay, vproc), .event = vproc->at } };

    if (vproc->queues[point->what] != NULL) {
        put_message(ch, worker, vproc->queues[point->what], item.number, &item.message);
        hd_worker_count_item(worker);
        return;
    }
    item.key = key_of(vproc, &vproc->log->channels[point->what]);
    hd_worker_send(worker, vproc->workers[point->what], HD_CLOCK_ITEM_MESSAGE, &item, sizeof item, NULL, 0);
}

static void
limit_send(hd_clock_replay *replay, const clock_limit_item *item)
{
    uint32_t vproc = hd_table_get(&replay->vproc_of, item->process) + item->thread;

    hd_clock_limit(&replay->vprocs[vproc], item->event, item->latest);
}

/* The send must not be later than the receive, which has its corrected time now: the sender is notified. */
static void
send_limit(hd_clock_replay *replay, hd_worker *worker, const hd_clock_vproc *vproc, const clock_message *message)
{
    clock_limit_item limit = { .process = message->sent.process, .thread = message->sent.thread,
                               .event  = message->event,
                               .latest = hd_clock_stamp_at(replay, vproc).corrected - (hd_time)replay->latency };
    uint32_t         home  = hd_placement_worker(replay->request->placement, (hd_process){ limit.process });

    if (home == hd_worker_number(worker))
        limit_send(replay, &limit);
    else
        hd_worker_send(worker, home, HD_CLOCK_ITEM_LIMIT, &limit, sizeof limit, NULL, 0);
}

bool
hd_clock_receive(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    hd_clock_replay      *replay = ch->replay;
    const hd_clock_point *point  = &vproc->log->points[vproc->at];
    hd_channel_queue     *queue  = vproc->queues[point->what];
    hd_queued_message    *queued;
    clock_message         message;

    if (vproc->released) {
        hd_channel_queue_unwait(&ch->channel_queues, queue, vproc->number);
        return true;
    }
    if (point->number >= queue->n_announced) {
        ch->n_released += !replay->is_check;
        return true;
    }
    queued = hd_channel_queues_take(queue, point->number);
    if (queued == NULL) {
        hd_channel_queue_wait(&ch->channel_queues, queue, vproc->number);
        return false;
    }
    memcpy(&message, queued->payload, sizeof message);
    hd_channel_queues_drop(&ch->channel_queues, queued);
    hd_clock_apply(ch, vproc, &(hd_clock_bound){ message.sent, message.sent });
    if (!replay->is_check && replay->request->corrects && !hd_clock_is_own(vproc, &message.sent))
        send_limit(replay, worker, vproc, &message);
    return true;
}

void
hd_clock_message_deliver(hd_clock_worker *ch, hd_worker *worker, uint32_t kind, const void *data)
{
    if (kind == HD_CLOCK_ITEM_ANNOUNCE) {
        const clock_announce_item *announce = data;

        hd_channel_queues_get(&ch->channel_queues, announce->key)->n_announced += announce->n;
    } else if (kind == HD_CLOCK_ITEM_MESSAGE) {
        const clock_message_item *item = data;

        put_message(ch, worker, hd_channel_queues_get(&ch->channel_queues, item->key), item->number, &item->message);
    } else
        limit_send(ch->replay, data);
}
