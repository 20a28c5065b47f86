/* src/report/series/entry_sums.c: entries of the parts, sorted by place and slice; equal ones become one. */
#include "entry_sums.h"

#include <math.h>

#include "memory.h"
#include "sort.h"

static inline uint64_t
key_of_process(const hd_series_entry *entry)
{
    return (uint64_t)entry->process << 32 | entry->slice;
}

static inline uint64_t
key_of_path(const hd_path_entry *entry)
{
    return (uint64_t)entry->path << 32 | entry->slice;
}

static void
join_processes(hd_series_entry *sum, const hd_series_entry *more)
{
    sum->value += more->value;
}

static void
join_paths(hd_path_entry *sum, const hd_path_entry *more)
{
    sum->value += more->value;
    sum->most    = NAN;
    sum->process = HD_NONE;
}

#define ADD_UP(type, key_of, join)                                                                                     \
    do {                                                                                                               \
        size_t hd_own = 0, hd_all = 0;                                                                                 \
        type  *hd_sums;                                                                                                \
                                                                                                                       \
        for (size_t hd_i = 0; hd_i < *n; hd_i++)                                                                       \
            hd_own += is_part[(*entries)[hd_i].metric];                                                                \
        if (hd_own == 0)                                                                                               \
            return;                                                                                                    \
        *entries = hd_realloc(*entries, *n + hd_own, sizeof **entries);                                                \
        hd_sums  = *entries + *n;                                                                                      \
        hd_own   = 0;                                                                                                  \
        for (size_t hd_i = 0; hd_i < *n; hd_i++)                                                                       \
            if (is_part[(*entries)[hd_i].metric])                                                                      \
                hd_sums[hd_own++] = (*entries)[hd_i];                                                                  \
        HD_SORT_BY_KEY(type, hd_sums, hd_own, key_of);                                                                 \
        for (size_t hd_i = 0; hd_i < hd_own; hd_i++)                                                                   \
            if (hd_all > 0 && key_of(&hd_sums[hd_all - 1]) == key_of(&hd_sums[hd_i]))                                  \
                join(&hd_sums[hd_all - 1], &hd_sums[hd_i]);                                                            \
            else {                                                                                                     \
                hd_sums[hd_all]          = hd_sums[hd_i];                                                              \
                hd_sums[hd_all++].metric = sum;                                                                        \
            }                                                                                                          \
        *n += hd_all;                                                                                                  \
    } while (0)

void
hd_entry_sums_add(hd_series_entry **entries, size_t *n, const bool *is_part, uint32_t sum)
{
    ADD_UP(hd_series_entry, key_of_process, join_processes);
}

void
hd_entry_sums_add_paths(hd_path_entry **entries, size_t *n, const bool *is_part, uint32_t sum)
{
    ADD_UP(hd_path_entry, key_of_path, join_paths);
}
