/* src/report/series/series_page.c: prints waiting time over iterations or windows: a row is a wait state, or a process,
 * and a block character as many slices as fit. */
#include "series_page.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "blocks.h"
#include "csv.h"
#include "derived_series.h"
#include "escape.h"
#include "lag_json.h"
#include "memory.h"
#include "path_cut.h"
#include "series_counters.h"
#include "series_delays.h"
#include "series_json.h"
#include "series_lags.h"
#include "series_tracks.h"
#include "startup.h"
#include "summary_page.h"
#include "time_text.h"

enum { NAME_COLUMNS = 36, MOST_NAME_COLUMNS = 44, VALUE_COLUMNS = 10, MIN_BLOCKS = 10, DEFAULT_ROWS = 10, MAX_CLUSTERS = 8 };

typedef struct series_page {
    hd_summary_page          summary;
    const hd_series_options *options;
    hd_series_list           windows;
    hd_iteration_list        iterations;
    hd_track_list            tracks;
    hd_series_counters       counters;
    const hd_counter_choice *counter;   /* that is shown; NULL: none, or all */
    hd_series_view           view; /* of what is shown */
    hd_series_paths          paths; /* read where rows are of them */
    hd_lag_list              lags;  /* read where they are wanted */
    bool                     has_delays; /* the report has delay costs over time */
    uint32_t                 name_columns;
} series_page;

/* ---- for a terminal ---------------------------------------------------------------------------------------------- */

/* The slice with most of a row, in words: "most in ..." */
static char *
most_of(const hd_series_view *view, const char *what, const double *values, double sum)
{
    uint32_t most = 1;
    double   from, to;
    char    *place, *words;

    for (uint32_t k = 2; k <= view->n; k++)
        most = values[k] > values[most] ? k : most;
    hd_series_view_times(view, most, &from, &to);
    place = hd_series_slice_name(view->iterations, view->n, most);
    words = hd_format("%s %s (%.6g s to %.6g s): %s, %.3g %%", what, place, from, to,
                      hd_time_text_of(values[most]).text, 100 * values[most] / sum);
    free(place);
    return words;
}

/* A verdict. That all iterations take time, and compute, ("chronic") says nothing. */
static const char *
words_of(uint32_t row, const char *words)
{
    size_t n = (row == HD_SERIES_DURATION || hd_metric_is_time_over_time(row)) &&
               strncmp(words, "chronic", strlen("chronic")) == 0 ? strlen("chronic") : 0;

    return words + n + (n > 0 ? strspn(words + n, ", ") : 0);
}

/* What the row is over iterations, before the slice with most of it. */
static void
print_words(const series_page *page, uint32_t row)
{
    const hd_series_view   *view        = &page->view;
    bool                    is_duration = view->metric == HD_NONE && row == HD_SERIES_DURATION;
    const hd_verdict_entry *verdict     = view->iterations != NULL && view->metric == HD_NONE ?
                                              hd_iteration_list_verdict(view->iterations, row) : NULL;
    char                   *most        = most_of(view, is_duration ? "longest is" : "most in",
                                                  &view->values[(size_t)row * view->n_slices], view->sums[row]);

    if (verdict != NULL && *words_of(row, verdict->words) != '\0')
        hd_summary_page_list(&page->summary, 4, words_of(row, verdict->words));
    hd_summary_page_list(&page->summary, 4, most);
    free(most);
}

/* The longest name that is shown, within bounds, if blocks have room beside it. */
static void
find_name_columns(series_page *page)
{
    uint32_t width = page->summary.options.width, others = 2 + VALUE_COLUMNS + 2 + MIN_BLOCKS, most = NAME_COLUMNS;

    for (uint32_t i = 0; page->view.metric == HD_NONE && i < page->view.n_rows; i++)
        if (page->view.sums[i] > 0 && i != HD_SERIES_DURATION && !hd_metric_is_delay_cost(i)) {
            char    *name    = hd_series_metric_title(i);
            uint32_t columns = hd_text_columns(name);

            most = columns > most ? columns : most;
            free(name);
        }
    most               = most > MOST_NAME_COLUMNS ? MOST_NAME_COLUMNS : most;
    page->name_columns = width < others + most ? NAME_COLUMNS : most;
}

