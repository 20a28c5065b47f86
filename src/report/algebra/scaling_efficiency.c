/* src/report/algebra/scaling_efficiency.c: efficiencies of each run from its report, and quotients of runs. */
#include "scaling_efficiency.h"

#include <math.h>
#include <stdlib.h>

#include "counter_patterns.h"
#include "memory.h"

const hd_scaling_factor_info hd_scaling_factor_infos[HD_N_SCALING_FACTORS] = {
#define INFO(id, depth, unit, name) { #id, unit, name, depth },
    HD_SCALING_FACTORS(INFO)
#undef INFO
};

/* What a run's values are computed from; NaN: not known. */
typedef struct run_sums {
    double threads, runtime, useful; /* [s] */
    double instructions, cycles;
} run_sums;

bool
hd_scaling_factor_is_share(hd_scaling_factor factor)
{
    return *hd_scaling_factor_infos[factor].unit == '\0' && factor != HD_SCALING_speedup;
}

/* ---- of a run ---------------------------------------------------------------------------------------------------- */

/* At call paths that compute; NaN: the report does not have it, or there is nothing. */
static hd_status
count(hd_cube *cube, const char *patterns, const bool *computes, double *sum)
{
    uint32_t  metric = hd_counter_find(cube, patterns);
    double   *values;
    hd_status status;

    *sum = NAN;
    if (metric == HD_NONE)
        return HD_OK;
    values = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    status = hd_cube_sum(cube, metric, computes, values);
    *sum   = 0;
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
        *sum += values[i];
    if (!(*sum > 0))
        *sum = NAN;
    free(values);
    return status;
}

static hd_status
count_all(hd_cube *cube, run_sums *sums)
{
    uint32_t  comp     = hd_cube_metric_by_id(cube, "comp");
    bool     *computes = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1), any;
    double   *row      = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status   = HD_OK;

    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK && comp != HD_NONE; path++) {
        status = hd_cube_row(cube, comp, path, row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK && any && !computes[path]; i++)
            computes[path] = row[i] > 0;
    }
    if (status == HD_OK)
        status = count(cube, HD_COUNTER_INSTRUCTIONS, computes, &sums->instructions);
    if (status == HD_OK)
        status = count(cube, HD_COUNTER_CYCLES, computes, &sums->cycles);
    free(row);
    free(computes);
    return status;
}

static void
take_factors(const hd_efficiency_entry *entry, double *values)
{
    double factors[HD_N_FACTORS];

    hd_factors_of(entry, factors);
#define TAKE(id) values[HD_SCALING_##id] = factors[HD_FACTOR_##id]
    TAKE(parallel);
    TAKE(load_balance);
    TAKE(communication);
    TAKE(serialisation);
    TAKE(transfer);
    TAKE(mpi_parallel);
    TAKE(mpi_load_balance);
    TAKE(mpi_communication);
    TAKE(mpi_serialisation);
    TAKE(mpi_transfer);
    TAKE(openmp_parallel);
    TAKE(openmp_load_balance);
    TAKE(openmp_communication);
#undef TAKE
}

static hd_status
read_run(hd_cube *cube, double *values, run_sums *sums)
{
    hd_efficiency_list         list;
    hd_status                  status = hd_efficiency_list_read(cube, &list);
    const hd_efficiency_entry *entry  = hd_efficiency_main(&list);

    *sums = (run_sums){ NAN, NAN, NAN, NAN, NAN };
    for (int f = 0; f < HD_N_SCALING_FACTORS; f++)
        values[f] = NAN;
    if (status == HD_OK && entry != NULL) {
        take_factors(entry, values);
        sums->threads = (double)entry->sums[HD_EFFICIENCY_threads];
        sums->runtime = hd_efficiency_runtime(entry);
        sums->useful  = (double)entry->sums[HD_EFFICIENCY_useful] / (double)entry->resolution;
        status        = count_all(cube, sums);
    }
    hd_efficiency_list_fini(&list);
    return status;
}

/* ---- of several -------------------------------------------------------------------------------------------------- */

static double
quotient(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* How many times as much work the run has, where it grows with the threads. */
static void
compare(const run_sums *run, const run_sums *reference, bool is_weak, double *values)
{
    double work = is_weak ? quotient(run->threads, reference->threads) : 1;

    values[HD_SCALING_runtime]   = run->runtime;
    values[HD_SCALING_useful]    = run->useful;
    values[HD_SCALING_speedup]   = quotient(work * reference->runtime, run->runtime);
    values[HD_SCALING_ipc]       = quotient(run->instructions, run->cycles);
    values[HD_SCALING_frequency] = quotient(run->cycles, run->useful);
    values[HD_SCALING_computation_scaling] = quotient(work * reference->useful, run->useful);
    values[HD_SCALING_global]    = values[HD_SCALING_parallel] * values[HD_SCALING_computation_scaling];
    values[HD_SCALING_instruction_scaling] = quotient(work * reference->instructions, run->instructions);
    values[HD_SCALING_ipc_scaling] = quotient(values[HD_SCALING_ipc],
                                              quotient(reference->instructions, reference->cycles));
    values[HD_SCALING_frequency_scaling] = quotient(values[HD_SCALING_frequency],
                                                    quotient(reference->cycles, reference->useful));
}

hd_status
hd_scaling_efficiencies_read(hd_cube *const *cubes, uint32_t n, bool is_weak, hd_scaling_efficiencies *all)
{
    run_sums *sums   = HD_NEW_ARRAY(run_sums, (size_t)n + 1);
    hd_status status = HD_OK;

    *all        = (hd_scaling_efficiencies){ .n_runs = n, .reference = HD_NONE, .is_weak = is_weak };
    all->values = hd_alloc((size_t)n + 1, sizeof *all->values);
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        status = read_run(cubes[i], all->values[i], &sums[i]);
        if (status == HD_OK && all->reference == HD_NONE && !isnan(sums[i].runtime))
            all->reference = i;
    }
    for (uint32_t i = 0; i < n && status == HD_OK && all->reference != HD_NONE; i++) {
        compare(&sums[i], &sums[all->reference], is_weak, all->values[i]);
        for (int f = 0; f < HD_N_SCALING_FACTORS; f++)
            all->has[f] |= !isnan(all->values[i][f]);
    }
    free(sums);
    if (status != HD_OK)
        hd_scaling_efficiencies_fini(all);
    return status;
}

void
hd_scaling_efficiencies_fini(hd_scaling_efficiencies *all)
{
    free(all->values);
    *all = (hd_scaling_efficiencies){ .reference = HD_NONE };
}
