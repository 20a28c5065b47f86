#include "scaling.h"

#include <math.h>
#include <string.h>

#include "comparison.h"
#include "memory.h"
#include "metric.h"

/* ---- sizes of runs ----------------------------------------------------------------------------------------------- */

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

bool
hd_scaling_skips_startup(const hd_scaling *scaling)
{
    for (uint32_t i = 0; i < scaling->n_runs; i++)
        if (scaling->runs[i].cube->skipped != NULL)
            return true;
    return false;
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

double
hd_scaling_share(const hd_scaling *scaling, const hd_scaling_series *series, uint32_t run)
{
    return scaling->runs[run].time > 0 ? 100 * series->values[run] / scaling->runs[run].time : NAN;
}

double
hd_scaling_mean(const hd_scaling *scaling, const hd_scaling_series *series, uint32_t run)
{
    uint32_t size = hd_scaling_size(scaling, run);

    return size > 0 ? series->values[run] / size : NAN;
}

/* Runs of one size are their mean: they stand side by side. */
static hd_scaling_model
model_of(const hd_scaling *scaling, const hd_scaling_series *series)
{
    double          *sizes  = HD_NEW_ARRAY(double, scaling->n_runs), *values = HD_NEW_ARRAY(double, scaling->n_runs);
    uint32_t         n      = 0, n_of_size = 0;
    hd_scaling_model model;

    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        if (n == 0 || sizes[n - 1] != hd_scaling_size(scaling, i)) {
            sizes[n++] = hd_scaling_size(scaling, i);
            n_of_size  = 0;
        }
        n_of_size++;
        values[n - 1] += (hd_scaling_mean(scaling, series, i) - values[n - 1]) / n_of_size;
    }
    model = hd_scaling_model_fit(sizes, values, n);
    free(sizes);
    free(values);
    return model;
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

/* of_path: [n_runs][n_paths] */
static void
add_waits(hd_scaling *scaling, uint32_t metric, double *const *of_path, size_t *capacity)
{
    for (uint32_t path = 0; path < scaling->model->n_paths; path++) {
        hd_scaling_wait wait = { .metric = metric, .path = path };
        bool            any  = false;

        for (uint32_t c = 0; c < scaling->n_runs; c++)
            any |= of_path[c][path] != 0;
        if (!any)
            continue;
        wait.series.values = HD_NEW_ARRAY(double, scaling->n_runs);
        for (uint32_t c = 0; c < scaling->n_runs; c++)
            wait.series.values[c] = of_path[c][path];
        HD_PUSH(scaling->waits, scaling->n_waits, *capacity, wait);
    }
}

static bool
is_in_all(const hd_scaling *scaling, uint32_t metric)
{
    for (uint32_t c = 0; c < scaling->n_runs; c++)
        if (scaling->alignment->metric_of[c][metric] == HD_NONE)
            return false;
    return true;
}

static hd_status
sum_metric(hd_scaling *scaling, uint32_t metric, size_t *capacity)
{
    hd_scaling_series *series  = &scaling->metrics[metric];
    bool               is_wait = hd_metric_is_wait_state(hd_metric_by_id(scaling->model->metrics[metric].id)) &&
                                 is_in_all(scaling, metric);
    double           **of_path = HD_NEW_ARRAY(double *, scaling->n_runs);
    hd_status          status  = HD_OK;

    series->values = HD_NEW_ARRAY(double, scaling->n_runs);
    for (uint32_t c = 0; c < scaling->n_runs && status == HD_OK; c++) {
        if (is_wait || metric == scaling->time)
            of_path[c] = HD_NEW_ARRAY(double, (size_t)scaling->model->n_paths + 1);
        series->values[c] = NAN;
        if (scaling->alignment->metric_of[c][metric] != HD_NONE)
            status = hd_alignment_total(scaling->alignment, c, metric, NULL, of_path[c], &series->values[c]);
        for (uint32_t i = 0; metric == scaling->time && i < scaling->model->n_paths; i++)
            scaling->paths[i].values[c] = of_path[c][i];
    }
    if (status == HD_OK && is_wait)
        add_waits(scaling, metric, of_path, capacity);
    for (uint32_t c = 0; c < scaling->n_runs; c++)
        free(of_path[c]);
    free(of_path);
    return status;
}

static void
rate(hd_scaling *scaling, hd_scaling_series *series, const hd_cube_metric *metric)
{
    series->growth = hd_is_time(metric) ? growth_of(scaling, series) : NAN;
    if (metric->is_additive)
        series->model = model_of(scaling, series);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
take_runs(hd_scaling *scaling)
{
    scaling->runs         = HD_NEW_ARRAY(hd_scaling_run, scaling->n_runs);
    scaling->by_locations = true;
    for (uint32_t c = 0; c < scaling->n_runs; c++) {
        const hd_cube *cube = scaling->alignment->cubes[c];

        scaling->runs[c] = (hd_scaling_run){ .cube = cube, .n_processes = count_processes(cube),
                                             .n_locations = cube->n_locations };
        scaling->by_locations &= scaling->runs[c].n_processes == scaling->runs[0].n_processes;
    }
    for (uint32_t c = 0; c < scaling->n_runs; c++)
        scaling->n_sizes += c == 0 || hd_scaling_size(scaling, c) != hd_scaling_size(scaling, c - 1);
}

static void
find_time(hd_scaling *scaling)
{
    scaling->time = hd_cube_metric_by_id(scaling->model, "time");
    if (scaling->time == HD_NONE || !is_in_all(scaling, scaling->time)) {
        scaling->time = HD_NONE;
        return;
    }
    scaling->paths = HD_NEW_ARRAY(hd_scaling_series, (size_t)scaling->model->n_paths + 1);
    for (uint32_t i = 0; i < scaling->model->n_paths; i++)
        scaling->paths[i].values = HD_NEW_ARRAY(double, scaling->n_runs);
}

void
hd_scaling_predict(hd_scaling *scaling, const uint32_t *sizes, uint32_t n)
{
    free(scaling->predicted);
    scaling->predicted   = HD_NEW_ARRAY(uint32_t, n);
    scaling->n_predicted = n;
    memcpy(scaling->predicted, sizes, n * sizeof *sizes);
}

static void
predict_usual(hd_scaling *scaling)
{
    uint32_t largest = hd_scaling_size(scaling, scaling->n_runs - 1);

    largest = largest < UINT32_MAX / 4 ? largest : UINT32_MAX / 4;
    hd_scaling_predict(scaling, (uint32_t[]){ 2 * largest, 4 * largest }, 2);
}

hd_status
hd_scaling_new(hd_alignment *alignment, hd_scaling **scaling_out)
{
    hd_scaling *scaling  = HD_NEW(hd_scaling);
    size_t      capacity = 0;
    hd_status   status   = HD_OK;

    scaling->alignment = alignment;
    scaling->model     = &alignment->model;
    scaling->n_runs    = alignment->n_cubes;
    scaling->efficiencies.reference = HD_NONE;
    scaling->metrics   = HD_NEW_ARRAY(hd_scaling_series, (size_t)scaling->model->n_metrics + 1);
    take_runs(scaling);
    predict_usual(scaling);
    find_time(scaling);
    for (uint32_t i = 0; i < scaling->model->n_metrics && status == HD_OK; i++)
        status = sum_metric(scaling, i, &capacity);
    for (uint32_t c = 0; status == HD_OK && scaling->time != HD_NONE && c < scaling->n_runs; c++)
        scaling->runs[c].time = scaling->metrics[scaling->time].values[c];
    for (uint32_t i = 0; status == HD_OK && i < scaling->model->n_metrics; i++)
        rate(scaling, &scaling->metrics[i], &scaling->model->metrics[i]);
    for (uint32_t i = 0; status == HD_OK && scaling->paths != NULL && i < scaling->model->n_paths; i++)
        rate(scaling, &scaling->paths[i], &scaling->model->metrics[scaling->time]);
    for (size_t i = 0; status == HD_OK && i < scaling->n_waits; i++)
        rate(scaling, &scaling->waits[i].series, &scaling->model->metrics[scaling->waits[i].metric]);
    if (status == HD_OK)
        *scaling_out = scaling;
    else
        hd_scaling_free(scaling);
    return status;
}

hd_status
hd_scaling_add_efficiencies(hd_scaling *scaling, bool is_weak)
{
    return hd_scaling_efficiencies_read(scaling->alignment->cubes, scaling->n_runs, is_weak, &scaling->efficiencies);
}

void
hd_scaling_free(hd_scaling *scaling)
{
    if (scaling == NULL)
        return;
    hd_scaling_efficiencies_fini(&scaling->efficiencies);
    for (uint32_t i = 0; i < scaling->model->n_metrics; i++)
        free(scaling->metrics[i].values);
    for (uint32_t i = 0; scaling->paths != NULL && i < scaling->model->n_paths; i++)
        free(scaling->paths[i].values);
    for (size_t i = 0; i < scaling->n_waits; i++)
        free(scaling->waits[i].series.values);
    free(scaling->metrics);
    free(scaling->paths);
    free(scaling->waits);
    free(scaling->predicted);
    free(scaling->runs);
    free(scaling);
}

/* ---- what is worth a line ---------------------------------------------------------------------------------------- */

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

static uint32_t
insert_growing(hd_scaling_growing *most, uint32_t n, uint32_t max_n, hd_scaling_growing one)
{
    uint32_t at;

    if (!(one.increase > 0) || (n == max_n && one.increase <= most[n - 1].increase))
        return n;
    n -= n == max_n;
    for (at = n; at > 0 && most[at - 1].increase < one.increase; at--)
        most[at] = most[at - 1];
    most[at] = one;
    return n + 1;
}

static double
increase_of(const hd_scaling *scaling, const hd_scaling_series *series, double size)
{
    if (series->model.term == NULL)
        return 0;
    return hd_scaling_model_at(&series->model, size) -
           hd_scaling_model_at(&series->model, hd_scaling_size(scaling, scaling->n_runs - 1));
}

uint32_t
hd_scaling_most_growing(const hd_scaling *scaling, hd_scaling_growing *most, uint32_t max_n)
{
    uint32_t n = 0, size = 0;

    for (uint32_t i = 0; i < scaling->n_predicted; i++)
        size = scaling->predicted[i] > size ? scaling->predicted[i] : size;
    for (uint32_t i = 0; scaling->paths != NULL && max_n > 0 && i < scaling->model->n_paths; i++) {
        const hd_scaling_series *series = &scaling->paths[i];

        n = insert_growing(most, n, max_n,
                           (hd_scaling_growing){ scaling->time, i, series, increase_of(scaling, series, size) });
    }
    for (size_t i = 0; max_n > 0 && i < scaling->n_waits; i++) {
        const hd_scaling_wait *wait = &scaling->waits[i];

        n = insert_growing(most, n, max_n,
                           (hd_scaling_growing){ wait->metric, wait->path, &wait->series,
                                                 increase_of(scaling, &wait->series, size) });
    }
    return n;
}
