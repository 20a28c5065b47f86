#include "severity.h"

#include "sort.h"
#include "status.h"

void
hd_severities_init(hd_severities *severities)
{
    *severities = (hd_severities){ 0 };
}

void
hd_severities_fini(hd_severities *severities)
{
    free(severities->slots);
    *severities = (hd_severities){ 0 };
}

static hd_severity *
probe(const hd_severities *severities, uint32_t metric, uint32_t call_path)
{
    uint32_t i = hd_severities_hash((hd_metric)metric, call_path) & severities->mask;

    while (severities->slots[i].metric != HD_NONE &&
           (severities->slots[i].metric != metric || severities->slots[i].call_path != call_path))
        i = (i + 1) & severities->mask;
    return &severities->slots[i];
}

/* For a pair that is not there. */
static inline hd_severity *
free_slot(hd_severity *slots, uint32_t mask, uint32_t metric, uint32_t call_path)
{
    uint32_t i = hd_severities_hash((hd_metric)metric, call_path) & mask;

    while (slots[i].metric != HD_NONE)
        i = (i + 1) & mask;
    return &slots[i];
}

static void
resize(hd_severities *severities, uint32_t n_slots)
{
    hd_severities bigger = { .slots = hd_realloc(NULL, n_slots, sizeof(hd_severity)), .mask = n_slots - 1,
                             .n = severities->n };

    for (uint32_t i = 0; i < n_slots; i += 4) /* four at once take half as long */
        bigger.slots[i].metric = bigger.slots[i + 1].metric = bigger.slots[i + 2].metric =
            bigger.slots[i + 3].metric = HD_NONE;
    if (severities->slots != NULL)
        for (const hd_severity *slot = severities->slots, *end = slot + severities->mask + 1; slot < end; slot++)
            if (slot->metric != HD_NONE)
                *free_slot(bigger.slots, bigger.mask, slot->metric, slot->call_path) = *slot;
    free(severities->slots);
    *severities = bigger;
}

void
hd_severities_make(hd_severities *severities)
{
    resize(severities, 8);
}

int64_t *
hd_severities_find(hd_severities *severities, hd_metric metric, uint32_t call_path)
{
    hd_severity *slot;

    if (severities->slots == NULL)
        hd_severities_make(severities);
    slot = probe(severities, metric, call_path);
    if (slot->metric != HD_NONE)
        return &slot->value;

    if (severities->n >= severities->mask - severities->mask / 4) {
        HD_ASSERT(severities->mask < UINT32_MAX / 2);
        resize(severities, 2 * (severities->mask + 1));
        slot = free_slot(severities->slots, severities->mask, metric, call_path);
    }
    *slot = (hd_severity){ .call_path = call_path, .metric = metric };
    severities->n++;
    return &slot->value;
}

int64_t *
hd_severities_find_far(hd_severities *severities, hd_metric metric, uint32_t call_path, uint32_t *hint)
{
    int64_t *value = hd_severities_slot(severities, metric, call_path);

    *hint = (uint32_t)((size_t)((char *)value - (char *)severities->slots) / sizeof *severities->slots);
    return value;
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
    hd_severity *entries = severities->slots;
    size_t       n_used  = 0;

    if (entries != NULL)
        for (size_t i = 0; i <= severities->mask; i++)
            if (entries[i].metric != HD_NONE && entries[i].value != 0)
                entries[n_used++] = entries[i];
    hd_severities_init(severities);
    *n = n_used;
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