/* values: [n_slices] of the view. */
static void
print_blocks(const series_page *page, const char *name, const double *values, double sum)
{
    uint32_t width = page->summary.options.width, used = 2 + page->name_columns + VALUE_COLUMNS + 2;

    hd_fit_text(page->summary.file, page->summary.cuts, 2, name, 2 + (int)page->name_columns);
    fprintf(page->summary.file, "%*s  ", VALUE_COLUMNS, hd_time_text_of(sum).text);
    hd_blocks_print(page->summary.file, &values[1], page->view.n, width > used + MIN_BLOCKS ? width - used : MIN_BLOCKS);
    fputc('\n', page->summary.file);
}

static void
print_row(const series_page *page, const char *name, uint32_t row)
{
    const hd_series_view *view = &page->view;

    print_blocks(page, name, &view->values[(size_t)row * view->n_slices], view->sums[row]);
    print_words(page, row);
}

/* "iterations of step", "windows of 1 ms"; free() it. */
static char *
slices_text(const hd_series_view *view)
{
    char  *region, *text;
    double from, to;

    if (view->iterations == NULL) {
        hd_series_view_times(view, 1, &from, &to);
        return hd_format("window%s of %s", hd_plural(view->n), hd_time_text_of(to - from).text);
    }
    region = hd_without_parameters(view->iterations->region);
    text   = hd_format("iteration%s %s%s%s", hd_plural(view->iterations->n_iterations),
                       !view->iterations->is_found ? "of " :
                       view->iterations->is_end ? "(found: each ends with " : "(found: each begins with ", region,
                       view->iterations->is_found ? ")" : "");
    free(region);
    return text;
}

static void
print_head(const series_page *page)
{
    const hd_series_view *view   = &page->view;
    char                 *slices = slices_text(view), *line, *escaped;
    char                 *what   = page->counter != NULL ? hd_counter_choice_title(page->counter) :
                                   view->metric == HD_NONE ? hd_strdup(page->options->paths ? "waiting time" : "time") :
                                                             hd_series_metric_title(view->metric);
    double                from, to, unused;

    hd_completeness_print(page->summary.cube, page->summary.file);
    hd_series_view_times(view, 1, &from, &unused);
    hd_series_view_times(view, view->n, &unused, &to);
    escaped = hd_escaped(slices);
    line    = hd_format("%s%s in %" PRIu32 " %s, from %.6g s to %.6g s", what, page->options->paths ? " by call path" : "",
                        view->iterations != NULL ? view->iterations->n_iterations : view->n, escaped, from, to);
    hd_summary_page_headline(&page->summary, line);
    free(line);
    free(escaped);
    free(slices);
    free(what);
}

static void
print_metric(const series_page *page, uint32_t row)
{
    char *name = page->view.metric == HD_NONE && row == HD_SERIES_DURATION ? hd_strdup("Durations of iterations, summed") :
                 page->view.metric == HD_NONE ? hd_series_metric_title(row) :
                 hd_format("process %" PRIu32, row);

    print_row(page, name, row);
    free(name);
}

