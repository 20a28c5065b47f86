/* src/report/algebra/matcher.h: numbers for things with keys, of which several may have the same key.
 *
 * Things are matched in rounds, one for each report. Those of one key are handed out in the order in which they were
 * added, from the first on in every round; where none is left, a new one is added. Inside of the component only.
 * Uses: table. Owner: hd_matcher_fini(); an empty one is zeros. Grows with: things, 16 bytes each. MT: one thread.
 * Ranks: local.
 */
#ifndef HD_MATCHER_H
#define HD_MATCHER_H

#include "table.h"

typedef struct hd_match_item {
    uint32_t next;     /* of the same key; HD_NONE: the last one */
    uint32_t at, last; /* of the first of a key: what is handed out next, HD_NONE: a new one; the last of the key */
    uint32_t round;    /* of the first of a key: that of at */
} hd_match_item;

typedef struct hd_matcher {
    hd_table       first; /* by key */
    hd_match_item *items; /* [n] */
    size_t         n, capacity;
} hd_matcher;

static inline uint64_t
hd_match_key(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* The next thing of that key in this round: its number, that of a new one where *is_new is set. */
uint32_t hd_match(hd_matcher *all, uint64_t key, uint32_t round, bool *is_new);
void     hd_matcher_fini(hd_matcher *all);

#endif
