#include "metric.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory.h"

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

/* What tells wait states of one name and interface apart. */
static const struct {
    uint32_t    metric;
    const char *interface;
} interfaces[] = {
    { HD_METRIC_omp_ebarrier_wait, "OpenMP, explicit" },
    { HD_METRIC_omp_ibarrier_wait, "OpenMP, implicit" },
    { HD_METRIC_omp_lock_contention_critical, "OpenMP, critical" },
    { HD_METRIC_omp_lock_contention_api, "OpenMP, lock" },
    { HD_METRIC_pthread_lock_contention_mutex_lock, "POSIX threads, mutex" },
    { HD_METRIC_pthread_lock_contention_conditional, "POSIX threads, condition" },
    { HD_METRIC_mpi_rma_sync_late_post, "MPI, synchronization" },
    { HD_METRIC_mpi_rma_comm_late_post, "MPI, access" },
    { HD_METRIC_mpi_rma_sync_lock_competition, "MPI, synchronization" },
    { HD_METRIC_mpi_rma_comm_lock_competition, "MPI, access" },
    { HD_METRIC_mpi_rma_sync_wait_for_progress, "MPI, synchronization" },
    { HD_METRIC_mpi_rma_comm_wait_for_progress, "MPI, access" },
};

const char *
hd_metric_interface(uint32_t metric)
{
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; i++)
        if (interfaces[i].metric == metric)
            return interfaces[i].interface;
    switch (hd_metric_infos[metric].build) {
    case HD_BUILD_OPENMP:
    case HD_BUILD_OPENMP_EXTENSION: return "OpenMP";
    case HD_BUILD_PTHREAD:
    case HD_BUILD_PTHREAD_EXTENSION: return "POSIX threads";
    case HD_BUILD_SHMEM: return "SHMEM";
    default: return "MPI";
    }
}

char *
hd_metric_title(uint32_t metric)
{
    return hd_format("%s (%s)", hd_metric_infos[metric].name, hd_metric_interface(metric));
}

uint32_t
hd_metric_by_title(const char *title)
{
    uint32_t found = HD_NONE;

    for (uint32_t i = 0; i < HD_N_METRICS && found == HD_NONE; i++) {
        char *own = hd_metric_is_wait_state(i) ? hd_metric_title(i) : NULL;

        if (own != NULL && strcasecmp(own, title) == 0)
            found = i;
        free(own);
    }
    return found;
}

bool
hd_metric_is_startup(uint32_t metric)
{
    return hd_metric_is_wait_state(metric) && hd_metric_infos[metric].parent == HD_METRIC_mpi_init_exit;
}

const hd_metric hd_rma_calls[HD_N_RMA_CALLS] = { HD_METRIC_syncs_rma_active, HD_METRIC_syncs_rma_passive,
                                                 HD_METRIC_comms_rma_puts, HD_METRIC_comms_rma_gets,
                                                 HD_METRIC_comms_rma_atomics };

bool
hd_metric_is_within(uint32_t metric, uint32_t ancestor)
{
    while (metric != HD_NONE && metric != ancestor)
        metric = hd_metric_infos[metric].parent;
    return metric != HD_NONE;
}

bool
hd_metric_is_mpi_class(uint32_t metric)
{
    return metric < HD_N_METRICS && metric != HD_METRIC_mpi && hd_metric_infos[metric].kind != HD_KIND_R &&
           hd_metric_is_within(metric, HD_METRIC_mpi);
}

bool
hd_metric_is_count_over_time(uint32_t metric)
{
    return metric == HD_METRIC_visits ||
           ((hd_metric_is_within(metric, HD_METRIC_syncs) || hd_metric_is_within(metric, HD_METRIC_comms) ||
             hd_metric_is_within(metric, HD_METRIC_bytes)) &&
            strncmp(hd_metric_infos[metric].id, "mpi_", 4) != 0); /* numbers of waits */
}

bool
hd_metric_is_delay_cost(uint32_t metric)
{
    return metric < HD_N_METRICS && hd_metric_is_within(metric, HD_METRIC_delay);
}
