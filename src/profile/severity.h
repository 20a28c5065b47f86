/* src/profile/severity.h: what a location collected per metric and call path, sparse.
 *
 * Values are integer ticks, counts or bytes, so their sum does not depend on the order of adding. Uses: metric, base.
 * MT: one thread at a time (the location's host while replaying). Ranks: local.
 * Grows with: (metric, call path) pairs that are not zero, 12 bytes each at a load of at most 3/4.
 */
#ifndef HD_SEVERITY_H
#define HD_SEVERITY_H

#include "memory.h"
#include "metric.h"
#include "types.h"

typedef struct hd_severity {
    uint32_t call_path; /* of the process while collecting, of the unified tree from hd_severities_take() on */
    uint32_t metric;    /* hd_metric */
    int64_t  value;     /* [ticks], [occurrences] or [bytes] */
} hd_severity;

/* What a slot has for a pair: both in 32 bits; a larger one is in no slot. */
#define HD_SEVERITY_METRIC_BITS 9
#define HD_SEVERITY_FREE UINT32_MAX

_Static_assert(HD_N_METRICS < 1 << HD_SEVERITY_METRIC_BITS, "a pair has nine bits for the metric");

typedef struct hd_severity_slots { /* one block: open addressing */
    struct hd_severities *far;     /* pairs that are too large, with what remains of their call paths; NULL: none */
    int64_t               values[]; /* [n_slots], then the pairs */
} hd_severity_slots;

typedef struct hd_severities {
    hd_severity_slots *slots; /* NULL: none */
    uint32_t           n_slots, n; /* n: taken ones */
} hd_severities;

static inline uint64_t
hd_severity_pair(hd_metric metric, uint32_t call_path)
{
    return (uint64_t)call_path << HD_SEVERITY_METRIC_BITS | (uint32_t)metric;
}

static inline uint32_t *
hd_severity_pairs(hd_severity_slots *slots, uint32_t n_slots)
{
    return (uint32_t *)(void *)&slots->values[n_slots];
}

void     hd_severities_init(hd_severities *severities);
void     hd_severities_fini(hd_severities *severities);
int64_t *hd_severities_find(hd_severities *severities, hd_metric metric, uint32_t call_path); /* for the next one */
void     hd_severities_make(hd_severities *severities); /* slots, where there are none */
/* As hd_severities_slot(). *hint becomes where it is. */
int64_t *hd_severities_find_far(hd_severities *severities, hd_metric metric, uint32_t call_path, uint32_t *hint);
/* The next pair, in no order; *at begins at 0, nothing may be added meanwhile. False: there is none. */
bool     hd_severities_next(const hd_severities *severities, uint64_t *at, hd_severity *pair);

/* The slot in which a pair is looked for first. */
static inline uint32_t
hd_severities_first(uint32_t n_slots, uint64_t pair)
{
    return (uint32_t)((pair * UINT64_C(0x9E3779B97F4A7C15) >> 32) * n_slots >> 32); /* the upper bits are mixed best */
}

/* The value of a pair, made and zero if it is not there; valid until the next call. Looked up inline, as mostly it is
 * there. */
static inline int64_t *
hd_severities_slot(hd_severities *severities, hd_metric metric, uint32_t call_path)
{
    uint64_t           pair  = hd_severity_pair(metric, call_path);
    hd_severity_slots *slots = severities->slots;
    uint32_t           n     = severities->n_slots, i;
    const uint32_t    *pairs;

    if (HD_UNLIKELY(slots == NULL))
        return hd_severities_find(severities, metric, call_path);
    pairs = hd_severity_pairs(slots, n);
    for (i = hd_severities_first(n, pair);; i = i + 1 < n ? i + 1 : 0) {
        if (HD_LIKELY(pairs[i] == pair))
            return &slots->values[i];
        if (pairs[i] == HD_SEVERITY_FREE)
            break;
    }
    return hd_severities_find(severities, metric, call_path);
}

/* Adds value; O(1), allocation only where a new pair appears. */
static inline void
hd_severity_add(hd_severities *severities, hd_metric metric, uint32_t call_path, int64_t value)
{
    *hd_severities_slot(severities, metric, call_path) += value;
}

/* The entries that are not zero, call paths translated by map (NULL: kept), sorted by call path, then metric, equal
 * pairs added up; free() it. The table is empty afterwards. */
hd_severity *hd_severities_take(hd_severities *severities, const uint32_t *map, size_t *n);
/* The same together with other entries, [n_more] with call paths as those in the table. */
hd_severity *hd_severities_take_with(hd_severities *severities, const hd_severity *more, size_t n_more,
                                     const uint32_t *map, size_t *n);
/* What is in left but not in right, both in the order of hd_severities_take(); free() it. */
hd_severity *hd_severities_difference(const hd_severity *left, size_t n_left, const hd_severity *right, size_t n_right,
                                      size_t *n);
/* As hd_severities_take_with(), equal pairs one after the other; may be NULL. */
hd_severity *hd_severities_take_pairs(hd_severities *severities, const hd_severity *more, size_t n_more,
                                      const uint32_t *map, size_t *n);

#endif
