#include "severity.h"

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

static void
resize(hd_severities *severities, uint32_t n_slots)
{
    hd_severities bigger = { .slots = hd_realloc(NULL, n_slots, sizeof(hd_severity)), .mask = n_slots - 1, .n = severities->n };

    for (uint32_t i = 0; i < n_slots; i++)
        bigger.slots[i] = (hd_severity){ .metric = HD_NONE };
    if (severities->slots != NULL)
        for (uint32_t i = 0; i <= severities->mask; i++)
            if (severities->slots[i].metric != HD_NONE)
                *probe(&bigger, severities->slots[i].metric, severities->slots[i].call_path) = severities->slots[i];
    free(severities->slots);
    *severities = bigger;
}

int64_t *
hd_severities_find(hd_severities *severities, hd_metric metric, uint32_t call_path)
{
    hd_severity *slot;

    if (severities->slots == NULL)
        resize(severities, 32);
    slot = probe(severities, metric, call_path);
    if (slot->metric != HD_NONE)
        return &slot->value;

    if (severities->n >= severities->mask - severities->mask / 4) {
        HD_ASSERT(severities->mask < UINT32_MAX / 2);
        resize(severities, 2 * (severities->mask + 1));
        slot = probe(severities, metric, call_path);
    }
    *slot = (hd_severity){ .call_path = call_path, .metric = metric };
    severities->n++;
    return &slot->value;
}

static inline uint32_t
digit_of(const hd_severity *entry, unsigned i_byte) /* byte 0 is the lowest of the metric, 4 the lowest of the call path */
{
    return (i_byte < 4 ? entry->metric >> 8 * i_byte : entry->call_path >> 8 * (i_byte - 4)) & 255;
}

/* By call path, then metric: one counting pass per byte that differs at all, mostly two or three of them. */
static hd_severity *
sorted(hd_severity *entries, size_t n)
{
    hd_severity *other = hd_realloc(NULL, n, sizeof *other);
    hd_severity  differ = { 0 };

    for (size_t i = 1; i < n; i++) {
        differ.metric |= entries[i].metric ^ entries[0].metric;
        differ.call_path |= entries[i].call_path ^ entries[0].call_path;
    }
    for (unsigned i_byte = 0; i_byte < 8; i_byte++) {
        size_t       start[256] = { 0 };
        size_t       sum        = 0;
        hd_severity *swap;

        if (digit_of(&differ, i_byte) == 0)
            continue;
        for (size_t i = 0; i < n; i++)
            start[digit_of(&entries[i], i_byte)]++;
        for (size_t i = 0; i < 256; i++) {
            size_t count = start[i];

            start[i] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            other[start[digit_of(&entries[i], i_byte)]++] = entries[i];
        swap    = entries;
        entries = other;
        other   = swap;
    }
    free(other);
    return entries;
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

hd_severity *
hd_severities_take_pairs(hd_severities *severities, const uint32_t *map, size_t *n)
{
    hd_severity *entries = severities->slots;
    size_t       n_used  = 0;

    if (entries != NULL)
        for (size_t i = 0; i <= severities->mask; i++)
            if (entries[i].metric != HD_NONE && entries[i].value != 0) {
                entries[n_used] = entries[i];
                if (map != NULL)
                    entries[n_used].call_path = map[entries[n_used].call_path];
                n_used++;
            }
    hd_severities_init(severities);
    *n = n_used;
    return n_used > 0 ? sorted(entries, n_used) : entries;
}

hd_severity *
hd_severities_take(hd_severities *severities, const uint32_t *map, size_t *n)
{
    hd_severity *entries = hd_severities_take_pairs(severities, map, n);

    *n = merge_equal(entries, *n);
    return hd_realloc(entries, *n > 0 ? *n : 1, sizeof *entries);
}
