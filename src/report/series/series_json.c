/* src/report/series/series_json.c: slices, verdicts and values as JSON. */
#include "series_json.h"

#include "json_document.h"
#include "verdict_json.h"

static void
put_slices(hd_json *json, const hd_series_view *view)
{
    hd_json_array(json, "slices");
    for (uint32_t s = 1; s <= view->n; s++) {
        double from, to;

        hd_series_view_times(view, s, &from, &to);
        hd_json_object(json, NULL);
        hd_json_number(json, "from", from);
        hd_json_number(json, "to", to);
        if (view->iterations != NULL) {
            const hd_iteration_entry *entry = &view->iterations->slices[s - 1];

            hd_json_count(json, "first", entry->first);
            hd_json_count(json, "iterations", entry->n);
            hd_json_count(json, "processes", entry->n_processes);
            hd_json_number(json, "time", entry->time);
            hd_json_number(json, "longest", entry->longest);
            hd_json_index(json, "process", entry->process);
        }
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_row(hd_json *json, const hd_series_view *view, uint32_t row)
{
    const double *values    = &view->values[(size_t)row * view->n_slices];
    uint32_t      metric    = view->metric == HD_NONE ? row : view->metric;
    bool          is_process = view->metric != HD_NONE;

    hd_json_object(json, NULL);
    hd_json_metric(json, hd_series_metric_id(metric), hd_series_metric_name(metric));
    hd_json_index(json, "process", is_process ? row : HD_NONE);
    hd_json_index(json, "processes", is_process ? view->n_together[row] : HD_NONE);
    hd_json_number(json, "before", values[0]);
    hd_json_number(json, "after", values[view->n + 1]);
    hd_json_number(json, "between", view->iterations != NULL ? values[view->n + 2] : 0);
    hd_json_array(json, "values");
    for (uint32_t s = 1; s <= view->n; s++)
        hd_json_number(json, NULL, values[s]);
    hd_json_end(json);
    hd_json_end(json);
}

static bool
is_zero(const hd_series_view *view, uint32_t row)
{
    for (uint32_t s = 0; s < view->n_slices; s++)
        if (view->values[(size_t)row * view->n_slices + s] > 0)
            return false;
    return true;
}

typedef enum path_field { VALUE, MOST, PROCESS } path_field;

/* A value for each slice from the first with waiting to the last one. */
static void
put_path_values(hd_json *json, const char *key, const hd_series_path_row *row, path_field field)
{
    uint32_t slice = row->entries[0].slice;

    hd_json_array(json, key);
    for (size_t i = 0; i < row->n; slice++) {
        const hd_path_entry *entry = row->entries[i].slice == slice ? &row->entries[i++] : NULL;

        if (field == PROCESS)
            hd_json_index(json, NULL, entry != NULL ? entry->process : HD_NONE);
        else
            hd_json_number(json, NULL, entry == NULL ? 0 : field == VALUE ? entry->value : entry->most);
    }
    hd_json_end(json);
}

static void
put_paths(hd_json *json, const hd_cube *cube, const hd_series_to_put *put)
{
    const hd_series_paths *paths  = put->paths;
    uint32_t               metric = put->view->metric;

    if (!paths->list.is_there) {
        hd_json_null(json, "paths");
        return;
    }
    hd_json_array(json, "paths");
    for (size_t i = 0; i < paths->n && put->counter == NULL; i++) {
        const hd_series_path_row *row = &paths->rows[i];

        if (metric != HD_NONE && row->metric != metric)
            continue;
        hd_json_object(json, NULL);
        hd_json_metric(json, hd_series_metric_id(row->metric), hd_series_metric_name(row->metric));
        hd_json_call_path(json, cube, row->path);
        hd_json_count(json, "processes", row->entries[0].n_processes);
        hd_json_count(json, "first", row->entries[0].slice);
        put_path_values(json, "values", row, VALUE);
        put_path_values(json, "most", row, MOST);
        put_path_values(json, "process", row, PROCESS);
        hd_json_end(json);
    }
    hd_json_end(json);
}

void
hd_json_series(hd_json *json, const char *key, const hd_cube *cube, const hd_series_to_put *put)
{
    const hd_series_view *view = put->view;

    hd_json_object(json, key);
    if (view->iterations != NULL) {
        hd_json_text(json, "region", view->iterations->region);
        hd_json_text(json, "how", view->iterations->by);
        hd_json_bool(json, "ends", view->iterations->is_end);
        hd_json_count(json, "count", view->iterations->n_iterations);
        hd_json_array(json, "verdicts");
        for (size_t i = 0; i < view->iterations->n_verdicts; i++) {
            uint32_t metric = view->iterations->verdicts[i].metric;

            hd_json_object(json, NULL);
            hd_json_metric(json, hd_series_metric_id(metric), hd_series_metric_name(metric));
            hd_json_object(json, "verdict");
            hd_json_verdict(json, &view->iterations->verdicts[i]);
            hd_json_end(json);
            hd_json_end(json);
        }
        hd_json_end(json);
        hd_json_clusters(json, &view->iterations->clusters);
    }
    put_slices(json, view);
    hd_json_array(json, "series");
    for (uint32_t row = 0; row < view->n_rows && put->counter == NULL; row++)
        if (!is_zero(view, row))
            put_row(json, view, row);
    hd_json_end(json);
    put_paths(json, cube, put);
    hd_json_counter_series(json, cube, put->counters, view->metric == HD_NONE, put->counter);
    hd_json_end(json);
}
