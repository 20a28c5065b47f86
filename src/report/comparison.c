#include "comparison.h"

#include <math.h>

#include "cube_cell.h"
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
sum_up(hd_comparison *comparison, uint32_t number, double *row)
{
    const hd_cube        *model   = comparison->model;
    const hd_cube_metric *metric  = &model->metrics[number];
    hd_compared_metric   *sums    = &comparison->metrics[number];
    bool                  by_path = sums->is_wait || number == comparison->time;
    hd_status             status  = HD_OK;

    for (uint32_t c = 0; c < 2; c++) {
        if (by_path)
            sums->of_path[c] = HD_NEW_ARRAY(double, (size_t)model->n_paths + 1);
        for (uint32_t path = 0; path < model->n_paths && status == HD_OK; path++) {
            double sum = 0;
            bool   any = false;

            status = hd_alignment_row(comparison->alignment, c, number, path, row, &any);
            for (uint32_t i = 0; status == HD_OK && any && i < model->n_locations; i++)
                sum = metric->is_extreme ? hd_extreme_of(metric, sum, row[i]) : sum + row[i];
            sums->of[c] = metric->is_extreme ? hd_extreme_of(metric, sums->of[c], sum) : sums->of[c] + sum;
            if (by_path)
                sums->of_path[c][path] = sum;
        }
    }
    return status;
}

hd_status
hd_comparison_new(hd_alignment *alignment, hd_comparison **comparison_out)
{
    const hd_cube *model      = &alignment->model;
    hd_comparison *comparison = HD_NEW(hd_comparison);
    double        *row        = HD_NEW_ARRAY(double, (size_t)model->n_locations + 1);
    hd_status      status     = HD_OK;

    HD_ASSERT(alignment->n_cubes == 2);
    comparison->alignment = alignment;
    comparison->model     = model;
    comparison->time      = hd_cube_metric_by_id(model, "time");
    comparison->metrics   = HD_NEW_ARRAY(hd_compared_metric, (size_t)model->n_metrics + 1);
    for (uint32_t i = 0; i < model->n_metrics && status == HD_OK; i++) {
        comparison->metrics[i].is_wait = hd_metric_is_wait_state(hd_metric_by_id(model->metrics[i].id));
        status                         = sum_up(comparison, i, row);
    }
    free(row);
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

/* ---- where it has changed most ------------------------------------------------------------------------------------------------ */

/* Puts one among the largest so far, behind those that are as large. */
static void
put_among(hd_place_change *most, uint32_t n_most, uint32_t *n, hd_place_change place)
{
    double   change = fabs(place.of[1] - place.of[0]);
    uint32_t i;

    if (!(change > 0) || n_most == 0)
        return;
    if (*n == n_most) {
        if (change <= fabs(most[*n - 1].of[1] - most[*n - 1].of[0]))
            return;
        --*n;
    }
    for (i = *n; i > 0 && fabs(most[i - 1].of[1] - most[i - 1].of[0]) < change; i--)
        most[i] = most[i - 1];
    most[i] = place;
    ++*n;
}

uint32_t
hd_comparison_paths(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t n_most)
{
    const hd_compared_metric *sums = &comparison->metrics[metric];
    uint32_t                  n    = 0;

    HD_ASSERT(sums->of_path[0] != NULL);
    for (uint32_t i = 0; i < comparison->model->n_paths; i++)
        put_among(most, n_most, &n, (hd_place_change){ i, { sums->of_path[0][i], sums->of_path[1][i] } });
    return n;
}

uint32_t
hd_comparison_waits(const hd_comparison *comparison, uint32_t *most, uint32_t n_most)
{
    hd_place_change *changes = HD_NEW_ARRAY(hd_place_change, (size_t)n_most + 1);
    uint32_t         n       = 0;

    for (uint32_t i = 0; i < comparison->model->n_metrics; i++)
        if (comparison->metrics[i].is_wait)
            put_among(changes, n_most, &n, (hd_place_change){ i, { comparison->metrics[i].of[0], comparison->metrics[i].of[1] } });
    for (uint32_t i = 0; i < n; i++)
        most[i] = changes[i].number;
    free(changes);
    return n;
}

hd_status
hd_comparison_processes(const hd_comparison *comparison, uint32_t metric, uint32_t path, hd_place_change *most, uint32_t n_most, uint32_t *n)
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
        for (uint32_t i = 0; status == HD_OK && i < model->n_locations; i++)
            all[threads ? i : model->locations[i].group].of[c] += row[i];
    }
    for (uint32_t i = 0; status == HD_OK && n_all > 1 && i < n_all; i++) {
        all[i].number = i;
        put_among(most, n_most, n, all[i]);
    }
    free(all);
    free(row);
    return status;
}
