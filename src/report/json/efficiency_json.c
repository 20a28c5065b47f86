/* src/report/json/efficiency_json.c: an object with the factors of a slice, by group. */
#include "efficiency_json.h"

#include <math.h>

static void
put_group(hd_json *json, const char *key, hd_factor_group group, const double *factors)
{
    if (key != NULL)
        hd_json_object(json, key);
    for (int f = 0; f < HD_N_FACTORS; f++)
        if (hd_factor_infos[f].group == group)
            hd_json_number(json, hd_factor_infos[f].key, factors[f]);
    if (key != NULL)
        hd_json_end(json);
}

void
hd_json_efficiency(hd_json *json, const char *key, const hd_efficiency_entry *entry)
{
    const uint64_t *sums = entry->sums;
    double          factors[HD_N_FACTORS], second = (double)entry->resolution;

    hd_factors_of(entry, factors);
    hd_json_object(json, key);
    hd_json_text(json, "kind", hd_slice_kinds[entry->kind]);
    if (entry->kind > HD_SLICE_WINDOW && entry->kind != HD_SLICE_REGION) {
        hd_json_number(json, "first", entry->n > 0 ? (double)entry->first : NAN);
        hd_json_count(json, "iterations", entry->n);
    }
    hd_json_number(json, "from", entry->has_bounds ? (double)entry->from / second : NAN);
    hd_json_number(json, "to", entry->has_bounds ? (double)entry->to / second : NAN);
    hd_json_number(json, "runtime", hd_efficiency_runtime(entry));
    hd_json_number(json, "ideal_runtime", entry->has_ideal ? (double)entry->ideal / second : NAN);
    hd_json_count(json, "processes", sums[HD_EFFICIENCY_processes]);
    hd_json_count(json, "threads", sums[HD_EFFICIENCY_threads]);
    hd_json_number(json, "useful", (double)sums[HD_EFFICIENCY_useful] / second);
    put_group(json, NULL, HD_FACTORS_BASIC, factors);
    if (hd_efficiency_is_hybrid(entry)) {
        hd_json_object(json, "hybrid");
        put_group(json, "mpi", HD_FACTORS_MPI, factors);
        put_group(json, "openmp", HD_FACTORS_OPENMP, factors);
        hd_json_end(json);
        put_group(json, "additive", HD_FACTORS_ADDITIVE, factors);
        put_group(json, "openmp_causes", HD_FACTORS_CAUSES, factors);
    } else {
        hd_json_null(json, "hybrid");
        hd_json_null(json, "additive");
        hd_json_null(json, "openmp_causes");
    }
    hd_json_number(json, "mpi_elsewhere", sums[HD_EFFICIENCY_mpi] > 0 ?
                   (double)sums[HD_EFFICIENCY_mpi_elsewhere] / (double)sums[HD_EFFICIENCY_mpi] : NAN);
    hd_json_end(json);
}
