/* src/profile/severity.h: what a location collected per metric and call path, sparse.
 *
 * Values are integer ticks, counts or bytes, so their sum does not depend on the order of adding. Uses: metric, base.
 * MT: one thread at a time (the location's host while replaying). Ranks: local.
 * Grows with: (metric, call path) pairs that are not zero, 16 bytes each at a load of at most 3/4.
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

_Static_assert(HD_N_METRICS <= 512, "hd_severities_home() has nine bits for the metric");

typedef struct hd_severities {
    hd_severity *slots; /* open addressing; metric == HD_NONE: free */
    uint32_t     n_slots, n;
} hd_severities;

/* How many slots a table has, and where pairs are; always the same one for a table. */
typedef enum hd_slots_kind {
    HD_SLOTS_FEW,  /* a power of two, or three times one */
    HD_SLOTS_ALIKE /* a power of two: a pair has mostly the same place in tables of several sizes (hd_near_costs) */
} hd_slots_kind;


void     hd_severities_init(hd_severities *severities);
void     hd_severities_fini(hd_severities *severities);
/* The value, 0, of a pair that is not there yet. */
int64_t *hd_severities_put(hd_severities *severities, hd_metric metric, uint32_t call_path, hd_slots_kind kind);
void     hd_severities_make(hd_severities *severities); /* slots, where there are none */
/* As hd_severities_slot_of() HD_SLOTS_ALIKE. *hint becomes where it is. */
int64_t *hd_severities_find_far(hd_severities *severities, hd_metric metric, uint32_t call_path, uint32_t *hint);

/* Where a pair is, or behind that. */
static inline uint32_t
hd_severities_home(uint32_t n_slots, hd_metric metric, uint32_t call_path, hd_slots_kind kind)
{
    uint64_t hash = ((uint64_t)call_path << 9 | (uint32_t)metric) * UINT64_C(0x9E3779B97F4A7C15);

    if (kind == HD_SLOTS_ALIKE)
        return (uint32_t)(hash >> 36) & (n_slots - 1);     /* the upper bits are mixed best */
    return (uint32_t)((hash >> 32) * n_slots >> 32);
}

static inline uint32_t
hd_severities_next(uint32_t n_slots, uint32_t i)
{
    return i + 1 < n_slots ? i + 1 : 0;
}

/* The value of a pair, made and zero if it is not there; valid until the next call. Looked up inline, as mostly it is
 * there. */
static inline __attribute__((always_inline)) int64_t *
hd_severities_slot_of(hd_severities *severities, hd_metric metric, uint32_t call_path, hd_slots_kind kind)
{
    uint32_t i = hd_severities_home(severities->n_slots, metric, call_path, kind);

    for (; HD_LIKELY(severities->slots != NULL); i = hd_severities_next(severities->n_slots, i)) {
        hd_severity *slot = &severities->slots[i];

        if (HD_LIKELY(slot->metric == (uint32_t)metric && slot->call_path == call_path))
            return &slot->value;
        if (slot->metric == HD_NONE)
            break;
    }
    return hd_severities_put(severities, metric, call_path, kind);
}

static inline int64_t *
hd_severities_slot(hd_severities *severities, hd_metric metric, uint32_t call_path)
{
    return hd_severities_slot_of(severities, metric, call_path, HD_SLOTS_FEW);
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
