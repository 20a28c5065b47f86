/* scheduler/channel_queues.c: queues in a hash table by channel, messages in lists. Messages of one sender arrive in
 * order, so the end of the list is the usual place; where several threads send on a channel the place is searched for.
 * */
#include "channel_queues.h"

#include "status.h"

void
hd_channel_queues_init(hd_channel_queues *channel_queues, size_t payload_bytes, uint32_t n_vprocs)
{
    *channel_queues = (hd_channel_queues){ .payload_bytes = payload_bytes };
    hd_table_init(&channel_queues->index);
    hd_pool_init(&channel_queues->queue_pool, sizeof(hd_channel_queue));
    hd_pool_init(&channel_queues->message_pool, sizeof(hd_queued_message) + payload_bytes);
    channel_queues->next_waiting = HD_NEW_ARRAY(uint32_t, n_vprocs);
}

void
hd_channel_queues_fini(hd_channel_queues *channel_queues)
{
    free(channel_queues->queues);
    free(channel_queues->next_waiting);
    hd_table_fini(&channel_queues->index);
    hd_pool_fini(&channel_queues->queue_pool);
    hd_pool_fini(&channel_queues->message_pool);
}

hd_channel_queue *
hd_channel_queues_get(hd_channel_queues *channel_queues, hd_channel_key key)
{
    uint64_t hash = hd_hash((uint64_t)key.comm << 32 | key.tag) ^ ((uint64_t)key.sender << 32 | key.receiver);
    hd_channel_queue *queue;
    uint32_t i;

    while ((i = hd_table_get(&channel_queues->index, hash)) != HD_NONE) {
        if (memcmp(&channel_queues->queues[i]->key, &key, sizeof key) == 0)
            return channel_queues->queues[i];
        hash++;
    }
    queue = hd_pool_take(&channel_queues->queue_pool);
    *queue = (hd_channel_queue){ .key = key, .waiting = HD_NONE };
    hd_table_add(&channel_queues->index, hash, (uint32_t)channel_queues->n_queues);
    HD_PUSH(channel_queues->queues, channel_queues->n_queues, channel_queues->capacity, queue);
    return queue;
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
    for (size_t i = 0; i < channel_queues->n_queues; i++) {
        const hd_channel_queue *queue = channel_queues->queues[i];

        for (const hd_queued_message *queued = queue->first; queued != NULL; queued = queued->next) {
            HD_ASSERT(queued->next == NULL || queued->next->number > queued->number);
            HD_ASSERT(queued->next != NULL || queue->last == queued);
        }
    }
}
