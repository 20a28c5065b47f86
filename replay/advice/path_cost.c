/* replay/advice/path_cost.c: sums of delay costs, critical path and time over the locations of all ranks. */
#include "path_cost.h"

#include <math.h>
#include <stdlib.h>

#include "hypothesis.h"
#include "memory.h"

enum { TIME, CRITICAL, DELAY, N_SUMS };

static bool
is_delay(uint32_t metric)
{
    for (size_t i = 0; i < HD_N_DELAYS; i++)
        if (metric == hd_delay_infos[i].short_term || metric == hd_delay_infos[i].long_term)
            return true;
    return false;
}

/* Costs have fractions of a tick, whose last digits depend on the order of messages: whole ticks do not. */
static void
add_location(const hd_location_result *location, uint32_t n, uint64_t *sums, uint64_t *longest)
{
    double *delays = HD_NEW_ARRAY(double, n);

    for (size_t i = 0; i < location->n; i++) {
        const hd_severity *entry = &location->entries[i];

        if (entry->metric != HD_METRIC_time || entry->value <= 0)
            continue;
        sums[(size_t)TIME * n + entry->call_path] += (uint64_t)entry->value;
        longest[entry->call_path] = (uint64_t)entry->value > longest[entry->call_path] ? (uint64_t)entry->value
                                                                                       : longest[entry->call_path];
    }
    for (size_t i = 0; i < location->n_costs; i++) {
        const hd_cost *cost = &location->costs[i];

        if (cost->metric == HD_METRIC_critical_path && cost->value > 0)
            sums[(size_t)CRITICAL * n + cost->call_path] += (uint64_t)llround(cost->value);
        else if (is_delay(cost->metric))
            delays[cost->call_path] += cost->value;
    }
    for (uint32_t i = 0; i < n; i++)
        sums[(size_t)DELAY * n + i] += delays[i] > 0 ? (uint64_t)llround(delays[i]) : 0;
    free(delays);
}

/* Computation, or the measurement around it: what is below counts for it. */
static bool
is_counted(const hd_defs *defs, const hd_calltree *tree, uint32_t path)
{
    return hd_defs_regions(defs)[tree->nodes[path].region].region_class == HD_CLASS_INTERNAL ||
           hd_is_computation(defs, tree, path);
}

/* Children have higher numbers than their parents. */
static void
add_what_is_below(const hd_defs *defs, const hd_calltree *tree, hd_path_cost *costs)
{
    uint64_t *time = HD_NEW_ARRAY(uint64_t, tree->n), *critical = HD_NEW_ARRAY(uint64_t, tree->n);

    for (uint32_t i = tree->n; i-- > 0;) {
        uint32_t parent = tree->nodes[i].parent;

        if (!is_counted(defs, tree, i)) {
            costs[i].critical = costs[i].delay = 0;
            continue;
        }
        time[i] += costs[i].time;
        critical[i] += costs[i].critical;
        costs[i].imbalance = (int64_t)critical[i] - (int64_t)(time[i] / defs->n_locations);
        costs[i].imbalance = costs[i].imbalance > 0 ? costs[i].imbalance : 0;
        if (parent == HD_NONE)
            continue;
        time[parent] += time[i];
        critical[parent] += critical[i];
        costs[parent].delay += costs[i].delay;
    }
    free(time);
    free(critical);
}

hd_path_cost *
hd_path_costs_new(hd_analysis_comm *analysis_comm, const hd_defs *defs, const hd_calltree *tree,
                  const hd_location_result *locations, uint32_t n_locations)
{
    uint64_t     *sums    = HD_NEW_ARRAY(uint64_t, (size_t)N_SUMS * tree->n);
    uint64_t     *longest = HD_NEW_ARRAY(uint64_t, tree->n);
    hd_path_cost *costs   = HD_NEW_ARRAY(hd_path_cost, tree->n);

    for (uint32_t i = 0; i < n_locations; i++)
        add_location(&locations[i], tree->n, sums, longest);
    hd_analysis_comm_reduce(analysis_comm, sums, (size_t)N_SUMS * tree->n, HD_SUM);
    hd_analysis_comm_reduce(analysis_comm, longest, tree->n, HD_MAX);
    for (uint32_t i = 0; i < tree->n; i++)
        costs[i] = (hd_path_cost){ .time = sums[(size_t)TIME * tree->n + i], .longest = longest[i],
                                   .critical = sums[(size_t)CRITICAL * tree->n + i],
                                   .delay = sums[(size_t)DELAY * tree->n + i] };
    add_what_is_below(defs, tree, costs);
    free(sums);
    free(longest);
    return costs;
}
