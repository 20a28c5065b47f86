#include "metric.h"

#include <string.h>

#define HD_METRIC_none HD_NONE
#define ROW(row_id, row_parent, row_name, row_unit, row_kind, row_build, row_bound, row_what)                          \
    [HD_METRIC_##row_id] = {                                                                                           \
        .id     = #row_id,                                                                                             \
        .name   = row_name,                                                                                            \
        .what   = row_what,                                                                                            \
        .parent = HD_METRIC_##row_parent,                                                                              \
        .unit   = HD_UNIT_##row_unit,                                                                                  \
        .kind   = HD_KIND_##row_kind,                                                                                  \
        .build  = HD_BUILD_##row_build,                                                                                \
        .bound  = HD_BOUND_##row_bound,                                                                                \
    },

const hd_metric_info hd_metric_infos[HD_N_METRICS] = { HD_METRICS(ROW) };

#define BUILD(name, facts, compat_facts, needs) [HD_BUILD_##name] = { facts, compat_facts, needs },

const hd_metric_build_info hd_metric_build_infos[HD_N_BUILDS] = { HD_METRIC_BUILDS(BUILD) };

uint32_t
hd_metric_by_id(const char *id)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        if (strcmp(hd_metric_infos[i].id, id) == 0)
            return i;
    return HD_NONE;
}

bool
hd_metric_is_wait_state(uint32_t metric)
{
    uint32_t parent;

    if (metric == HD_NONE || hd_metric_infos[metric].kind != HD_KIND_R || metric == HD_METRIC_omp_management)
        return false;
    parent = hd_metric_infos[metric].parent;
    return metric == HD_METRIC_mpi_nbc_wait ||
           (metric < HD_METRIC_visits && parent != HD_NONE && hd_metric_infos[parent].kind != HD_KIND_R);
}
