/* src/report/html/page_series.c: adds up rows and columns of time series, and writes them. */
#include "page_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "iteration_list.h"
#include "lag_json.h"
#include "memory.h"
#include "path_series_list.h"
#include "series_counters.h"
#include "series_delays.h"
#include "verdict_json.h"

enum { MAX_ROWS = 64, MAX_COLUMNS = 256 };

typedef struct page_series {
    const hd_series_entry   *entries;    /* [n_entries] */
    size_t                   n_entries;
    const hd_series_list    *windows;    /* one of both is NULL */
    const hd_iteration_list *iterations;
    uint32_t                 n;          /* windows or slices of iterations */
    uint32_t                 n_processes;
    uint32_t                 block, together; /* processes of a row, slices of a column */
    uint32_t                 n_rows, n_columns;
    hd_path_series_list      paths;
    hd_series_counters       counters;
} page_series;

static uint32_t
ceil_of(uint32_t n, uint32_t most)
{
    return n > most ? (n - 1) / most + 1 : 1;
}

static page_series
series_of(const hd_cube *cube, const hd_series_list *windows, const hd_iteration_list *iterations)
{
    page_series s = { .windows = windows, .iterations = iterations };

    s.entries     = windows != NULL ? windows->entries : iterations->entries;
    s.n_entries   = windows != NULL ? windows->n : iterations->n;
    s.n           = windows != NULL ? windows->n_slices - 2 : iterations->n_slices;
    s.n_processes = cube->n_groups > 0 ? cube->n_groups : 1;
    s.block       = ceil_of(s.n_processes, MAX_ROWS);
    s.together    = ceil_of(s.n, MAX_COLUMNS);
    s.n_rows      = (s.n_processes - 1) / s.block + 1;
    s.n_columns   = (s.n - 1) / s.together + 1;
    return s;
}

/* Bounds of each column: where its first slice begins, and the end of the last one. */
static void
put_columns(hd_json *json, const page_series *s)
{
    hd_json_array(json, "columns");
    for (uint32_t c = 0; c < s->n_columns; c++) {
        uint32_t first = c * s->together, last = s->n - first < s->together ? s->n - 1 : first + s->together - 1;

        hd_json_array(json, NULL);
        if (s->windows != NULL) {
            hd_json_count(json, NULL, first + 1);
            hd_json_count(json, NULL, last + 1);
            hd_json_number(json, NULL, s->windows->slices[first + 1].from);
            hd_json_number(json, NULL, s->windows->slices[last + 1].to);
        } else {
            hd_json_count(json, NULL, s->iterations->slices[first].first);
            hd_json_count(json, NULL, s->iterations->slices[last].first + s->iterations->slices[last].n - 1);
            hd_json_number(json, NULL, s->iterations->slices[first].from);
            hd_json_number(json, NULL, s->iterations->slices[last].to);
        }
        hd_json_end(json);
    }
    hd_json_end(json);
}

/* Sums of a metric by row and column; false: it does not occur in them. entries: [n] of all metrics */
static bool
add_up_of(const page_series *s, const hd_series_entry *entries, size_t n, uint32_t metric, double *sums)
{
    bool is_any = false;

    for (uint32_t i = 0; i < s->n_rows * s->n_columns; i++)
        sums[i] = 0;
    for (size_t i = 0; i < n; i++) {
        const hd_series_entry *entry = &entries[i];

        if (entry->metric != metric || entry->slice == 0 || entry->slice > s->n || entry->process >= s->n_processes)
            continue;
        sums[(entry->process / s->block) * s->n_columns + (entry->slice - 1) / s->together] += entry->value;
        is_any = true;
    }
    return is_any;
}

static bool
add_up(const page_series *s, uint32_t metric, double *sums)
{
    return add_up_of(s, s->entries, s->n_entries, metric, sums);
}

static void
put_counts(hd_json *json, const char *key, const page_series *s, uint32_t counter, double *sums)
{
    add_up_of(s, s->counters.list.processes, s->counters.list.n_processes, counter, sums);
    hd_json_array(json, key);
    for (uint32_t i = 0; i < s->n_rows * s->n_columns; i++)
        hd_json_number(json, NULL, sums[i]);
    hd_json_end(json);
}

