#include "comparison.h"

#include <math.h>

#include "memory.h"
#include "metric.h"

double
hd_percent_changed(double a, double b)
{
    if (a == 0)
        return b == 0 ? NAN : copysign(INFINITY, b);
    return 100 * (b - a) / fabs(a);
}

/* ---- sums -------------------------------------------------------------------------------------------------------------------- */

static hd_status
sum_up(hd_comparison *comparison, uint32_t number)
{
    hd_compared_metric *sums   = &comparison->metrics[number];
    hd_status           status = HD_OK;

    for (uint32_t c = 0; c < 2 && status == HD_OK; c++) {
        if (sums->is_wait || number == comparison->time)
            sums->of_path[c] = HD_NEW_ARRAY(double, (size_t)comparison->model->n_paths + 1);
        status = hd_alignment_total(comparison->alignment, c, number, NULL, sums->of_path[c], &sums->of[c]);
    }
    return status;
}

hd_status
hd_comparison_new(hd_alignment *alignment, hd_comparison **comparison_out)
{
    const hd_cube *model      = &alignment->model;
    hd_comparison *comparison = HD_NEW(hd_comparison);
    hd_status      status     = HD_OK;

    HD_ASSERT(alignment->n_cubes == 2);
    comparison->alignment = alignment;
    comparison->model     = model;
    comparison->time      = hd_cube_metric_by_id(model, "time");
    comparison->metrics   = HD_NEW_ARRAY(hd_compared_metric, (size_t)model->n_metrics + 1);
    for (uint32_t i = 0; i < model->n_metrics && status == HD_OK; i++) {
        comparison->metrics[i].is_wait = hd_metric_is_wait_state(hd_metric_by_id(model->metrics[i].id));
        status                         = sum_up(comparison, i);
    }
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
        free(comparison->metrics[i].of_path[0]);
        free(comparison->metrics[i].of_path[1]);
    }
    free(comparison->metrics);
    free(comparison);
}

/* ---- which metrics ------------------------------------------------------------------------------------------------------------ */

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
        return root == metric && size_of_change(of) > HD_NOTABLE_SHARE * fabs(of[0]);
    time = comparison->metrics[root].of;
    return size_of_change(of) > 0 && (fabs(of[0]) >= HD_NOTABLE_SHARE * time[0] || fabs(of[1]) >= HD_NOTABLE_SHARE * time[1]);
}

double
hd_comparison_share_change(const hd_comparison *comparison, const double *of)
{
    const double *time = comparison->time != HD_NONE ? comparison->metrics[comparison->time].of : NULL;

    if (time == NULL || !(time[0] > 0 && time[1] > 0))
        return NAN;
    return 100 * of[1] / time[1] - 100 * of[0] / time[0];
}

/* ---- where it has changed most ------------------------------------------------------------------------------------------------ */

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

uint32_t
hd_comparison_paths(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t max_n)
{
    const hd_compared_metric *sums = &comparison->metrics[metric];
    uint32_t                  n    = 0;

    HD_ASSERT(sums->of_path[0] != NULL);
    for (uint32_t i = 0; i < comparison->model->n_paths; i++)
        put_among(most, max_n, &n, (hd_place_change){ i, { sums->of_path[0][i], sums->of_path[1][i] } });
    return n;
}

uint32_t
hd_comparison_waits(const hd_comparison *comparison, uint32_t *most, uint32_t max_n)
{
    hd_place_change *changes = HD_NEW_ARRAY(hd_place_change, (size_t)max_n + 1);
    uint32_t         n       = 0;

    for (uint32_t i = 0; i < comparison->model->n_metrics; i++)
        if (comparison->metrics[i].is_wait)
            put_among(changes, max_n, &n, (hd_place_change){ i, { comparison->metrics[i].of[0], comparison->metrics[i].of[1] } });
    for (uint32_t i = 0; i < n; i++)
        most[i] = changes[i].number;
    free(changes);
    return n;
}

hd_status
hd_comparison_processes(const hd_comparison *comparison, uint32_t metric, uint32_t path, hd_place_change *most, uint32_t max_n, uint32_t *n)
{
    const hd_cube   *model   = comparison->model;
    bool             threads = model->n_groups == 1;
    uint32_t         n_all   = threads ? model->n_locations : model->n_groups;
    hd_place_change *all     = HD_NEW_ARRAY(hd_place_change, (size_t)n_all + 1);
    double          *row     = HD_NEW_ARRAY(double, (size_t)model->n_locations + 1);
    hd_status        status  = HD_OK;

    *n = 0;
    for (uint32_t c = 0; c < 2 && status == HD_OK && n_all > 1; c++) {
        bool any;

        status = hd_alignment_row(comparison->alignment, c, metric, path, row, &any);
        for (uint32_t i = 0; status == HD_OK && any && i < model->n_locations; i++)
            all[threads ? i : model->locations[i].group].of[c] += isnan(row[i]) ? 0 : row[i];
    }
    for (uint32_t i = 0; status == HD_OK && n_all > 1 && i < n_all; i++) {
        all[i].number = i;
        put_among(most, max_n, n, all[i]);
    }
    free(all);
    free(row);
    return status;
}
