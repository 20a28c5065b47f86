/* src/report/algebra/comparison.c: sums of A and B, wall time, and what has changed most. */
#include "comparison.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "memory.h"
#include "metric.h"
#include "startup.h"

#define HD_ALL_OF_IT 0.999

double
hd_percent_changed(double a, double b)
{
    if (a == 0)
        return b == 0 ? NAN : copysign(INFINITY, b);
    return 100 * (b - a) / fabs(a);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static double
mean_of(const double *of_run, hd_runs runs)
{
    double sum = 0;

    for (uint32_t c = runs.first; c < runs.first + runs.n; c++)
        sum += of_run[c];
    return sum / runs.n;
}

static bool
has_both(const hd_alignment *alignment, uint32_t metric)
{
    bool has[2] = { false, false };

    for (uint32_t c = 0; c < alignment->n_cubes && metric != HD_NONE; c++)
        has[c >= alignment->n_of_a] |= alignment->metric_of[c][metric] != HD_NONE;
    return has[0] && has[1];
}

/* A metric that both have, else HD_NONE. */
static uint32_t
common_metric(const hd_alignment *alignment, const char *id)
{
    uint32_t metric = hd_cube_metric_by_id(&alignment->model, id);

    return has_both(alignment, metric) ? metric : HD_NONE;
}

static bool
is_summed_per_path(const hd_comparison *comparison, uint32_t number)
{
    return comparison->metrics[number].is_wait || number == comparison->time || number == comparison->costs ||
           number == comparison->critical_path;
}

/* The mean of the runs of a side per call path; of one run its values. */
static hd_status
sum_up_side(hd_comparison *comparison, uint32_t number, uint32_t side, double *of_path)
{
    hd_compared_metric *sums   = &comparison->metrics[number];
    uint32_t            n      = comparison->model->n_paths;
    hd_runs             runs   = hd_alignment_runs(comparison->alignment, side);
    double             *of_run = of_path != NULL && runs.n > 1 ? HD_NEW_ARRAY(double, (size_t)n + 1) : of_path;
    hd_status           status = HD_OK;

    for (uint32_t c = runs.first; c < runs.first + runs.n && status == HD_OK; c++) {
        status = hd_alignment_total(comparison->alignment, c, number, NULL, of_run, &sums->of_run[c]);
        for (uint32_t i = 0; of_run != of_path && i < n && status == HD_OK; i++)
            of_path[i] += of_run[i] / runs.n;
    }
    if (of_run != of_path)
        free(of_run);
    sums->of[side] = mean_of(sums->of_run, runs);
    return status;
}

static hd_status
sum_up(hd_comparison *comparison, uint32_t number)
{
    hd_compared_metric *sums   = &comparison->metrics[number];
    hd_status           status = HD_OK;

    sums->of_run = HD_NEW_ARRAY(double, comparison->alignment->n_cubes);
    for (uint32_t side = 0; side < 2 && status == HD_OK; side++) {
        if (is_summed_per_path(comparison, number))
            sums->of_path[side] = HD_NEW_ARRAY(double, (size_t)comparison->model->n_paths + 1);
        status = sum_up_side(comparison, number, side, sums->of_path[side]);
    }
    return status;
}

/* ---- wall time --------------------------------------------------------------------------------------------------- */

/* Of the main window, or, where start-up counts, of the run; 0: unknown. */
static double
window_of(const hd_cube *cube, bool skips)
{
    hd_main_window window = hd_main_window_get(cube);

    return skips ? window.to - window.from : window.run;
}

static hd_status
longest_of(hd_cube *cube, double *longest)
{
    double   *values = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    uint32_t  time   = hd_cube_metric_by_id(cube, "time");
    hd_status status = time != HD_NONE ? hd_cube_sum(cube, time, NULL, values) : HD_OK;

    *longest = 0;
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
        *longest = values[i] > *longest ? values[i] : *longest;
    free(values);
    return status;
}

static bool
all_are_known(const double *of_run, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++)
        if (!(of_run[c] > 0 && isfinite(of_run[c])))
            return false;
    return true;
}

bool
hd_comparison_skips_startup(const hd_comparison *comparison)
{
    for (uint32_t c = 0; c < comparison->alignment->n_cubes; c++)
        if (comparison->alignment->cubes[c]->skipped != NULL)
            return true;
    return false;
}