static void
print_cluster(const series_page *page, uint32_t k)
{
    const hd_cluster_list  *clusters = &page->iterations.clusters;
    const hd_cluster_entry *row      = &clusters->rows[k];
    uint32_t                width    = page->summary.options.width;
    char *head = hd_format("    Cluster %" PRIu32 ", %" PRIu32 " iteration%s: ", k + 1, row->n, hd_plural(row->n)), *mean;
    int   room = width > strlen(head) + MIN_BLOCKS ? (int)(width - strlen(head)) : MIN_BLOCKS;

    if (strlen(row->which) > (size_t)room) { /* whole numbers and ranges only */
        for (room -= 3; room > 0 && row->which[room - 1] != ',';)
            room--;
        fprintf(page->summary.file, "%s%.*s...\n", head, room, row->which);
    } else
        fprintf(page->summary.file, "%s%s\n", head, row->which);
    mean = hd_format("each takes %s, waiting %s, typical: %" PRIu32 "%s%s", hd_time_text_of(row->duration).text,
                     hd_time_text_of(row->waiting).text, row->typical,
                     row->calls != clusters->rows[0].calls ? ", other calls than 1" : "",
                     hd_iteration_list_cut_cluster(&page->iterations) == k ? "; the last one ends with its last call" :
                                                                             "");
    hd_summary_page_list(&page->summary, 6, mean);
    free(mean);
    free(head);
}

/* Which iterations are alike; nothing where all are. */
static void
print_clusters(const series_page *page)
{
    uint32_t n = page->view.iterations != NULL ? page->iterations.clusters.n : 0;

    if (n < 2)
        return;
    fprintf(page->summary.file, "  Clusters of iterations that are alike: %" PRIu32 "\n", n);
    for (uint32_t k = 0; k < n && k < MAX_CLUSTERS; k++)
        print_cluster(page, k);
    if (n > MAX_CLUSTERS)
        fprintf(page->summary.file, "    and %" PRIu32 " with fewer iterations (--json has all)\n", n - MAX_CLUSTERS);
}

/* What computation (MPI, OpenMP) at a call path, or delay costs, are over the iterations that are shown. */
static void
print_path_words(const series_page *page, const double *values)
{
    uint32_t    n     = page->view.n;
    uint64_t   *ticks = HD_NEW_ARRAY(uint64_t, n);
    hd_verdict  verdict;
    char        buffer[HD_VERDICT_BYTES];
    const char *words;

    for (uint32_t i = 0; i < n; i++)
        ticks[i] = values[i + 1] < 9e9 / n ? (uint64_t)llround(values[i + 1] * 1e9) : INT64_MAX / n;
    verdict = hd_verdict_of(ticks, n);
    words   = hd_verdict_words(buffer, &verdict);
    if (*words_of(HD_SERIES_DURATION, words) != '\0')
        hd_summary_page_list(&page->summary, 4, words_of(HD_SERIES_DURATION, words));
    free(ticks);
}

/* The larger sums first. */
static void
print_delays(const series_page *page)
{
    const hd_series_view *view = &page->view;
    double               *left = HD_NEW_ARRAY(double, (size_t)view->n_rows + 1), sum;
    uint32_t              row, n = 0;

    for (uint32_t i = 0; i < view->n_rows; i++)
        left[i] = hd_metric_is_delay_cost(i) ? view->sums[i] : 0;
    for (; (row = hd_take_largest(left, view->n_rows, &sum)) != HD_NONE; n++) {
        const double *values = &view->values[(size_t)row * view->n_slices];
        char         *name   = hd_series_delay_name(row);

        if (n == 0)
            fprintf(page->summary.file, "Delay costs (when waiting is caused), of all processes, by %s\n",
                    view->iterations != NULL ? "iteration" : "window");
        print_blocks(page, name, values, sum);
        if (view->iterations != NULL)
            print_path_words(page, values);
        print_words(page, row);
        free(name);
    }
    free(left);
}

static void
print_counter(const series_page *page)
{
    uint32_t n_top = page->options->look.n_top > 0 ? page->options->look.n_top : DEFAULT_ROWS;

    print_head(page);
    (page->options->paths ? hd_series_counters_print_paths : hd_series_counters_print_processes)
        (&page->summary, &page->counters, page->counter, n_top);
}

