/* src/profile/cost.h: what a location collected per metric and call path where the values contain quotients: delay
 * costs, impacts of the critical path, imbalance.
 *
 * Values are doubles, in ticks: their sum depends on the order of adding in the last digits. A table of severities that
 * holds the bits of doubles. Uses: severity.
 * MT: one thread at a time. Ranks: local. Grows with: as hd_severities.
 */
#ifndef HD_COST_H
#define HD_COST_H

#include <string.h>

#include "severity.h"

typedef struct hd_cost {
    uint32_t call_path; /* of the process while collecting, of the unified tree from hd_costs_take() on */
    uint32_t metric;    /* hd_metric, of unit HD_UNIT_TICKS */
    double   value;     /* [ticks] */
} hd_cost;

typedef struct hd_costs {
    hd_severities bits;
    hd_severity  *once; /* [n_once] bits, too */
    size_t        n_once, capacity_once;
} hd_costs;

void hd_costs_init(hd_costs *costs);
void hd_costs_fini(hd_costs *costs);

static inline void
hd_cost_add_to(int64_t *slot, double value)
{
    double sum;

    memcpy(&sum, slot, sizeof sum);
    sum += value;
    memcpy(slot, &sum, sizeof sum);
}

/* Adds value; O(1), allocation only where a new pair appears. */
static inline void
hd_cost_add(hd_costs *costs, hd_metric metric, uint32_t call_path, double value)
{
    hd_cost_add_to(hd_severities_slot(&costs->bits, metric, call_path), value);
}

typedef struct hd_near_costs { /* a location's of one metric, while no others are added */
    hd_severities     *all;
    hd_severity_slots *slots;
    uint32_t           n_slots;
    hd_metric          metric;
} hd_near_costs;

static inline hd_near_costs
hd_near_costs_of(hd_costs *costs, hd_metric metric)
{
    return (hd_near_costs){ .all = &costs->bits, .slots = costs->bits.slots, .n_slots = costs->bits.n_slots,
                            .metric = metric };
}

/* As hd_cost_add(). *hint: where the pair was last, in this table or another one, or anything; becomes where it is. */
static inline void
hd_near_costs_add(hd_near_costs *costs, uint32_t call_path, double value, uint32_t *hint)
{
    uint32_t i = *hint, n = costs->n_slots;

    if (HD_LIKELY(i < n && hd_severity_pairs(costs->slots, n)[i] == hd_severity_pair(costs->metric, call_path))) {
        hd_cost_add_to(&costs->slots->values[i], value);
        return;
    }
    hd_cost_add_to(hd_severities_find_far(costs->all, costs->metric, call_path, hint), value);
    costs->slots   = costs->all->slots;
    costs->n_slots = costs->all->n_slots;
}

/* As hd_cost_add() of a pair that is added to once or seldom: nothing is looked up. */
static inline void
hd_cost_put(hd_costs *costs, hd_metric metric, uint32_t call_path, double value)
{
    hd_severity pair = { .call_path = call_path, .metric = metric };

    memcpy(&pair.value, &value, sizeof value);
    HD_PUSH(costs->once, costs->n_once, costs->capacity_once, pair);
}

/* The next entry of a metric that was added, not put, in no order; *at begins at 0, nothing may be added meanwhile.
 * False: there is none. */
bool hd_costs_next(const hd_costs *costs, hd_metric metric, uint64_t *at, hd_cost *cost);

/* As hd_severities_take(): not zero, translated by map, sorted, equal pairs added up; free() it. */
hd_cost *hd_costs_take(hd_costs *costs, const uint32_t *map, size_t *n);

#endif