static hd_status
find_wall_time(hd_comparison *comparison)
{
    const hd_alignment *alignment = comparison->alignment;
    hd_wall_time       *wall      = &comparison->wall;
    uint32_t            n         = alignment->n_cubes;
    bool                skips     = hd_comparison_skips_startup(comparison);
    hd_status           status    = HD_OK;

    wall->of_run = HD_NEW_ARRAY(double, n);
    for (uint32_t c = 0; c < n; c++)
        wall->of_run[c] = window_of(alignment->cubes[c], skips);
    if (all_are_known(wall->of_run, n))
        wall->what = skips ? "main window" : "run";
    else if (comparison->critical_path != HD_NONE &&
             all_are_known(comparison->metrics[comparison->critical_path].of_run, n)) {
        memcpy(wall->of_run, comparison->metrics[comparison->critical_path].of_run, n * sizeof *wall->of_run);
        wall->what = "critical path";
    } else {
        for (uint32_t c = 0; c < n && status == HD_OK; c++)
            status = longest_of(alignment->cubes[c], &wall->of_run[c]);
        wall->what = status == HD_OK && all_are_known(wall->of_run, n) ? "longest location" : NULL;
    }
    for (uint32_t side = 0; side < 2; side++)
        wall->of[side] = mean_of(wall->of_run, hd_alignment_runs(alignment, side));
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

hd_status
hd_comparison_new(hd_alignment *alignment, hd_comparison **comparison_out)
{
    const hd_cube *model      = &alignment->model;
    hd_comparison *comparison = HD_NEW(hd_comparison);
    hd_status      status     = HD_OK;

    HD_ASSERT(alignment->n_of_a < alignment->n_cubes);
    comparison->alignment     = alignment;
    comparison->model         = model;
    comparison->time          = hd_cube_metric_by_id(model, "time");
    comparison->costs         = common_metric(alignment, "delay");
    comparison->critical_path = common_metric(alignment, "critical_path");
    comparison->metrics       = HD_NEW_ARRAY(hd_compared_metric, (size_t)model->n_metrics + 1);
    for (uint32_t i = 0; i < model->n_metrics && status == HD_OK; i++) {
        comparison->metrics[i].is_wait = hd_metric_is_wait_state(hd_metric_by_id(model->metrics[i].id));
        status                         = sum_up(comparison, i);
    }
    if (status == HD_OK)
        status = find_wall_time(comparison);
    if (status == HD_OK)
        *comparison_out = comparison;
    else
        hd_comparison_free(comparison);
    return status;
}

void
hd_comparison_free(hd_comparison *comparison)
{
    if (comparison == NULL)
        return;
    for (uint32_t i = 0; i < comparison->model->n_metrics; i++) {
        free(comparison->metrics[i].of_run);
        free(comparison->metrics[i].of_path[0]);
        free(comparison->metrics[i].of_path[1]);
    }
    free(comparison->metrics);
    free(comparison->wall.of_run);
    free(comparison);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

hd_welch
hd_comparison_test(const hd_comparison *comparison, const double *of_run)
{
    hd_runs a = hd_alignment_runs(comparison->alignment, 0), b = hd_alignment_runs(comparison->alignment, 1);

    return hd_welch_test(of_run + a.first, a.n, of_run + b.first, b.n);
}

hd_status
hd_comparison_path_runs(const hd_comparison *comparison, uint32_t metric, uint32_t path, double *of_run)
{
    const hd_cube *model  = comparison->model;
    double        *row    = HD_NEW_ARRAY(double, (size_t)model->n_locations + 1);
    hd_status      status = HD_OK;

    for (uint32_t c = 0; c < comparison->alignment->n_cubes && status == HD_OK; c++) {
        bool any = false;

        of_run[c] = 0;
        status    = hd_alignment_row(comparison->alignment, c, metric, path, row, &any);
        for (uint32_t i = 0; i < model->n_locations && status == HD_OK && any; i++)
            of_run[c] += isnan(row[i]) ? 0 : row[i];
    }
    free(row);
    return status;
}

/* ---- which metrics ----------------------------------------------------------------------------------------------- */

bool
hd_is_time(const hd_cube_metric *metric)
{
    return strcmp(metric->unit, "sec") == 0;
}

static double
size_of_change(const double *of)
{
    double change = fabs(of[1] - of[0]);

    return isnan(change) ? 0 : change;
}

void
hd_comparison_order(const hd_comparison *comparison, hd_tree_order *order)
{
    uint32_t  n       = comparison->model->n_metrics;
    uint32_t *parents = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    double   *keys    = HD_NEW_ARRAY(double, (size_t)n + 1);

    for (uint32_t i = 0; i < n; i++) {
        parents[i] = comparison->model->metrics[i].parent;
        keys[i]    = size_of_change(comparison->metrics[i].of);
    }
    hd_tree_order_init(order, parents, n);
    hd_tree_order_sort(order, keys);
    free(parents);
    free(keys);
}

bool
hd_comparison_is_notable(const hd_comparison *comparison, uint32_t metric)
{
    const hd_cube *model = comparison->model;
    const double  *of    = comparison->metrics[metric].of, *time;
    uint32_t       root  = metric;

    while (model->metrics[root].parent != HD_NONE)
        root = model->metrics[root].parent;
    if (metric == comparison->time)
        return true;
    if (root != comparison->time || !hd_is_time(&model->metrics[metric]))
        return root == metric && (comparison->time == HD_NONE || !hd_is_time(&model->metrics[metric])) &&
               size_of_change(of) > HD_NOTABLE_SHARE * fabs(of[0]);
    time = comparison->metrics[root].of;
    return size_of_change(of) > 0 &&
           (fabs(of[0]) >= HD_NOTABLE_SHARE * time[0] || fabs(of[1]) >= HD_NOTABLE_SHARE * time[1]);
}

/* Of a metric in it: its line says what a line of the metric would say. */
static bool
tells_the_same(const hd_comparison *comparison, uint32_t below, uint32_t metric)
{
    const hd_cube_metric *metrics = comparison->model->metrics;
    const double         *of = comparison->metrics[metric].of, *in = comparison->metrics[below].of;
    double                part = (in[1] - in[0]) / (of[1] - of[0]); /* may be NaN */

    return metrics[below].parent == metric && strcmp(metrics[below].unit, metrics[metric].unit) == 0 &&
           fabs(part - 1) <= 1 - HD_NEARLY_ALL && hd_comparison_is_notable(comparison, below);
}

/* What a metric below the time tells is the line of the time itself: all of it, in A and in B. */
static bool
is_all_time(const hd_comparison *comparison, uint32_t metric)
{
    const double *of = comparison->metrics[metric].of, *time;

    if (comparison->time == HD_NONE || comparison->model->metrics[metric].parent != comparison->time)
        return false;
    time = comparison->metrics[comparison->time].of;
    return of[0] >= HD_ALL_OF_IT * time[0] && of[1] >= HD_ALL_OF_IT * time[1];
}

bool
hd_comparison_is_shown(const hd_comparison *comparison, uint32_t metric)
{
    const hd_cube_metric *metrics = comparison->model->metrics;

    if (metric == comparison->time || !hd_comparison_is_notable(comparison, metric))
        return metric == comparison->time;
    if (is_all_time(comparison, metric))
        return false;
    for (uint32_t above = metrics[metric].parent; above != HD_NONE; above = metrics[above].parent)
        if (comparison->metrics[above].is_wait)
            return false;
    for (uint32_t i = metric + 1; i < comparison->model->n_metrics && !comparison->metrics[metric].is_wait; i++)
        if (tells_the_same(comparison, i, metric))
            return false;
    return true;
}

double
hd_comparison_share_change(const hd_comparison *comparison, const double *of)
{
    const double *time = comparison->time != HD_NONE ? comparison->metrics[comparison->time].of : NULL;

    if (time == NULL || !(time[0] > 0 && time[1] > 0))
        return NAN;
    return 100 * of[1] / time[1] - 100 * of[0] / time[0];
}

/* ---- where it has changed most ----------------------------------------------------------------------------------- */

uint32_t
hd_comparison_top(const hd_comparison *comparison, uint32_t n_top)
{
    const hd_cube *model = comparison->model;
    const uint32_t n[]   = { model->n_metrics, model->n_paths, model->n_groups, model->n_locations };
    uint32_t       most  = 0;

    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        most = n[i] > most ? n[i] : most;
    n_top = n_top > 0 ? n_top : 3;
    return n_top < most ? n_top : most;
}

/* How many of them, the largest first, are not small beside the first. */
static uint32_t
without_small(const hd_place_change *most, uint32_t n)
{
    while (n > 0 && size_of_change(most[n - 1].of) < HD_SMALL_CHANGE * size_of_change(most[0].of))
        n--;
    return n;
}

/* Puts one among the largest so far, behind those that are as large. */
static void
put_among(hd_place_change *most, uint32_t max_n, uint32_t *n, hd_place_change place)
{
    double   change = size_of_change(place.of);
    uint32_t i;

    if (!(change > 0) || max_n == 0)
        return;
    if (*n == max_n) {
        if (change <= size_of_change(most[*n - 1].of))
            return;
        --*n;
    }
    for (i = *n; i > 0 && size_of_change(most[i - 1].of) < change; i--)
        most[i] = most[i - 1];
    most[i] = place;
    ++*n;
}

static bool
is_computation(const hd_cube *model, uint32_t path)
{
    return strcasecmp(model->regions[model->paths[path].region].paradigm, "mpi") != 0;
}

static uint32_t
largest_paths(const hd_comparison *comparison, uint32_t metric, bool of_computation, hd_place_change *most,
              uint32_t max_n)
{
    const hd_compared_metric *sums = &comparison->metrics[metric];
    uint32_t                  n    = 0;

    HD_ASSERT(sums->of_path[0] != NULL);
    for (uint32_t i = 0; i < comparison->model->n_paths; i++)
        if (!of_computation || is_computation(comparison->model, i))
            put_among(most, max_n, &n, (hd_place_change){ i, { sums->of_path[0][i], sums->of_path[1][i] } });
    return without_small(most, n);
}

uint32_t
hd_comparison_paths(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t max_n)
{
    return largest_paths(comparison, metric, false, most, max_n);
}

uint32_t
hd_comparison_computation(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t max_n)
{
    return largest_paths(comparison, metric, true, most, max_n);
}

uint32_t
hd_comparison_waits(const hd_comparison *comparison, uint32_t *most, uint32_t max_n)
{
    hd_place_change *changes = HD_NEW_ARRAY(hd_place_change, (size_t)max_n + 1);
    uint32_t         n       = 0;

    for (uint32_t i = 0; i < comparison->model->n_metrics; i++)
        if (comparison->metrics[i].is_wait)
            put_among(changes, max_n, &n, (hd_place_change){ i,
                                                             { comparison->metrics[i].of[0],
                                                               comparison->metrics[i].of[1] } });
    n = without_small(changes, n);
    for (uint32_t i = 0; i < n; i++)
        most[i] = changes[i].number;
    free(changes);
    return n;
}

/* What each process, or thread where there is one process only, has; all: [that many] out. None where nobody can be
 * told apart. */
static hd_status
read_processes(const hd_comparison *comparison, uint32_t metric, uint32_t path, hd_place_change *all, uint32_t *n)
{
    const hd_cube *model   = comparison->model;
    bool           threads = model->n_groups == 1;
    uint32_t       n_all   = threads ? model->n_locations : model->n_groups;
    double        *row     = HD_NEW_ARRAY(double, (size_t)model->n_locations + 1);
    double        *scratch = HD_NEW_ARRAY(double, (size_t)model->n_locations + 1);
    hd_status      status  = HD_OK;

    *n = n_all > 1 ? n_all : 0;
    for (uint32_t i = 0; i < *n; i++)
        all[i] = (hd_place_change){ .number = i };
    for (uint32_t side = 0; side < 2 && status == HD_OK && *n > 0; side++) {
        bool any = false;

        status = hd_alignment_mean_row(comparison->alignment, side, metric, path, row, scratch, &any);
        for (uint32_t i = 0; status == HD_OK && any && i < model->n_locations; i++)
            all[threads ? i : model->locations[i].group].of[side] += isnan(row[i]) ? 0 : row[i];
    }
    free(row);
    free(scratch);
    return status;
}

static hd_place_change *
new_places(const hd_cube *model)
{
    return HD_NEW_ARRAY(hd_place_change, (size_t)(model->n_groups == 1 ? model->n_locations : model->n_groups) + 1);
}

hd_status
hd_comparison_processes(const hd_comparison *comparison, uint32_t metric, uint32_t path, hd_place_change *most,
                        uint32_t max_n, uint32_t *n)
{
    hd_place_change *all = new_places(comparison->model);
    uint32_t         n_all;
    hd_status        status = read_processes(comparison, metric, path, all, &n_all);

    *n = 0;
    for (uint32_t i = 0; status == HD_OK && i < n_all; i++)
        put_among(most, max_n, n, all[i]);
    free(all);
    return status;
}

static int
larger_increase_first(const void *left, const void *right)
{
    const hd_place_change *a = left, *b = right;
    double                 x = a->of[1] - a->of[0], y = b->of[1] - b->of[0];

    if (x != y)
        return x > y ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int
larger_decrease_first(const void *left, const void *right)
{
    const hd_place_change *a = left, *b = right;
    double                 x = a->of[1] - a->of[0], y = b->of[1] - b->of[0];

    if (x != y)
        return x < y ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

hd_status
hd_comparison_carriers(const hd_comparison *comparison, uint32_t metric, uint32_t path, hd_place_change *carriers,
                       uint32_t *n)
{
    double    sum = 0, whole = 0, carried = 0;
    uint32_t  n_all;
    hd_status status = read_processes(comparison, metric, path, carriers, &n_all);

    *n = 0;
    if (status != HD_OK)
        return status;
    for (uint32_t i = 0; i < n_all; i++)
        sum += carriers[i].of[1] - carriers[i].of[0];
    qsort(carriers, n_all, sizeof *carriers, sum > 0 ? larger_increase_first : larger_decrease_first);
    for (uint32_t i = 0; i < n_all; i++)
        whole += fmax(0, copysign(1, sum) * (carriers[i].of[1] - carriers[i].of[0]));
    while (*n < n_all && carried < HD_MOST_CARRIED * whole) {
        carried += copysign(1, sum) * (carriers[*n].of[1] - carriers[*n].of[0]);
        ++*n;
    }
    return HD_OK;
}