static void
print_page(const series_page *page)
{
    const hd_series_view *view  = &page->view;
    uint32_t              n_top = page->options->look.n_top > 0 ? page->options->look.n_top : DEFAULT_ROWS, row;
    double               *left  = memcpy(HD_NEW_ARRAY(double, (size_t)view->n_rows + 1), view->sums,
                                         view->n_rows * sizeof *left), sum;
    uint32_t              n     = 0;

    print_head(page);
    if (view->metric == HD_NONE && left[HD_SERIES_DURATION] > 0)
        print_metric(page, HD_SERIES_DURATION);
    for (uint32_t i = 0; view->metric == HD_NONE && i < HD_SERIES_DURATION; i++)
        if (hd_metric_is_time_over_time(i) && left[i] > 0)
            print_metric(page, i);
    for (uint32_t i = 0; view->metric == HD_NONE && i < view->n_rows; i++)
        left[i] = i == HD_SERIES_DURATION || hd_metric_is_startup(i) || hd_metric_is_time_over_time(i) ||
                  hd_metric_is_delay_cost(i) ? 0 : left[i];
    while ((view->metric == HD_NONE || n < n_top) && (row = hd_take_largest(left, view->n_rows, &sum)) != HD_NONE) {
        print_metric(page, row);
        n++;
    }
    if (n == 0)
        fprintf(page->summary.file, "  %s%s\n",
                view->metric != HD_NONE && !hd_metric_is_wait_state(view->metric) ? "none" : view->metric == HD_NONE ? "no wait states: no process or thread waited for another" :
                                          "none: no process or thread waited for another",
                view->iterations != NULL ? " in them" : "");
    print_clusters(page);
    if (view->metric == HD_NONE)
        print_delays(page);
    if (view->metric == HD_NONE)
        hd_series_counters_print(&page->summary, &page->counters);
    if (view->metric == HD_NONE)
        hd_series_tracks_print(&page->summary, &page->tracks, &page->windows);
    free(left);
}

/* ---- by call path, for a terminal -------------------------------------------------------------------------------- */

static void
print_path(const series_page *page, const hd_series_path_row *row)
{
    const hd_series_view *view   = &page->view;
    double               *values = HD_NEW_ARRAY(double, view->n_slices);
    char                 *name   = hd_series_metric_title(row->metric);
    char *where = row->path != HD_NONE ? hd_path_cut(page->summary.cube, row->path, page->summary.options.width - 4) :
                  hd_metric_is_time_over_time(row->metric) ? hd_strdup("at other call paths, or not known") :
                                         hd_strdup("at other call paths"), *most;

    hd_series_path_values(&page->paths, row, values);
    most = most_of(view, "most in", values, row->sum);
    print_blocks(page, name, values, row->sum);
    fprintf(page->summary.file, "    %s\n", where);
    if (view->iterations != NULL && (hd_metric_is_time_over_time(row->metric) || hd_metric_is_delay_cost(row->metric)))
        print_path_words(page, values);
    hd_summary_page_list(&page->summary, 4, most);
    free(values);
    free(name);
    free(where);
    free(most);
}

/* Whether the analysis had no backward replay, which needs what time by call path is found in. */
static bool
without_replay(const hd_cube *cube)
{
    const char *left_out = hd_cube_attribute_get(cube, HD_LEFT_OUT_ATTRIBUTE);

    return left_out != NULL && strstr(left_out, "delay costs") != NULL && strstr(left_out, "critical path") != NULL;
}

