/* scheduler/channel_queues.h: the channel queues of one worker: per channel, the messages that arrived and were not
 * taken yet.
 *
 * A channel is (communicator, sender, receiver, tag); its messages are numbered 0, 1, ... by the sender, and are taken
 * by number, so threads of a process may share a channel, and receives may be completed in any order. Invariants: (1)
 * messages of a queue are in ascending order of its numbers; (2) a queue has waiting vprocs only while the message that
 * each of them waits for is not in it. hd_channel_queues_check() tests the first.
 *
 * Uses: base. MT: the worker's thread. Ranks: local.
 * Memory: 59 to 70 bytes per channel, and per message under way its payload and 16 bytes. Cost of every call: O(1)
 * where a channel has one sending thread and the message is the first one, else O(messages in the queue).
 */
#ifndef HD_CHANNEL_QUEUES_H
#define HD_CHANNEL_QUEUES_H

#include "memory.h"
#include "types.h"

typedef struct hd_queued_message {
    struct hd_queued_message *next;
    uint32_t        number;
    _Alignas(8) uint8_t payload[];
} hd_queued_message;

typedef struct hd_channel_key {
    uint32_t comm, tag, sender, receiver; /* sender, receiver: processes */
} hd_channel_key;

typedef struct hd_channel_queue {
    hd_channel_key key;
    hd_queued_message *first, *last; /* last: while there is a first one */
    uint32_t       n_announced; /* messages that will come in all, as the senders said */
    uint32_t       n_expected;  /* messages that the receiver will take in all */
    uint32_t       waiting;     /* vproc, the first of a list through hd_channel_queues.next_waiting; HD_NONE */
} hd_channel_queue;

typedef struct hd_channel_queues {
    hd_channel_queue **queues; /* [n_slots] open addressing by channel, at most 3/4 full; NULL: free */
    size_t    n_queues, n_slots; /* n_slots: a power of two, or 0 */
    hd_pool   queue_pool, message_pool;
    size_t    payload_bytes;
    uint32_t *next_waiting; /* [n_vprocs] of the rank */
} hd_channel_queues;

void    hd_channel_queues_init(hd_channel_queues *channel_queues, size_t payload_bytes, uint32_t n_vprocs);
void    hd_channel_queues_fini(hd_channel_queues *channel_queues);
/* made if not there; stays where it is */
hd_channel_queue *hd_channel_queues_get(hd_channel_queues *channel_queues, hd_channel_key key);

/* Message number `number`, whose number comes before that of another one in the queue. */
void hd_channel_queue_insert(hd_channel_queue *queue, hd_queued_message *queued);
/* Puts message number `number`; its payload is to be written where it says. */
static inline void *
hd_channel_queues_place(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t number)
{
    hd_queued_message *queued = hd_pool_take(&channel_queues->message_pool);

    queued->number = number;
    queued->next   = NULL;
    if (HD_UNLIKELY(queue->first != NULL && queue->last->number >= number)) {
        hd_channel_queue_insert(queue, queued);
        return queued->payload;
    }
    *(queue->first == NULL ? &queue->first : &queue->last->next) = queued;
    queue->last = queued;
    return queued->payload;
}
/* The same; the payload is copied. */
void hd_channel_queues_put(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t number,
                           const void *payload);

hd_queued_message *hd_channel_queues_take_later(hd_channel_queue *queue, uint32_t number); /* not the first one */
/* Takes message number `number` out. It stays until hd_channel_queues_drop(), or fini. NULL if it is not there. */
static inline hd_queued_message *
hd_channel_queues_take(hd_channel_queue *queue, uint32_t number)
{
    hd_queued_message *first = queue->first;

    if (HD_UNLIKELY(first == NULL || first->number != number))
        return hd_channel_queues_take_later(queue, number);
    queue->first = first->next;
    return first;
}
static inline void
hd_channel_queues_drop(hd_channel_queues *channel_queues, hd_queued_message *queued)
{
    hd_pool_put(&channel_queues->message_pool, queued);
}

/* A vproc waits for messages of this queue; the next message releases all that wait: hd_channel_queue_take_waiting()
 * gives them one by one. */
void     hd_channel_queue_wait(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t vproc);
/* HD_NONE: no more */
static inline uint32_t
hd_channel_queue_take_waiting(hd_channel_queues *channel_queues, hd_channel_queue *queue)
{
    uint32_t vproc = queue->waiting;

    if (vproc != HD_NONE)
        queue->waiting = channel_queues->next_waiting[vproc];
    return vproc;
}
/* it waits no longer */
void     hd_channel_queue_unwait(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t vproc);

void hd_channel_queues_check(const hd_channel_queues *channel_queues);

#endif
