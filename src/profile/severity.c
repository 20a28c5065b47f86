#include "severity.h"

#include "sort.h"
#include "status.h"

enum { SLOT_BYTES = sizeof(int64_t) + sizeof(uint32_t) };

#define NEAR_CALL_PATHS (UINT32_C(1) << (32 - HD_SEVERITY_METRIC_BITS)) /* whose pairs have 32 bits */

void
hd_severities_init(hd_severities *severities)
{
    *severities = (hd_severities){ 0 };
}

void
hd_severities_fini(hd_severities *severities)
{
    if (severities->slots != NULL && severities->slots->far != NULL) {
        hd_severities_fini(severities->slots->far);
        free(severities->slots->far);
    }
    free(severities->slots);
    *severities = (hd_severities){ 0 };
}

/* Where a pair is, or the free slot where it would be. */
static uint32_t
place_of(const hd_severities *severities, uint64_t pair)
{
    const uint32_t *pairs = hd_severity_pairs(severities->slots, severities->n_slots);
    uint32_t        i     = hd_severities_first(severities->n_slots, pair);

    while (pairs[i] != HD_SEVERITY_FREE && pairs[i] != pair)
        i = i + 1 < severities->n_slots ? i + 1 : 0;
    return i;
}

static int64_t *
put(hd_severities *severities, uint32_t pair, int64_t value)
{
    uint32_t i = place_of(severities, pair);

    hd_severity_pairs(severities->slots, severities->n_slots)[i] = pair;
    severities->slots->values[i] = value;
    return &severities->slots->values[i];
}

static void
resize(hd_severities *severities, uint32_t n_slots)
{
    hd_severities   bigger = { .n_slots = n_slots, .n = severities->n };
    const uint32_t *pairs;

    bigger.slots      = hd_realloc(NULL, sizeof *bigger.slots + (size_t)n_slots * SLOT_BYTES, 1);
    bigger.slots->far = severities->slots != NULL ? severities->slots->far : NULL;
    memset(hd_severity_pairs(bigger.slots, n_slots), 0xFF, n_slots * sizeof *pairs);
    if (severities->slots != NULL) {
        pairs = hd_severity_pairs(severities->slots, severities->n_slots);
        for (uint32_t i = 0; i < severities->n_slots; i++)
            if (pairs[i] != HD_SEVERITY_FREE)
                put(&bigger, pairs[i], severities->slots->values[i]);
    }
    free(severities->slots);
    *severities = bigger;
}

void
hd_severities_make(hd_severities *severities)
{
    resize(severities, 8);
}

/* Four times as many; from 32 on half as many more, and a third more, in turn. */
static uint32_t
more_slots(uint32_t n_slots)
{
    if (n_slots < 32)
        return 32;
    return n_slots + n_slots / ((n_slots & (n_slots - 1)) == 0 ? 2 : 3);
}

static int64_t *
find_in_far(hd_severities *severities, hd_metric metric, uint32_t call_path)
{
    if (severities->slots->far == NULL)
        severities->slots->far = HD_NEW(hd_severities);
    return hd_severities_slot(severities->slots->far, metric, call_path - NEAR_CALL_PATHS);
}

int64_t *
hd_severities_find(hd_severities *severities, hd_metric metric, uint32_t call_path)
{
    uint32_t pair = (uint32_t)hd_severity_pair(metric, call_path), i;

    if (severities->slots == NULL)
        hd_severities_make(severities);
    if (HD_UNLIKELY(call_path >= NEAR_CALL_PATHS))
        return find_in_far(severities, metric, call_path);
    i = place_of(severities, pair);
    if (hd_severity_pairs(severities->slots, severities->n_slots)[i] == pair)
        return &severities->slots->values[i];

    if (severities->n >= severities->n_slots - severities->n_slots / 4 - 1) {
        HD_ASSERT(severities->n_slots < UINT32_MAX / 2);
        resize(severities, more_slots(severities->n_slots));
    }
    severities->n++;
    return put(severities, pair, 0);
}

int64_t *
hd_severities_find_far(hd_severities *severities, hd_metric metric, uint32_t call_path, uint32_t *hint)
{
    int64_t *value = hd_severities_slot(severities, metric, call_path);

    *hint = call_path < NEAR_CALL_PATHS ? (uint32_t)(value - severities->slots->values) : 0;
    return value;
}

bool
hd_severities_next(const hd_severities *severities, uint64_t *at, hd_severity *pair)
{
    uint64_t before = 0;

    for (uint32_t base = 0; severities != NULL && severities->slots != NULL; base += NEAR_CALL_PATHS) {
        const uint32_t *pairs = hd_severity_pairs(severities->slots, severities->n_slots);

        for (; *at < before + severities->n_slots; ++*at) {
            uint32_t i = (uint32_t)(*at - before);

            if (pairs[i] == HD_SEVERITY_FREE)
                continue;
            *pair = (hd_severity){ base + (pairs[i] >> HD_SEVERITY_METRIC_BITS),
                                   pairs[i] & ((1U << HD_SEVERITY_METRIC_BITS) - 1), severities->slots->values[i] };
            ++*at;
            return true;
        }
        before += severities->n_slots;
        severities = severities->slots->far;
    }
    return false;
}