static void
print_paths(const series_page *page)
{
    const hd_series_paths *paths = &page->paths;
    uint32_t               n_top = page->options->look.n_top > 0 ? page->options->look.n_top : DEFAULT_ROWS, row;
    double                *left  = HD_NEW_ARRAY(double, paths->n + 1), sum;
    uint32_t               n     = 0;
    size_t                 n_own = 0; /* rows of the metric, also those with nothing in what is shown */

    print_head(page);
    for (size_t i = 0; i < paths->n; i++) {
        uint32_t metric   = paths->rows[i].metric;
        bool     is_shown = page->view.metric == HD_NONE ? !hd_metric_is_startup(metric) && !hd_metric_is_time_over_time(metric) &&
                                                           !hd_metric_is_delay_cost(metric) :
                                                           metric == page->view.metric;

        left[i] = is_shown ? paths->rows[i].sum : 0;
        n_own  += is_shown && hd_metric_is_time_over_time(metric);
    }
    while (n < n_top && (row = hd_take_largest(left, (uint32_t)paths->n, &sum)) != HD_NONE) {
        print_path(page, &paths->rows[row]);
        n++;
    }
    if (n == 0 && (n_own > 0 || hd_metric_is_delay_cost(page->view.metric)))
        fprintf(page->summary.file, "  none%s\n", page->view.iterations != NULL ? " in them" : "");
    else if (n == 0 && hd_metric_is_time_over_time(page->view.metric))
        hd_summary_page_sentence(&page->summary, 2, without_replay(page->summary.cube) ?
                                 "unknown: without delay costs and critical path there is none by call path; heddle "
                                 "analyze --series all, without --no-delay" :
                                 "unknown: the report does not have it by call path; heddle analyze --series all");
    else if (n == 0)
        fprintf(page->summary.file, "  none: no process or thread waited for another%s\n",
                page->view.iterations != NULL ? " in them" : "");
    free(left);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static void
print_seconds(FILE *file, double seconds) /* NAN: an empty field */
{
    if (!isnan(seconds))
        fprintf(file, "%.17g", seconds);
    fputc(',', file);
}

static void
print_csv(const series_page *page)
{
    const hd_series_view *view = &page->view;
    FILE                 *file = page->summary.file;

    fputs("metric,process,processes,slice,from,to,value\n", file);
    for (size_t i = 0; i < view->n_entries && page->counter == NULL; i++) {
        const hd_series_entry *entry = &view->entries[i];
        double                 from, to;

        if (view->metric != HD_NONE && entry->metric != view->metric)
            continue;
        hd_series_view_times(view, entry->slice, &from, &to);
        fprintf(file, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", hd_series_metric_id(entry->metric), entry->process,
                entry->n_processes, entry->slice);
        print_seconds(file, from);
        print_seconds(file, to);
        fprintf(file, "%.17g\n", entry->value);
    }
    if (view->metric == HD_NONE)
        hd_series_counters_csv(file, &page->counters, page->counter);
}

static void
print_csv_paths(const series_page *page)
{
    const hd_series_view *view = &page->view;
    FILE                 *file = page->summary.file;

    fputs("metric,callpath,path,slice,from,to,value,most,process,processes\n", file);
    for (size_t i = 0; i < page->paths.list.n && page->counter == NULL; i++) {
        const hd_path_entry *entry = &page->paths.list.entries[i];
        double               from, to;

        if (view->metric != HD_NONE && entry->metric != view->metric)
            continue;
        hd_series_view_times(view, entry->slice, &from, &to);
        fprintf(file, "%s,", hd_series_metric_id(entry->metric));
        if (entry->path != HD_NONE)
            fprintf(file, "%" PRIu32 ",", page->summary.cube->paths[entry->path].number);
        else
            fputc(',', file);
        if (entry->path != HD_NONE)
            hd_csv_path(file, page->summary.cube, entry->path);
        fprintf(file, ",%" PRIu32 ",", entry->slice);
        print_seconds(file, from);
        print_seconds(file, to);
        fprintf(file, "%.17g,", entry->value);
        print_seconds(file, entry->most);
        if (entry->process != HD_NONE)
            fprintf(file, "%" PRIu32, entry->process);
        fprintf(file, ",%" PRIu32 "\n", entry->n_processes);
    }
    if (view->metric == HD_NONE)
        hd_series_counters_csv_paths(file, page->summary.cube, &page->counters, page->counter);
}

/* An object of windows, if iterations is NULL, or null. */
static hd_status
put_json(series_page *page, hd_json *json, const char *key, bool is_wanted, const hd_iteration_list *iterations)
{
    hd_series_counters counters;
    hd_series_paths    paths;
    hd_series_view     view;
    hd_status          status;

    if (!is_wanted) {
        hd_json_null(json, key);
        return HD_OK;
    }
    status = hd_series_paths_read(page->summary.cube, &page->windows, iterations, page->options->metric, &paths);
    if (status == HD_OK)
        status = hd_series_counters_read(page->summary.cube, &page->windows, iterations, &counters);
    else
        counters = (hd_series_counters){ .n = 0 };
    hd_series_view_make(&view, &page->windows, iterations, page->options->metric);
    hd_json_series(json, key, page->summary.cube,
                   &(hd_series_to_put){ &view, &paths, &counters, page->options->counter });
    hd_series_counters_fini(&counters);
    hd_series_view_fini(&view);
    hd_series_paths_fini(&paths);
    return status;
}

static hd_status
print_json(series_page *page)
{
    const hd_series_options *options = page->options;
    hd_status                status;
    hd_json                  json;

    hd_json_document_begin(&json, page->summary.file, "series");
    hd_json_report(&json, "report", page->summary.cube);
    status = put_json(page, &json, "windows", options->by != HD_SERIES_BY_ITERATIONS, NULL);
    if (status == HD_OK)
        status = put_json(page, &json, "iterations", options->by != HD_SERIES_BY_WINDOWS && page->iterations.is_there,
                          &page->iterations);
    if (status == HD_OK)
        status = hd_lag_list_read(page->summary.cube, &page->lags);
    hd_json_lags(&json, "lags", &page->lags);
    hd_json_tracks(&json, &page->tracks, &page->windows);
    return status != HD_OK ? status : hd_json_document_end(&json);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

static hd_status
check_metric(const series_page *page)
{
    const hd_series_view *view = &page->view;
    bool                  has  = view->metric == HD_NONE;

    for (size_t i = 0; i < view->n_entries && !has; i++)
        has = view->entries[i].metric == view->metric;
    if (!has)
        return hd_series_view_lack(page->summary.cube, view, page->has_delays);
    if (page->options->paths && (hd_metric_is_imbalance_over_time(view->metric) || view->metric == HD_SERIES_DURATION))
        return hd_fail(HD_EUSAGE, "\"%s\" over time is of processes, not of call paths",
                       hd_series_metric_id(view->metric));
    return HD_OK;
}

static hd_status
read_counters(series_page *page, const hd_iteration_list *iterations)
{
    const char *id     = page->options->counter;
    hd_status   status = hd_series_counters_read(page->summary.cube, &page->windows, iterations, &page->counters);

    if (status != HD_OK || id == NULL)
        return status;
    return hd_series_counters_find(&page->counters, page->summary.cube, id, &page->counter);
}

static hd_status
read_paths(series_page *page, bool by_window)
{
    hd_status status = hd_series_paths_read(page->summary.cube, &page->windows, by_window ? NULL : &page->iterations,
                                            page->options->metric, &page->paths);

    if (status == HD_OK && !page->paths.list.is_there) {
        status = hd_fail(HD_EFORMAT, "report \"%s\" has no time series by call path", page->summary.cube->path);
        hd_summary_advise(page->summary.cube, "heddle analyze, of this version");
    }
    return status;
}

static hd_status
read_lags(series_page *page)
{
    hd_status status = hd_lag_list_read(page->summary.cube, &page->lags);

    if (status == HD_OK && !page->lags.is_there) {
        status = hd_fail(HD_EFORMAT, "report \"%s\" does not have causes over time", page->summary.cube->path);
        hd_summary_advise_waits(page->summary.cube, "heddle analyze, without --no-delay");
    }
    return status;
}

static void
print(const series_page *page)
{
    bool is_csv        = page->options->format == HD_SERIES_CSV;
    bool by_iterations = page->lags.by_iterations && page->iterations.is_there;

    if (page->options->lags && is_csv)
        hd_series_lags_csv(page->summary.file, &page->lags);
    else if (page->options->lags)
        hd_series_lags_print(&page->summary, &page->lags, by_iterations ? &page->iterations : NULL,
                             by_iterations ? page->iterations.n_slices : page->windows.n_slices - 2);
    else if (is_csv)
        (page->options->paths ? print_csv_paths : print_csv)(page);
    else if (page->counter != NULL)
        print_counter(page);
    else
        (page->options->paths ? print_paths : print_page)(page);
}

static hd_status
show(series_page *page)
{
    FILE     *file      = page->summary.file;
    bool      by_window = page->options->by == HD_SERIES_BY_WINDOWS || !page->iterations.is_there;
    hd_status status;

    hd_series_view_make(&page->view, &page->windows, by_window ? NULL : &page->iterations, page->options->metric);
    status = check_metric(page);
    if (status == HD_OK)
        status = read_counters(page, by_window ? NULL : &page->iterations);
    if (status == HD_OK && page->options->format == HD_SERIES_JSON)
        return print_json(page);
    if (status == HD_OK && page->options->paths)
        status = read_paths(page, by_window);
    if (status == HD_OK && page->options->lags)
        status = read_lags(page);
    find_name_columns(page);
    if (status == HD_OK)
        print(page);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        return hd_fail(HD_EWRITE, "cannot write the time series of report \"%s\": %s", page->summary.cube->path,
                       strerror(errno));
    return status;
}

hd_status
hd_series_read(hd_cube *cube, const hd_series_options *options, hd_series_list *windows, hd_iteration_list *iterations,
               bool *has_delays)
{
    hd_status status = hd_series_list_read(cube, windows);

    *iterations = (hd_iteration_list){ .region = "", .by = "" };
    *has_delays = false;
    if (status == HD_OK)
        status = hd_iteration_list_read(cube, iterations);
    if (status != HD_OK)
        return status;
    if (!windows->is_there) {
        status = hd_fail(HD_EFORMAT, "report \"%s\" has no time series", cube->path);
        hd_summary_advise(cube, "heddle analyze, without --from, --to, --roi, --compat and --no-series");
        if (hd_main_window_get(cube).run == 0 && hd_cube_metric_by_id(cube, "mpi_init_exit") != HD_NONE)
            hd_fail_detail("note", "runs in which no time passes between MPI_Init and MPI_Finalize have none");
    } else if (!iterations->is_there && options->by == HD_SERIES_BY_ITERATIONS) {
        status = hd_fail(HD_EUSAGE, "report \"%s\" has no iterations: the archive marks no region as dynamic, and no loop was found, or none was looked for (--iterations=none)", cube->path);
        hd_summary_advise(cube, "heddle analyze --iterations REGION, a region around the body of a loop");
    }
    if (status == HD_OK)
        status = hd_series_delays_read(cube, windows, iterations, has_delays);
    if (status == HD_OK)
        hd_derived_series_add(windows, iterations, options->metric, cube->n_groups);
    return status;
}

hd_status
hd_series_print(hd_cube *cube, FILE *file, const hd_series_options *options)
{
    series_page page = { .options = options };
    hd_status   status;

    hd_summary_page_init(&page.summary, cube, file, &options->look);
    status = hd_series_read(cube, options, &page.windows, &page.iterations, &page.has_delays);
    if (status == HD_OK)
        status = hd_track_list_read(cube, page.windows.n_slices, &page.tracks);
    if (status == HD_OK)
        status = show(&page);
    hd_summary_page_fini(&page.summary);
    hd_series_list_fini(&page.windows);
    hd_iteration_list_fini(&page.iterations);
    hd_track_list_fini(&page.tracks);
    hd_series_view_fini(&page.view);
    hd_series_paths_fini(&page.paths);
    hd_series_counters_fini(&page.counters);
    hd_lag_list_fini(&page.lags);
    return status;
}
