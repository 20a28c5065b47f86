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

/* What one member contributes, but for n_not_exchanging. */
static inline hd_ideal_value
hd_ideal_value_of(hd_time enter, hd_coll_class c, uint32_t side, bool sends, bool is_root)
{
    hd_ideal_value value = { .root = 0 };

    value.latest[side]        = enter;
    value.latest_sender[side] = sends ? enter : 0;
    if (is_root && sends && c == HD_COLL_1TON)
        value.root = enter;
    return value;
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
