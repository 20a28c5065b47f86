/* src/report/series/count_sums.c: entries of the counts of a sum, sorted by place and slice; equal ones become one. */
#include "count_sums.h"

#include "memory.h"
#include "metric.h"
#include "sort.h"

static uint64_t
key_of_process(const hd_series_entry *entry)
{
    return (uint64_t)entry->process << 32 | entry->slice;
}

static uint64_t
key_of_path(const hd_path_entry *entry)
{
    return (uint64_t)entry->path << 32 | entry->slice;
}

/* Adds to an array of the list those entries [n] of it that are of a name that is part of the sum, as entries of
 * `sum`. */
#define ADD_UP(type, array, n, key_of)                                                                                 \
    do {                                                                                                               \
        size_t hd_own = 0, hd_all = 0;                                                                                 \
        type  *hd_entries;                                                                                             \
                                                                                                                       \
        for (size_t hd_i = 0; hd_i < (n); hd_i++)                                                                      \
            hd_all += is_part[(array)[hd_i].metric];                                                                   \
        (array)    = hd_realloc((array), (n) + hd_all, sizeof *(array));                                               \
        hd_entries = &(array)[n];                                                                                      \
        for (size_t hd_i = 0; hd_i < (n); hd_i++)                                                                      \
            if (is_part[(array)[hd_i].metric])                                                                         \
                hd_entries[hd_own++] = (array)[hd_i];                                                                  \
        HD_SORT_BY_KEY(type, hd_entries, hd_own, key_of);                                                              \
        hd_all = 0;                                                                                                    \
        for (size_t hd_i = 0; hd_i < hd_own; hd_i++)                                                                   \
            if (hd_all > 0 && key_of(&hd_entries[hd_all - 1]) == key_of(&hd_entries[hd_i]))                            \
                hd_entries[hd_all - 1].value += hd_entries[hd_i].value;                                                \
            else                                                                                                       \
                hd_entries[hd_all++] = hd_entries[hd_i];                                                               \
        for (size_t hd_i = 0; hd_i < hd_all; hd_i++)                                                                   \
            hd_entries[hd_i].metric = sum;                                                                             \
        (n) += hd_all;                                                                                                 \
    } while (0)

static bool
is_sum(uint32_t metric)
{
    return hd_metric_is_count_over_time(metric) && hd_metric_infos[metric].kind == HD_KIND_S;
}

static void
add_sum(hd_counter_series_list *list, uint32_t metric)
{
    bool     is_part[HD_COUNTER_NAMES_MAX] = { false }, is_any = false;
    uint32_t sum = list->n_names;

    for (uint32_t i = list->n_counters; i < sum; i++) {
        uint32_t own = hd_metric_by_id(list->names[i]);

        is_part[i] = !is_sum(own) && hd_metric_is_within(own, metric);
        is_any |= is_part[i];
    }
    if (!is_any || sum == HD_COUNTER_NAMES_MAX)
        return;
    list->names[list->n_names++] = hd_strdup(hd_metric_infos[metric].id);
    ADD_UP(hd_series_entry, list->processes, list->n_processes, key_of_process);
    ADD_UP(hd_path_entry, list->paths, list->n_paths, key_of_path);
}

bool
hd_count_sums_have(const char *id)
{
    return is_sum(hd_metric_by_id(id));
}

void
hd_count_sums_add(hd_counter_series_list *list)
{
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        if (is_sum(metric))
            add_sum(list, metric);
}
