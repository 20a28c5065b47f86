/* src/report/json/difference_json.c: a comparison of two reports as JSON: the numbers of difference_page.c, unrounded. */
#include "difference_json.h"

#include <math.h>

#include "memory.h"
#include "metric.h"

/* Shares are parts of 1, as in all documents. metric: of which these are values */
static void
put_values(hd_json *json, const hd_comparison *comparison, uint32_t metric, const double *of)
{
    bool is_time = hd_is_time(&comparison->model->metrics[metric]);

    hd_json_number(json, "a", of[0]);
    hd_json_number(json, "b", of[1]);
    hd_json_number(json, "difference", of[1] - of[0]);
    hd_json_number(json, "relative", hd_percent_changed(of[0], of[1]) / 100);
    hd_json_number(json, "share_difference", is_time ? hd_comparison_share_change(comparison, of) / 100 : NAN);
}

static void
put_metrics(hd_json *json, const hd_comparison *comparison)
{
    const hd_cube *model = comparison->model;

    hd_json_array(json, "metrics");
    for (uint32_t i = 0; i < model->n_metrics; i++) {
        const hd_cube_metric *metric = &model->metrics[i];

        hd_json_object(json, NULL);
        hd_json_metric(json, metric->id, metric->name);
        hd_json_text(json, "parent", metric->parent != HD_NONE ? model->metrics[metric->parent].id : NULL);
        hd_json_text(json, "unit", metric->unit);
        hd_json_bool(json, "is_wait_state", comparison->metrics[i].is_wait);
        hd_json_bool(json, "is_notable", hd_comparison_is_notable(comparison, i));
        put_values(json, comparison, i, comparison->metrics[i].of);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static hd_status
put_processes(hd_json *json, const hd_comparison *comparison, uint32_t metric, uint32_t path, uint32_t n_top)
{
    const hd_cube   *model       = comparison->model;
    bool             are_threads = model->n_groups == 1;
    hd_place_change *most        = HD_NEW_ARRAY(hd_place_change, (size_t)n_top + 1);
    uint32_t         n           = 0;
    hd_status        status      = hd_comparison_processes(comparison, metric, path, most, n_top, &n);

    hd_json_array(json, "processes");
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        uint32_t number = most[i].number;

        hd_json_object(json, NULL);
        hd_json_count(json, "process", are_threads ? model->locations[number].process : model->groups[number].rank);
        hd_json_index(json, "thread", are_threads ? model->locations[number].thread : HD_NONE);
        put_values(json, comparison, metric, most[i].of);
        hd_json_end(json);
    }
    hd_json_end(json);
    free(most);
    return status;
}

static hd_status
put_paths(hd_json *json, const hd_comparison *comparison, uint32_t metric, uint32_t n_top)
{
    hd_place_change *most   = HD_NEW_ARRAY(hd_place_change, (size_t)n_top + 1);
    uint32_t         n      = hd_comparison_paths(comparison, metric, most, n_top);
    hd_status        status = HD_OK;

    hd_json_array(json, "call_paths");
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        hd_json_object(json, NULL);
        hd_json_names(json, "call_path", comparison->model, most[i].number);
        put_values(json, comparison, metric, most[i].of);
        status = put_processes(json, comparison, metric, most[i].number, n_top);
        hd_json_end(json);
    }
    hd_json_end(json);
    free(most);
    return status;
}

static hd_status
put_waits(hd_json *json, const hd_comparison *comparison, uint32_t n_top)
{
    const hd_cube *model  = comparison->model;
    uint32_t      *most   = HD_NEW_ARRAY(uint32_t, (size_t)n_top + 1);
    uint32_t       n      = hd_comparison_waits(comparison, most, n_top);
    hd_status      status = HD_OK;

    hd_json_array(json, "waits");
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        const char *id = model->metrics[most[i]].id;

        hd_json_object(json, NULL);
        hd_json_metric(json, id, hd_metric_infos[hd_metric_by_id(id)].name);
        put_values(json, comparison, most[i], comparison->metrics[most[i]].of);
        status = put_paths(json, comparison, most[i], n_top);
        hd_json_end(json);
    }
    hd_json_end(json);
    free(most);
    return status;
}

hd_status
hd_json_difference(hd_json *json, const hd_comparison *comparison, uint32_t n_top)
{
    hd_status status = HD_OK;

    n_top = hd_comparison_top(comparison, n_top);
    hd_json_report(json, "a", comparison->alignment->cubes[0]);
    hd_json_report(json, "b", comparison->alignment->cubes[1]);
    hd_json_text(json, "summed", hd_alignment_why_sums(comparison->alignment));
    put_metrics(json, comparison);
    if (comparison->time != HD_NONE)
        status = put_paths(json, comparison, comparison->time, n_top);
    else
        hd_json_null(json, "call_paths");
    return status == HD_OK ? put_waits(json, comparison, n_top) : status;
}
