#include "cost.h"

void
hd_costs_init(hd_costs *costs)
{
    *costs = (hd_costs){ 0 };
    hd_severities_init(&costs->bits);
}

void
hd_costs_fini(hd_costs *costs)
{
    hd_severities_fini(&costs->bits);
    free(costs->once);
    *costs = (hd_costs){ 0 };
}

static hd_cost
cost_of(const hd_severity *pair)
{
    hd_cost cost = { .call_path = pair->call_path, .metric = pair->metric };

    memcpy(&cost.value, &pair->value, sizeof cost.value);
    return cost;
}

bool
hd_costs_next(const hd_costs *costs, hd_metric metric, uint64_t *at, hd_cost *cost)
{
    hd_severity pair;

    while (hd_severities_next(&costs->bits, at, &pair))
        if (pair.metric == (uint32_t)metric) {
            *cost = cost_of(&pair);
            return true;
        }
    return false;
}

hd_cost *
hd_costs_take(hd_costs *costs, const uint32_t *map, size_t *n)
{
    size_t       n_pairs, n_kept = 0;
    hd_severity *pairs = hd_severities_take_pairs(&costs->bits, costs->once, costs->n_once, map, &n_pairs);
    hd_cost     *taken = HD_NEW_UNSET(hd_cost, n_pairs + 1);

    for (size_t i = 0; i < n_pairs;) {
        hd_cost sum = cost_of(&pairs[i++]);

        while (i < n_pairs && pairs[i].call_path == sum.call_path && pairs[i].metric == sum.metric)
            sum.value += cost_of(&pairs[i++]).value;
        if (sum.value != 0)
            taken[n_kept++] = sum;
    }
    free(pairs);
    hd_costs_fini(costs);
    *n = n_kept;
    return taken;
}
