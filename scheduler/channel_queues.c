/* scheduler/channel_queues.c: queues in a hash table by channel, messages in lists. Messages of one sender arrive in
 * order, so the end of the list is the usual place; where several threads send on a channel the place is searched for.
 * */
#include "channel_queues.h"

#include "status.h"
#include "table.h"

void
hd_channel_queues_init(hd_channel_queues *channel_queues, size_t payload_bytes, uint32_t n_vprocs)
{
    *channel_queues = (hd_channel_queues){ .payload_bytes = payload_bytes };
    hd_pool_init(&channel_queues->queue_pool, sizeof(hd_channel_queue));
    hd_pool_init(&channel_queues->message_pool, sizeof(hd_queued_message) + payload_bytes);
    channel_queues->next_waiting = HD_NEW_ARRAY(uint32_t, n_vprocs);
}

void
hd_channel_queues_fini(hd_channel_queues *channel_queues)
{
    free(channel_queues->queues);
    free(channel_queues->next_waiting);
    hd_pool_fini(&channel_queues->queue_pool);
    hd_pool_fini(&channel_queues->message_pool);
}

/* Where the queue of a channel is, or the free slot where it would be. */
static hd_channel_queue **
slot_of(const hd_channel_queues *channel_queues, const hd_channel_key *key)
{
    uint64_t hash = hd_hash((uint64_t)key->comm << 32 | key->tag) ^ ((uint64_t)key->sender << 32 | key->receiver);
    size_t   mask = channel_queues->n_slots - 1, i = hd_hash(hash) & mask;

    while (channel_queues->queues[i] != NULL && memcmp(&channel_queues->queues[i]->key, key, sizeof *key) != 0)
        i = (i + 1) & mask;
    return &channel_queues->queues[i];
}

static void
grow(hd_channel_queues *channel_queues)
{
    hd_channel_queues old = *channel_queues;

    channel_queues->n_slots = old.n_slots > 0 ? 2 * old.n_slots : 16;
    channel_queues->queues  = HD_NEW_ARRAY(hd_channel_queue *, channel_queues->n_slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.queues[i] != NULL)
            *slot_of(channel_queues, &old.queues[i]->key) = old.queues[i];
    free(old.queues);
}

hd_channel_queue *
hd_channel_queues_get(hd_channel_queues *channel_queues, hd_channel_key key)
{
    hd_channel_queue **slot;

    if (channel_queues->n_slots == 0)
        grow(channel_queues);
    slot = slot_of(channel_queues, &key);
    if (*slot != NULL)
        return *slot;
    if (channel_queues->n_queues >= channel_queues->n_slots / 4 * 3) {
        grow(channel_queues);
        slot = slot_of(channel_queues, &key);
    }
    channel_queues->n_queues++;
    *slot  = hd_pool_take(&channel_queues->queue_pool);
    **slot = (hd_channel_queue){ .key = key, .waiting = HD_NONE };
    return *slot;
}

void
hd_channel_queue_insert(hd_channel_queue *queue, hd_queued_message *queued)
{
    hd_queued_message **place = &queue->first;

    while ((*place)->number < queued->number)
        place = &(*place)->next;
    queued->next = *place;
    *place       = queued;
}

void
hd_channel_queues_put(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t number, const void *payload)
{
    memcpy(hd_channel_queues_place(channel_queues, queue, number), payload, channel_queues->payload_bytes);
}

hd_queued_message *
hd_channel_queues_take_later(hd_channel_queue *queue, uint32_t number)
{
    hd_queued_message *queued = queue->first, *before = NULL;

    while (queued != NULL && queued->number < number) {
        before = queued;
        queued = queued->next;
    }
    if (before == NULL || queued == NULL || queued->number != number)
        return NULL;
    before->next = queued->next;
    if (queue->last == queued)
        queue->last = before;
    return queued;
}

void
hd_channel_queue_wait(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t vproc)
{
    channel_queues->next_waiting[vproc] = queue->waiting;
    queue->waiting               = vproc;
}

void
hd_channel_queue_unwait(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t vproc)
{
    for (uint32_t *at = &queue->waiting; *at != HD_NONE; at = &channel_queues->next_waiting[*at])
        if (*at == vproc) {
            *at = channel_queues->next_waiting[vproc];
            return;
        }
}

void
hd_channel_queues_check(const hd_channel_queues *channel_queues)
{
    for (size_t i = 0; i < channel_queues->n_slots; i++) {
        const hd_channel_queue *queue = channel_queues->queues[i];

        if (queue == NULL)
            continue;
        for (const hd_queued_message *queued = queue->first; queued != NULL; queued = queued->next) {
            HD_ASSERT(queued->next == NULL || queued->next->number > queued->number);
            HD_ASSERT(queued->next != NULL || queue->last == queued);
        }
    }
}
