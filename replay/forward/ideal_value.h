/* replay/forward/ideal_value.h: ideal clocks (ideal_clock.h) of the members of a collective operation, at the enters of
 * the calls that start it, combined. Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_IDEAL_VALUE_H
#define HD_IDEAL_VALUE_H

#include "coll_class.h"
#include "types.h"

typedef struct hd_ideal_value { /* of the members so far; 0: of none */
    hd_time  latest[2], latest_sender[2]; /* of all, of those that send; by side */
    hd_time  root;                        /* 1-to-N: of the root, if it sends */
    uint64_t n_not_exchanging;            /* members that do not both send and receive */
} hd_ideal_value;

typedef struct hd_coll_role { /* of a member */
    uint8_t side;
    bool    sends, receives, is_root;
} hd_coll_role;

/* Adds a member, whose clock is at `enter`. */
static inline void
hd_ideal_value_add(hd_ideal_value *into, hd_time enter, hd_coll_class c, hd_coll_role role)
{
    into->latest[role.side] = hd_time_max(into->latest[role.side], enter);
    if (role.sends)
        into->latest_sender[role.side] = hd_time_max(into->latest_sender[role.side], enter);
    if (role.is_root && role.sends && c == HD_COLL_1TON)
        into->root = hd_time_max(into->root, enter);
    into->n_not_exchanging += !(role.sends && role.receives);
}

static inline void
hd_ideal_value_merge(hd_ideal_value *into, const hd_ideal_value *from)
{
    for (int s = 0; s < 2; s++) {
        into->latest[s]        = hd_time_max(into->latest[s], from->latest[s]);
        into->latest_sender[s] = hd_time_max(into->latest_sender[s], from->latest_sender[s]);
    }
    into->root = hd_time_max(into->root, from->root);
    into->n_not_exchanging += from->n_not_exchanging;
}

#endif
