/* replay/backward/backward_message.h: the messages of the backward replay, from a waiting location to its delayer.
 *
 * Messages are kept by process and by what is waited for: a message, a collective operation, a barrier, a parallel
 * region, a lock. The delayer blocks at its point until all messages that it expects are there. Private to the
 * component. Uses: scheduler, profile.
 * MT: the worker's thread. Ranks: local. Memory: 96 bytes per message and 16 per entry of it, of more
 * than 4 as if there were 8, 16 or 32; between locations of one worker there are no entries of time.
 */
#ifndef HD_BACKWARD_MESSAGE_H
#define HD_BACKWARD_MESSAGE_H

#include "backward_vproc.h"

enum { HD_ITEM_WAIT = 0x100, HD_ITEM_REPLY }; /* after those of the forward replay */

typedef struct hd_wait_item { /* n_effects hd_effect_cost, n hd_time_entry, and n_counted of counters follow */
    uint64_t key;          /* of the point that is waited for, see hd_pair_key(), hd_collective_key() */
    double   wait;         /* in the unit of vectors, as costs */
    union {
        uint32_t process;  /* whom it is for */
        uint32_t waiting;  /* once it has come, where point > 0: number of the vproc that waited */
    };
    uint32_t from, from_thread, call_path; /* who waited, and where */
    uint32_t n, n_effects; /* of the waiting side's vector; of what the wait cost, further on */
    uint32_t n_counted;      /* for each entry of time that is counted so many as its counters take */
    uint32_t slice;          /* in which the wait ended, see cause_slices.h */
    uint16_t delay, on_path; /* on_path: the critical path goes on where this is going */
    uint32_t point; /* of the waiting side, on the same worker: what its vector, which is not sent, is made of; 0: n are
                     * sent */
    hd_time  enter, leave; /* of the call that waited; leave: of a barrier of a team; at a window, when the wait
                            * ended */
} hd_wait_item;

typedef union hd_backward_entry {
    hd_effect_cost cost;
    hd_time_entry  time;
    uint64_t       counted[2]; /* of two counters */
} hd_backward_entry;

typedef struct hd_backward_message { /* a hd_wait_item that has come */
    struct hd_backward_message *next;
    uint32_t                    previous; /* once it is looked at: last common synchronization point of both sides */
    uint32_t                    until;    /* back to where the delayer's waits pass it on; HD_NONE: none of them does */
    hd_wait_item                item;
    hd_backward_entry           entries[]; /* [item.n_effects + item.n + item.n_counted] */
} hd_backward_message;

static inline uint64_t
hd_pair_key(uint32_t thread, uint32_t order, bool is_request)
{
    return (uint64_t)is_request << 62 | (uint64_t)thread << 32 | order;
}

static inline bool
hd_key_is_pair(uint64_t key)
{
    return key >> 63 == 0;
}

static inline uint64_t
hd_collective_key(uint32_t comm, uint32_t number)
{
    return UINT64_C(1) << 63 | (uint64_t)comm << 32 | number;
}

typedef enum hd_team_sync { HD_AT_BARRIER, HD_AT_PARALLEL, HD_AT_LOCK, HD_AT_REPLY } hd_team_sync;

static inline uint64_t
hd_team_key(uint32_t number, hd_team_sync at)
{
    return UINT64_C(3) << 62 | (uint64_t)at << 32 | number;
}

static inline uint64_t
hd_reply_key(uint32_t number, uint32_t thread)
{
    return hd_team_key(number, HD_AT_REPLY) | (uint64_t)thread << 40;
}

/* Entries that the counters of a call path take. */
static inline uint32_t
hd_backward_counted_entries(uint32_t n_counters)
{
    return (n_counters + 1) / 2;
}

static inline uint32_t
hd_backward_message_n_entries(const hd_wait_item *item)
{
    return item->n_effects + item->n + item->n_counted;
}

void hd_backward_messages_worker_init(hd_replay_worker *rh);
void hd_backward_messages_worker_fini(hd_replay_worker *rh);

/* The messages of a point of which n are expected; NULL: it has to wait for them. */
hd_backward_messages *hd_backward_messages_expect(hd_replay_worker *rh, hd_vproc *vproc, uint64_t key, uint32_t n);
/* What it waits for does not come any more: not from others that are released at the same time either, in any order.
 * While the engine is not running. */
void hd_backward_messages_release(hd_vproc *vproc);
/* Drops them. Messages that come after the release are replied to at once. */
void hd_backward_messages_done(hd_replay_worker *rh, hd_vproc *vproc, uint64_t key, hd_backward_messages *all);
/* One that has come, with room for so many entries: the caller fills it, but for `next`, before it returns to the
 * engine: the delayer, which may be woken, runs on the same worker after that. NULL: it comes too late. */
hd_backward_message *hd_backward_messages_add(hd_replay_worker *rh, hd_worker *worker, uint32_t process, uint64_t key,
                                              uint32_t n_entries);
/* All that the vproc's process still has. */
void hd_backward_messages_fini(hd_replay_worker *rh, hd_vproc *vproc);

#endif
