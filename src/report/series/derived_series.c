/* src/report/series/derived_series.c: which metrics a sum has; distances of computation from its mean. */
#include "derived_series.h"

#include <math.h>
#include <stdlib.h>

#include "entry_sums.h"
#include "memory.h"

bool
hd_metric_is_imbalance_over_time(uint32_t metric)
{
    return metric == HD_METRIC_imbalance || metric == HD_METRIC_imbalance_above || metric == HD_METRIC_imbalance_below;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* Of classes of MPI calls, or of delay costs. */
static bool
is_sum(uint32_t metric)
{
    return (hd_metric_is_mpi_class(metric) || hd_metric_is_delay_cost(metric)) &&
           hd_metric_infos[metric].kind == HD_KIND_S;
}

/* Which metrics of a table the sum has. is_part: out, [HD_SERIES_DURATION + 1], false */
static void
find_parts(uint32_t sum, bool *is_part)
{
    bool of_delays = hd_metric_is_delay_cost(sum);

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        is_part[metric] = (of_delays ? hd_metric_is_delay_cost(metric) : hd_metric_is_mpi_class(metric)) &&
                          !is_sum(metric) && hd_metric_is_within(metric, sum);
}

void
hd_derived_series_add_paths(hd_path_series_list *paths, uint32_t metric)
{
    bool is_part[HD_SERIES_DURATION + 1] = { false };

    if (!is_sum(metric))
        return;
    find_parts(metric, is_part);
    hd_entry_sums_add_paths(&paths->entries, &paths->n, is_part, metric);
}

/* ---- imbalance --------------------------------------------------------------------------------------------------- */

typedef struct computation {
    double  *values;    /* [n_rows][n_slices] */
    uint32_t n_rows, n_slices, n_together; /* processes in a row, but for the last one */
} computation;

/* n_rows is 0 if there is none. free() values. */
static computation
computation_of(const hd_series_entry *entries, size_t n, uint32_t n_slices, uint32_t n_processes)
{
    computation of = { .n_slices = n_slices };

    for (size_t i = 0; i < n; i++)
        if (entries[i].metric == HD_METRIC_comp && entries[i].n_processes > of.n_together)
            of.n_together = entries[i].n_processes;
    if (of.n_together == 0)
        return of;
    of.n_rows = (n_processes - 1) / of.n_together + 1;
    of.values = HD_NEW_ARRAY(double, (size_t)of.n_rows * n_slices);
    for (size_t i = 0; i < n; i++)
        if (entries[i].metric == HD_METRIC_comp && entries[i].process / of.n_together < of.n_rows &&
            entries[i].slice < n_slices)
            of.values[(size_t)(entries[i].process / of.n_together) * n_slices + entries[i].slice] += entries[i].value;
    return of;
}

static double
imbalance(uint32_t metric, double distance)
{
    return metric == HD_METRIC_imbalance       ? fabs(distance) :
           metric == HD_METRIC_imbalance_above ? fmax(distance, 0) : fmax(-distance, 0);
}

static void
add_imbalance(hd_series_entry **entries, size_t *n, uint32_t n_slices, uint32_t metric, uint32_t n_processes)
{
    computation  of   = computation_of(*entries, *n, n_slices, n_processes);
    long double *sums = HD_NEW_ARRAY(long double, (size_t)n_slices + 1); /* so that equal ones have no distance */

    for (uint32_t row = 0; row < of.n_rows; row++)
        for (uint32_t slice = 0; slice < n_slices; slice++)
            sums[slice] += (long double)of.values[(size_t)row * n_slices + slice];
    *entries = hd_realloc(*entries, *n + (size_t)of.n_rows * n_slices + 1, sizeof **entries);
    for (uint32_t row = 0; row < of.n_rows; row++) {
        uint32_t first = row * of.n_together;
        uint32_t width = n_processes - first < of.n_together ? n_processes - first : of.n_together;

        for (uint32_t slice = 0; slice < n_slices; slice++) {
            double mean  = (double)(width * sums[slice] / n_processes); /* of as many processes */
            double value = imbalance(metric, of.values[(size_t)row * n_slices + slice] - mean);

            if (value > 0)
                (*entries)[(*n)++] = (hd_series_entry){ .metric = metric, .process = first, .n_processes = width,
                                                        .slice = slice, .value = value };
        }
    }
    free(of.values);
    free(sums);
}

void
hd_derived_series_add(hd_series_list *windows, hd_iteration_list *iterations, uint32_t metric, uint32_t n_processes)
{
    if (metric == HD_NONE || metric == HD_SERIES_DURATION || n_processes == 0)
        return;
    if (is_sum(metric)) {
        bool is_part[HD_SERIES_DURATION + 1] = { false };

        find_parts(metric, is_part);
        hd_entry_sums_add(&windows->entries, &windows->n, is_part, metric);
        hd_entry_sums_add(&iterations->entries, &iterations->n, is_part, metric);
    } else if (hd_metric_is_imbalance_over_time(metric)) {
        add_imbalance(&windows->entries, &windows->n, windows->n_slices, metric, n_processes);
        add_imbalance(&iterations->entries, &iterations->n, iterations->n_slices + 3, metric, n_processes);
    }
}