/* Counters, and ratios of them; or counts of metrics. sums: [rows][columns] scratch */
static void
put_counters(hd_json *json, const char *key, const page_series *s, bool of_counts, double *sums)
{
    hd_json_array(json, key);
    for (uint32_t i = 0; i < s->counters.n; i++) {
        const hd_counter_choice *choice = &s->counters.choices[i];
        char                    *name;

        if (choice->is_count != of_counts)
            continue;
        name = of_counts ? hd_counter_choice_title(choice) : hd_strdup(choice->name);
        hd_json_object(json, NULL);
        hd_json_text(json, "id", choice->id);
        hd_json_text(json, "name", name);
        free(name);
        hd_json_text(json, "words", "");
        hd_json_count(json, "worst", 0);
        hd_json_text(json, "unit", strcmp(choice->unit, "#") == 0 ? "" : choice->unit);
        put_counts(json, "values", s, choice->counter, sums);
        if (choice->per != HD_NONE) {
            put_counts(json, "per", s, choice->per, sums);
            hd_json_number(json, "factor", choice->factor);
        }
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_metric(hd_json *json, const page_series *s, uint32_t metric, const double *sums)
{
    const hd_verdict_entry *verdict = s->iterations != NULL ? hd_iteration_list_verdict(s->iterations, metric) : NULL;
    char *name = metric != HD_SERIES_DURATION && (hd_metric_is_delay_cost(metric) || hd_metric_is_mpi_class(metric)) ?
                     hd_series_metric_title(metric) : hd_strdup(hd_series_metric_name(metric));

    hd_json_object(json, NULL);
    hd_json_text(json, "id", hd_series_metric_id(metric));
    hd_json_text(json, "name", name);
    free(name);
    hd_json_text(json, "words", verdict != NULL ? verdict->words : "");
    hd_json_count(json, "worst", verdict != NULL ? verdict->worst : 0);
    hd_json_array(json, "values");
    for (uint32_t i = 0; i < s->n_rows * s->n_columns; i++) /* nanoseconds: shorter than seconds */
        hd_json_integer(json, NULL, sums[i] < 9e9 ? llround(sums[i] * 1e9) : INT64_MAX);
    hd_json_end(json);
    hd_json_end(json);
}

/* Delay costs, or others. sums: [rows][columns] scratch */
static void
put_metrics(hd_json *json, const char *key, const page_series *s, bool of_delays, double *sums)
{
    hd_json_array(json, key);
    for (uint32_t metric = 0; metric <= HD_SERIES_DURATION; metric++)
        if (hd_metric_is_delay_cost(metric) == of_delays && add_up(s, metric, sums))
            put_metric(json, s, metric, sums);
    hd_json_end(json);
}

static bool
is_shown(const page_series *s, const hd_path_entry *entry)
{
    return entry->path != HD_NONE && entry->slice > 0 && entry->slice <= s->n;
}

/* Those of a metric at a call path, entries [n]. id: of the metric; scale: of their values. */
static void
put_path(hd_json *json, const page_series *s, const hd_path_entry *entries, size_t n, const char *id, double scale)
{
    double  *sums = HD_NEW_ARRAY(double, s->n_columns);
    uint32_t from = s->n_columns, to = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t column = (entries[i].slice - 1) / s->together;

        if (!is_shown(s, &entries[i]))
            continue;
        sums[column] += entries[i].value;
        from = column < from ? column : from;
        to   = column + 1 > to ? column + 1 : to;
    }
    if (from < to) {
        hd_json_array(json, NULL);
        hd_json_text(json, NULL, id);
        hd_json_count(json, NULL, entries->path);
        hd_json_count(json, NULL, from);
        for (uint32_t c = from; c < to; c++)
            hd_json_integer(json, NULL, sums[c] < 9e18 / scale ? llround(sums[c] * scale) : INT64_MAX);
        hd_json_end(json);
    }
    free(sums);
}

/* How many entries, of [n], are of the same metric and call path as the first one. */
static size_t
n_of_path(const hd_path_entry *entries, size_t n)
{
    size_t end = 1;

    while (end < n && entries[end].metric == entries->metric && entries[end].path == entries->path)
        end++;
    return end;
}

/* Sums by metric and call path: an array of metric, call path, first column, and of each column from it on nanoseconds,
 * or what was counted. */
static void
put_paths(hd_json *json, const page_series *s)
{
    const hd_path_entry *waits = s->paths.entries, *counts = s->counters.list.paths;

    hd_json_array(json, "paths");
    for (size_t i = 0, n; i < s->paths.n; i += n) {
        n = n_of_path(&waits[i], s->paths.n - i);
        put_path(json, s, &waits[i], n, hd_series_metric_id(waits[i].metric), 1e9);
    }
    for (size_t i = 0, n; i < s->counters.list.n_paths; i += n) {
        n = n_of_path(&counts[i], s->counters.list.n_paths - i);
        if (counts[i].metric >= s->counters.list.n_counters)
            put_path(json, s, &counts[i], n, s->counters.list.names[counts[i].metric], 1);
    }
    hd_json_end(json);
}

static void
put_series(hd_json *json, const char *key, const page_series *s)
{
    double *sums = HD_NEW_ARRAY(double, (size_t)s->n_rows * s->n_columns);

    hd_json_object(json, key);
    hd_json_text(json, "region", s->iterations != NULL ? s->iterations->region : NULL);
    if (s->iterations != NULL) {
        hd_json_bool(json, "found", s->iterations->is_found);
        hd_json_bool(json, "ends", s->iterations->is_end);
        hd_json_clusters(json, &s->iterations->clusters);
    }
    hd_json_count(json, "n", s->iterations != NULL ? s->iterations->n_iterations : s->n);
    hd_json_count(json, "slice", s->iterations != NULL ? s->iterations->slices[0].n : 1);
    hd_json_count(json, "processes", s->n_processes);
    hd_json_count(json, "block", s->block);
    hd_json_count(json, "rows", s->n_rows);
    put_columns(json, s);
    put_metrics(json, "metrics", s, false, sums);
    put_metrics(json, "delays", s, true, sums);
    put_counters(json, "counters", s, false, sums);
    put_counters(json, "counts", s, true, sums);
    if (s->paths.is_there)
        put_paths(json, s);
    else
        hd_json_null(json, "paths");
    hd_json_end(json);
    free(sums);
}

/* An object of windows, if iterations is NULL; null if there are none, or after an error. */
static hd_status
put_one(hd_json *json, const char *key, hd_cube *cube, hd_status status, const hd_series_list *windows,
        const hd_iteration_list *iterations)
{
    page_series s;

    if (status != HD_OK || !(iterations != NULL ? iterations->is_there : windows->is_there)) {
        hd_json_null(json, key);
        return status;
    }
    s      = series_of(cube, iterations != NULL ? NULL : windows, iterations);
    status = hd_path_series_list_read(cube, iterations != NULL ? HD_ITERATION_PATH_SERIES_MEMBER : HD_PATH_SERIES_MEMBER,
                                      iterations != NULL ? iterations->n_slices + 3 : windows->n_slices, &s.paths);
    if (status == HD_OK)
        status = hd_series_delays_read_paths(cube, windows, iterations, &s.paths);
    if (status == HD_OK)
        status = hd_series_counters_read(cube, windows, iterations, &s.counters);
    put_series(json, key, &s);
    hd_series_counters_fini(&s.counters);
    hd_path_series_list_fini(&s.paths);
    return status;
}

hd_status
hd_page_put_series(hd_json *json, const char *key, hd_cube *cube)
{
    hd_series_list    windows;
    hd_iteration_list iterations = { .region = "" };
    bool              has_delays;
    hd_status         status = hd_series_list_read(cube, &windows);

    if (status == HD_OK)
        status = hd_iteration_list_read(cube, &iterations);
    if (status == HD_OK && windows.is_there)
        status = hd_series_delays_read(cube, &windows, &iterations, &has_delays);
    hd_json_object(json, key);
    status = put_one(json, "windows", cube, status, &windows, NULL);
    status = put_one(json, "iterations", cube, status, &windows, &iterations);
    hd_json_end(json);
    hd_series_list_fini(&windows);
    hd_iteration_list_fini(&iterations);
    return status;
}

hd_status
hd_page_put_lags(hd_json *json, const char *key, hd_cube *cube)
{
    hd_lag_list lags;
    hd_status   status = hd_lag_list_read(cube, &lags);

    if (status == HD_OK)
        hd_json_lags(json, key, &lags);
    hd_lag_list_fini(&lags);
    return status;
}
