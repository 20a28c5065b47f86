/* src/report/json/difference_json.c: a comparison of two reports as JSON: the numbers of difference_page.c,
 * unrounded. */
#include "difference_json.h"

#include <math.h>

#include "memory.h"
#include "metric.h"
#include "same_program.h"

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

/* What tells a difference from noise. of_run: [n_cubes] */
static void
put_test(hd_json *json, const hd_comparison *comparison, const double *of_run)
{
    hd_welch test = hd_comparison_test(comparison, of_run);

    hd_json_number(json, "deviation_a", test.deviation[0]);
    hd_json_number(json, "deviation_b", test.deviation[1]);
    hd_json_number(json, "p", test.p);
}

static hd_status
put_path_test(hd_json *json, const hd_comparison *comparison, uint32_t metric, uint32_t path)
{
    double   *of_run = HD_NEW_ARRAY(double, comparison->alignment->n_cubes);
    hd_status status = hd_comparison_path_runs(comparison, metric, path, of_run);

    if (status == HD_OK)
        put_test(json, comparison, of_run);
    free(of_run);
    return status;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static void
put_runs(hd_json *json, const hd_comparison *comparison)
{
    static const char *const keys[] = { "a", "b" };

    hd_json_object(json, "runs");
    for (uint32_t side = 0; side < 2; side++) {
        hd_runs runs = hd_alignment_runs(comparison->alignment, side);

        hd_json_array(json, keys[side]);
        for (uint32_t c = runs.first; c < runs.first + runs.n; c++)
            hd_json_report(json, NULL, comparison->alignment->cubes[c]);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_wall(hd_json *json, const hd_comparison *comparison)
{
    const hd_wall_time *wall = &comparison->wall;

    if (wall->what == NULL) {
        hd_json_null(json, "wall");
        return;
    }
    hd_json_object(json, "wall");
    hd_json_text(json, "of", wall->what);
    hd_json_number(json, "a", wall->of[0]);
    hd_json_number(json, "b", wall->of[1]);
    hd_json_number(json, "difference", wall->of[1] - wall->of[0]);
    hd_json_number(json, "relative", hd_percent_changed(wall->of[0], wall->of[1]) / 100);
    put_test(json, comparison, wall->of_run);
    hd_json_end(json);
}

/* ---- metrics, and where ------------------------------------------------------------------------------------------ */

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
        hd_json_bool(json, "is_shown", hd_comparison_is_shown(comparison, i));
        put_values(json, comparison, i, comparison->metrics[i].of);
        put_test(json, comparison, comparison->metrics[i].of_run);
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

/* Ranks, or numbers of threads, of those that carry the change. */
static hd_status
put_carriers(hd_json *json, const hd_comparison *comparison, uint32_t metric, uint32_t path)
{
    const hd_cube   *model       = comparison->model;
    bool             are_threads = model->n_groups == 1;
    hd_place_change *carriers    = HD_NEW_ARRAY(hd_place_change,
                                                (size_t)(are_threads ? model->n_locations : model->n_groups) + 1);
    uint32_t         n           = 0;
    hd_status        status      = hd_comparison_carriers(comparison, metric, path, carriers, &n);

    hd_json_array(json, are_threads ? "carrying_threads" : "carrying_processes");
    for (uint32_t i = 0; i < n && status == HD_OK; i++)
        hd_json_count(json, NULL, are_threads ? model->locations[carriers[i].number].thread :
                      model->groups[carriers[i].number].rank);
    hd_json_end(json);
    hd_json_array(json, are_threads ? "carrying_processes" : "carrying_threads");
    hd_json_end(json);
    free(carriers);
    return status;
}

typedef uint32_t find_places(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t max_n);

/* metric: HD_NONE: null */
static hd_status
put_paths(hd_json *json, const char *key, const hd_comparison *comparison, uint32_t metric, find_places *find,
          uint32_t n_top)
{
    hd_place_change *most;
    uint32_t         n;
    hd_status        status = HD_OK;

    if (metric == HD_NONE) {
        hd_json_null(json, key);
        return HD_OK;
    }
    most = HD_NEW_ARRAY(hd_place_change, (size_t)n_top + 1);
    n    = find(comparison, metric, most, n_top);
    hd_json_array(json, key);
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        hd_json_object(json, NULL);
        hd_json_names(json, "call_path", comparison->model, most[i].number);
        put_values(json, comparison, metric, most[i].of);
        status = put_path_test(json, comparison, metric, most[i].number);
        if (status == HD_OK)
            status = put_carriers(json, comparison, metric, most[i].number);
        if (status == HD_OK)
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
        put_test(json, comparison, comparison->metrics[most[i]].of_run);
        status = put_paths(json, "call_paths", comparison, most[i], hd_comparison_paths, n_top);
        hd_json_end(json);
    }
    hd_json_end(json);
    free(most);
    return status;
}

hd_status
hd_json_difference(hd_json *json, const hd_comparison *comparison, uint32_t n_top)
{
    const hd_alignment *alignment = comparison->alignment;
    char               *why_not   = hd_same_program_why_not(alignment);
    hd_status           status;

    n_top = hd_comparison_top(comparison, n_top);
    hd_json_report(json, "a", alignment->cubes[0]);
    hd_json_report(json, "b", alignment->cubes[alignment->n_of_a]);
    put_runs(json, comparison);
    hd_json_text(json, "summed", hd_alignment_why_sums(alignment));
    hd_json_text(json, "different_programs", why_not);
    hd_json_bool(json, "is_startup_counted", !hd_comparison_skips_startup(comparison));
    put_wall(json, comparison);
    free(why_not);
    status = put_paths(json, "causes", comparison, comparison->costs, hd_comparison_paths, n_top);
    if (status == HD_OK)
        status = put_paths(json, "critical_path", comparison, comparison->critical_path, hd_comparison_computation,
                           n_top);
    put_metrics(json, comparison);
    if (status == HD_OK)
        status = put_paths(json, "call_paths", comparison, comparison->time, hd_comparison_paths, n_top);
    return status == HD_OK ? put_waits(json, comparison, n_top) : status;
}
