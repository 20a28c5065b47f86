/* replay/backward/effect.h: which waits of others a point of a location causes, distinguished by wait state and call
 * path.
 *
 *   hd_effect_costs   a sparse vector: waiting time per effect; goes by messages from the waiting location to its
 *                     delayer
 *   hd_effect_scales  scales in force on a location: what each tick of its own waiting costs others further on
 *
 * Scales are fixed-point numbers, so what was added is taken off exactly. Both are ascending by effect. Beyond
 * HD_EFFECTS_MAX effects at a time further ones are not distinguished by call path (hd_effect() of
 * HD_EFFECT_OTHERS).
 * Definition: docs/metrics.md#who-makes-whom-wait. Inside of the replay only. Uses: profile. MT: the worker's thread.
 * Ranks: local.
 * Memory: 16 bytes per effect of a vector, 24 per effect in force, 32 per effect of an interval in force.
 */
#ifndef HD_EFFECT_H
#define HD_EFFECT_H

#include "cause_table.h"
#include "memory.h"

#define HD_EFFECTS_MAX 64

typedef struct hd_effect_cost {
    uint32_t effect, unused;
    double   value; /* [ticks], or without unit as a scale; > 0 */
} hd_effect_cost;

typedef struct hd_effect_costs {
    hd_effect_cost *rows; /* [n] */
    size_t          n, capacity;
} hd_effect_costs;

__extension__ typedef unsigned __int128 hd_fixed __attribute__((aligned(8))); /* a scale: 72 bits before the point, 56
                                                                               * after it */

typedef struct hd_effect_scale {
    hd_fixed value;
    uint32_t effect;
} hd_effect_scale;

typedef struct hd_effect_scales {
    hd_effect_scale *rows; /* [n] none is 0 */
    size_t           n, capacity;
} hd_effect_scales;

typedef struct hd_effect_share { /* what one interval added, to be taken off where the interval begins */
    struct hd_effect_share *next;
    hd_effect_scale         scale;
} hd_effect_share;

void hd_effect_costs_fini(hd_effect_costs *costs);
void hd_effect_scales_fini(hd_effect_scales *scales);

/* Adds factor times the rows [n], which are ascending. Cost: O(n + costs->n). */
void hd_effect_costs_add(hd_effect_costs *costs, const hd_effect_cost *rows, size_t n, double factor);

/* Adds `own_value` of the effect `own`, then factor times the rows. Cost: O(n) where nothing is in costs. */
void hd_effect_costs_add_wait(hd_effect_costs *costs, uint32_t own, double own_value, const hd_effect_cost *rows,
                              size_t n, double factor);

/* Puts scales in force; what was added comes out, in elements of pool; NULL: nothing. */
hd_effect_share *hd_effect_scales_add(hd_effect_scales *scales, const hd_effect_costs *added, hd_pool *pool);
/* Takes it off again; the elements go back to pool. */
void hd_effect_scales_take_off(hd_effect_scales *scales, hd_effect_share *share, hd_pool *pool);

/* What a wait cost others: each of the scales times it. other: NULL, or further scales. Replaces what is in costs. */
void hd_effect_costs_of_wait(hd_effect_costs *costs, const hd_effect_scales *scales, const hd_effect_scales *other,
                             double wait);

#endif