static inline uint64_t
key_of(const hd_severity *entry)
{
    return (uint64_t)entry->call_path << 32 | entry->metric;
}

static size_t
merge_equal(hd_severity *entries, size_t n)
{
    size_t n_kept = 0;

    for (size_t i = 0; i < n;) {
        hd_severity sum = entries[i++];

        while (i < n && entries[i].call_path == sum.call_path && entries[i].metric == sum.metric)
            sum.value += entries[i++].value;
        if (sum.value != 0)
            entries[n_kept++] = sum;
    }
    return n_kept;
}

/* The entries that are not zero, in any order; may be NULL, else free() it. The table is empty afterwards. */
static hd_severity *
take_unsorted(hd_severities *severities, size_t *n)
{
    size_t       n_all = 0;
    hd_severity *entries, pair;

    for (const hd_severities *part = severities; part != NULL; part = part->slots != NULL ? part->slots->far : NULL)
        n_all += part->n;
    *n = 0;
    if (n_all == 0) {
        hd_severities_fini(severities);
        return NULL;
    }
    entries = HD_NEW_UNSET(hd_severity, n_all);
    for (uint64_t at = 0; hd_severities_next(severities, &at, &pair);)
        if (pair.value != 0)
            entries[(*n)++] = pair;
    hd_severities_fini(severities);
    return entries;
}

static inline uint64_t
metric_of(const hd_severity *entry)
{
    return entry->metric;
}

/* entries are given; equal ones stay in their order. If there are not many more call paths than entries, they are
 * counted. */
static hd_severity *
map_and_sort(hd_severity *entries, size_t n, const uint32_t *map)
{
    uint32_t     last = 0, *ends;
    hd_severity *sorted;

    for (size_t i = 0; i < n; i++) {
        entries[i].call_path = map != NULL ? map[entries[i].call_path] : entries[i].call_path;
        last                 = entries[i].call_path > last ? entries[i].call_path : last;
    }
    if (n <= HD_SORT_FEW || last / 4 > n || n > UINT32_MAX) {
        HD_SORT_BY_KEY(hd_severity, entries, n, key_of);
        return entries;
    }
    ends   = HD_NEW_ARRAY(uint32_t, (size_t)last + 2);
    sorted = HD_NEW_UNSET(hd_severity, n);
    for (size_t i = 0; i < n; i++)
        ends[entries[i].call_path + 1]++;
    for (size_t i = 1; i <= last; i++)
        ends[i + 1] += ends[i];
    for (size_t i = 0; i < n; i++)
        sorted[ends[entries[i].call_path]++] = entries[i];
    for (uint32_t i = 0, start = 0; i <= last; start = ends[i++])
        HD_SORT_BY_KEY(hd_severity, &sorted[start], ends[i] - start, metric_of);
    free(ends);
    free(entries);
    return sorted;
}

hd_severity *
hd_severities_take_pairs(hd_severities *severities, const hd_severity *more, size_t n_more, const uint32_t *map,
                         size_t *n)
{
    hd_severity *entries = take_unsorted(severities, n);

    if (n_more > 0) {
        entries = hd_realloc(entries, *n + n_more, sizeof *entries);
        memcpy(entries + *n, more, n_more * sizeof *entries);
        *n += n_more;
    }
    return map_and_sort(entries, *n, map);
}

hd_severity *
hd_severities_take(hd_severities *severities, const uint32_t *map, size_t *n)
{
    return hd_severities_take_with(severities, NULL, 0, map, n);
}

hd_severity *
hd_severities_take_with(hd_severities *severities, const hd_severity *more, size_t n_more, const uint32_t *map,
                        size_t *n)
{
    hd_severity *entries = hd_severities_take_pairs(severities, more, n_more, map, n);

    *n = merge_equal(entries, *n);
    return hd_realloc(entries, *n > 0 ? *n : 1, sizeof *entries);
}

hd_severity *
hd_severities_difference(const hd_severity *left, size_t n_left, const hd_severity *right, size_t n_right, size_t *n)
{
    hd_severity *rows = HD_NEW_ARRAY(hd_severity, n_left + n_right + 1);
    size_t       l = 0, r = 0;

    *n = 0;
    while (l < n_left || r < n_right) {
        bool takes_left  = r == n_right || (l < n_left && key_of(&left[l]) <= key_of(&right[r]));
        bool takes_right = l == n_left || (r < n_right && key_of(&right[r]) <= key_of(&left[l]));
        hd_severity row  = takes_left ? left[l] : right[r];

        row.value = (takes_left ? left[l].value : 0) - (takes_right ? right[r].value : 0);
        l += takes_left;
        r += takes_right;
        if (row.value != 0)
            rows[(*n)++] = row;
    }
    return rows;
}
