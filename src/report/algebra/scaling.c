#include "scaling.h"

#include <math.h>

#include "comparison.h"
#include "memory.h"

/* ---- sizes of runs --------------------------------------------------------------------------------------------------------------- */

static uint32_t
count_processes(const hd_cube *cube)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cube->n_groups; i++)
        n += strcmp(cube->groups[i].type, "process") == 0;
    return n > 0 ? n : cube->n_groups;
}

static int
compare_sizes(const void *a_, const void *b_)
{
    const hd_cube *a = *(hd_cube *const *)a_, *b = *(hd_cube *const *)b_;
    uint32_t       n_a = count_processes(a), n_b = count_processes(b);

    if (n_a != n_b)
        return n_a < n_b ? -1 : 1;
    return (a->n_locations > b->n_locations) - (a->n_locations < b->n_locations);
}

/* Few reports: keeps those of one size in the order in which they are given. */
void
hd_scaling_sort(hd_cube **cubes, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        hd_cube *cube = cubes[i];
        uint32_t at   = i;

        for (; at > 0 && compare_sizes(&cubes[at - 1], &cube) > 0; at--)
            cubes[at] = cubes[at - 1];
        cubes[at] = cube;
    }
}

uint32_t
hd_scaling_size(const hd_scaling *scaling, uint32_t run)
{
    return scaling->by_locations ? scaling->runs[run].n_locations : scaling->runs[run].n_processes;
}

/* ---- series ---------------------------------------------------------------------------------------------------------------------- */

double
hd_scaling_share(const hd_scaling *scaling, const hd_scaling_series *series, uint32_t run)
{
    return scaling->runs[run].time > 0 ? 100 * series->values[run] / scaling->runs[run].time : NAN;
}

/* The slope of the straight line through share and logarithm of the size. */
static double
growth_of(const hd_scaling *scaling, const hd_scaling_series *series)
{
    double n = 0, sum_x = 0, sum_y = 0, xx = 0, xy = 0;

    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        double y = hd_scaling_share(scaling, series, i);

        if (isnan(y) || hd_scaling_size(scaling, i) == 0)
            continue;
        n++;
        sum_x += log2(hd_scaling_size(scaling, i));
        sum_y += y;
    }
    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        double x = log2(hd_scaling_size(scaling, i)) - sum_x / n, y = hd_scaling_share(scaling, series, i);

        if (isnan(y) || hd_scaling_size(scaling, i) == 0)
            continue;
        xx += x * x;
        xy += x * (y - sum_y / n);
    }
    return xx > 0 ? xy / xx : NAN;
}

