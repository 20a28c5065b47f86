/* src/trace/log/channel_order.h: the order of a process's operations on each of its channels.
 *
 * MPI matches the receives of a channel in the order of their posts, as far as one thread posted them; receives that
 * several threads post at a time have no order. So operations are in the order of their records, except that a receive
 * stands before all receives of the channel that its thread posted later. This never contradicts the trace: when the
 * k-th one is complete, k messages have been sent.
 * Definition: docs/metrics.md#messages. Uses: oplog. Owner: the caller. MT: any thread. Ranks: local.
 */
#ifndef HD_CHANNEL_ORDER_H
#define HD_CHANNEL_ORDER_H

#include "oplog.h"

typedef struct hd_channel_use { /* an operation on a channel */
    uint64_t key, rest;   /* equal for the same channel */
    hd_time  time;        /* of the record */
    uint32_t thread;
    uint32_t position;    /* any numbers that ascend on a thread */
    uint64_t post;        /* receives: what sorts the posts of a thread; others: 0 */
    uint32_t tick_order;  /* receives: sorts posts that are equal; others: 0 */
    uint32_t post_thread; /* receives: the thread that posted it; others: the same as thread */
    size_t   turn, at;    /* of hd_channel_order_sort() */
} hd_channel_use;

/* key and rest of a use. */
void hd_channel_use_set(hd_channel_use *use, hd_channel_kind kind, uint32_t comm, uint32_t peer, uint32_t tag);

static inline bool
hd_channel_use_same(const hd_channel_use *a, const hd_channel_use *b)
{
    return a->key == b->key && a->rest == b->rest;
}

/* Sorts uses: those of a channel stand together, in their order. At equal times the lower thread is first.
 * Cost: O(n) where uses are given thread after thread in the order of their records, and few receives are out of order;
 * at most O(n log n). */
void hd_channel_order_sort(hd_channel_use *uses, size_t n);

#endif
