/* src/report/series/count_sums.c: which counts a sum has, and its name. */
#include "count_sums.h"

#include "entry_sums.h"
#include "memory.h"
#include "metric.h"

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
    hd_entry_sums_add(&list->processes, &list->n_processes, is_part, sum);
    hd_entry_sums_add_paths(&list->paths, &list->n_paths, is_part, sum);
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