static hd_status
sum_metric(hd_scaling *scaling, uint32_t metric)
{
    hd_scaling_series *series  = &scaling->metrics[metric];
    double            *of_path = metric == scaling->time ? HD_NEW_ARRAY(double, (size_t)scaling->model->n_paths + 1) : NULL;
    hd_status          status  = HD_OK;

    series->values = HD_NEW_ARRAY(double, scaling->n_runs);
    for (uint32_t c = 0; c < scaling->n_runs && status == HD_OK; c++) {
        series->values[c] = NAN;
        if (scaling->alignment->metric_of[c][metric] != HD_NONE)
            status = hd_alignment_total(scaling->alignment, c, metric, NULL, of_path, &series->values[c]);
        for (uint32_t i = 0; of_path != NULL && i < scaling->model->n_paths; i++)
            scaling->paths[i].values[c] = of_path[i];
    }
    free(of_path);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------------- */

static void
take_runs(hd_scaling *scaling)
{
    scaling->runs         = HD_NEW_ARRAY(hd_scaling_run, scaling->n_runs);
    scaling->by_locations = true;
    for (uint32_t c = 0; c < scaling->n_runs; c++) {
        const hd_cube *cube = scaling->alignment->cubes[c];

        scaling->runs[c] = (hd_scaling_run){ .cube = cube, .n_processes = count_processes(cube), .n_locations = cube->n_locations };
        scaling->by_locations &= scaling->runs[c].n_processes == scaling->runs[0].n_processes;
    }
}

static void
find_time(hd_scaling *scaling)
{
    scaling->time = hd_cube_metric_by_id(scaling->model, "time");
    for (uint32_t c = 0; c < scaling->n_runs && scaling->time != HD_NONE; c++)
        if (scaling->alignment->metric_of[c][scaling->time] == HD_NONE)
            scaling->time = HD_NONE;
    if (scaling->time == HD_NONE)
        return;
    scaling->paths = HD_NEW_ARRAY(hd_scaling_series, (size_t)scaling->model->n_paths + 1);
    for (uint32_t i = 0; i < scaling->model->n_paths; i++)
        scaling->paths[i].values = HD_NEW_ARRAY(double, scaling->n_runs);
}

hd_status
hd_scaling_new(hd_alignment *alignment, hd_scaling **scaling_out)
{
    hd_scaling *scaling = HD_NEW(hd_scaling);
    hd_status   status  = HD_OK;

    scaling->alignment = alignment;
    scaling->model     = &alignment->model;
    scaling->n_runs    = alignment->n_cubes;
    scaling->metrics   = HD_NEW_ARRAY(hd_scaling_series, (size_t)scaling->model->n_metrics + 1);
    take_runs(scaling);
    find_time(scaling);
    for (uint32_t i = 0; i < scaling->model->n_metrics && status == HD_OK; i++)
        status = sum_metric(scaling, i);
    for (uint32_t c = 0; status == HD_OK && scaling->time != HD_NONE && c < scaling->n_runs; c++)
        scaling->runs[c].time = scaling->metrics[scaling->time].values[c];
    for (uint32_t i = 0; status == HD_OK && i < scaling->model->n_metrics; i++)
        scaling->metrics[i].growth = hd_is_time(&scaling->model->metrics[i]) ? growth_of(scaling, &scaling->metrics[i]) : NAN;
    for (uint32_t i = 0; status == HD_OK && scaling->paths != NULL && i < scaling->model->n_paths; i++)
        scaling->paths[i].growth = growth_of(scaling, &scaling->paths[i]);
    if (status == HD_OK)
        *scaling_out = scaling;
    else
        hd_scaling_free(scaling);
    return status;
}

void
hd_scaling_free(hd_scaling *scaling)
{
    if (scaling == NULL)
        return;
    for (uint32_t i = 0; i < scaling->model->n_metrics; i++)
        free(scaling->metrics[i].values);
    for (uint32_t i = 0; scaling->paths != NULL && i < scaling->model->n_paths; i++)
        free(scaling->paths[i].values);
    free(scaling->metrics);
    free(scaling->paths);
    free(scaling->runs);
    free(scaling);
}

/* ---- what is worth a line ------------------------------------------------------------------------------------------------------------ */

double
hd_scaling_strong_efficiency(const hd_scaling *scaling, uint32_t run)
{
    return scaling->runs[0].time / scaling->runs[run].time;
}

double
hd_scaling_weak_efficiency(const hd_scaling *scaling, uint32_t run)
{
    const hd_scaling_run *first = &scaling->runs[0], *one = &scaling->runs[run];

    return first->time / first->n_locations / (one->time / one->n_locations);
}

bool
hd_scaling_is_notable(const hd_scaling *scaling, uint32_t metric)
{
    uint32_t root = metric;
    bool     is   = false;

    while (scaling->model->metrics[root].parent != HD_NONE)
        root = scaling->model->metrics[root].parent;
    if (root != scaling->time || !hd_is_time(&scaling->model->metrics[metric]))
        return false;
    for (uint32_t i = 0; i < scaling->n_runs; i++)
        is |= hd_scaling_share(scaling, &scaling->metrics[metric], i) >= 100 * HD_NOTABLE_SHARE;
    return is || metric == scaling->time;
}

uint32_t
hd_scaling_paths(const hd_scaling *scaling, uint32_t *paths, uint32_t max_n)
{
    uint32_t n = 0;

    for (uint32_t i = 0; scaling->paths != NULL && max_n > 0 && i < scaling->model->n_paths; i++) {
        double   growth = fabs(scaling->paths[i].growth);
        uint32_t at;

        if (!(growth > 0) || (n == max_n && growth <= fabs(scaling->paths[paths[n - 1]].growth)))
            continue;
        n -= n == max_n;
        for (at = n; at > 0 && fabs(scaling->paths[paths[at - 1]].growth) < growth; at--)
            paths[at] = paths[at - 1];
        paths[at] = i;
        n++;
    }
    return n;
}
