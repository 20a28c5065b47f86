/* src/report/build/report_tables.c: the tables of a report (docs/formats.md), each a member that is a text. */
#define _GNU_SOURCE /* fopencookie() */

#include "report_tables.h"

#include "bytes.h"
#include "cause_list.h"
#include "counter_model.h"
#include "counter_series_list.h"
#include "delay_series_list.h"
#include "efficiency_list.h"
#include "file_list.h"
#include "findings_tsv.h"
#include "instance_list.h"
#include "lag_list.h"
#include "level_list.h"
#include "matrix_list.h"
#include "prediction_list.h"
#include "iteration_list.h"
#include "path_series_list.h"
#include "tar_out.h"
#include "track_list.h"
#include "wait_graph_list.h"
#include "work_list.h"

typedef struct tables { /* while they are put */
    const hd_report *report;
    hd_out_file     *out;
    FILE            *stream; /* of one member after the other: */
    hd_bytes         text;
} tables;

static void
check_memory(bool is_well, const char *name)
{
    if (!is_well)
        hd_fatal("out of memory: \"%s\" cannot be written", name);
}

enum { TEXT_BYTES = 1 << 18 /* of most tables, which then do not move while they grow */ };

static ssize_t
add_text(void *text, const char *data, size_t n)
{
    hd_bytes_put(text, data, n);
    return (ssize_t)n;
}

/* What was written to the stream since the last one. */
static void
put_member(tables *all, const char *name)
{
    check_memory(fflush(all->stream) == 0 && ferror(all->stream) == 0, name);
    hd_tar_put_member(all->out, name, all->text.data, all->text.n);
    all->text.n = 0;
}

static void
put_startup(tables *all, const hd_startup_rows *startup)
{
    const hd_report *report  = all->report;
    uint32_t        *numbers = hd_cube_path_numbers(report->tree);
    char           **ids     = hd_counter_ids(report->defs);

    hd_startup_table_write(all->stream, startup->rows, startup->n, numbers, ids, report->defs);
    hd_counter_ids_free(ids, report->defs);
    put_member(all, HD_STARTUP_MEMBER);
    free(numbers);
}

/* A member that is a text. */
static void
put_text(tables *all, const char *name, void (*write)(const hd_report *report, FILE *file))
{
    write(all->report, all->stream);
    put_member(all, name);
}

static void
write_findings(const hd_report *report, FILE *file)
{
    hd_findings_write_tsv(file, report->findings, report->defs, report->tree);
}

static void
write_graph(const hd_report *report, FILE *file,
            void (*write)(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names))
{
    uint32_t *numbers = hd_cube_path_numbers(report->tree);

    write(file, report->waits, &(hd_wait_graph_names){ report->defs, report->tree, numbers });
    free(numbers);
}

static void
write_wait_nodes(const hd_report *report, FILE *file)
{
    write_graph(report, file, hd_wait_graph_write);
}

static void
write_waits(const hd_report *report, FILE *file)
{
    write_graph(report, file, hd_waits_write);
}

static double
causes_per_second(const hd_report *report)
{
    return report->cause_fraction * (double)report->defs->resolution;
}

static void
write_causes(const hd_report *report, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(report->tree);

    hd_cause_list_write(file, report->causes, numbers, causes_per_second(report));
    free(numbers);
}

static void
write_pairs(const hd_report *report, FILE *file)
{
    hd_cause_list_write(file, report->pairs, NULL, causes_per_second(report));
}

static void
write_lags(const hd_report *report, FILE *file)
{
    hd_lags_write(file, report->lags, report->iterations != NULL && report->iterations->n > 0, causes_per_second(report));
}

static void
write_lag_slices(const hd_report *report, FILE *file)
{
    hd_lag_slices_write(file, report->lags, report->cause_fraction, report->defs->resolution);
}

static void
write_levels(const hd_report *report, FILE *file)
{
    hd_levels_write(file, report->levels, report->defs);
}

static void
write_tracks(const hd_report *report, FILE *file)
{
    hd_tracks_write(file, report->tracks, report->defs);
}

static void
write_work(const hd_report *report, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(report->tree);

    hd_work_write(file, report->work, report->compared, report->defs, numbers);
    free(numbers);
}

static void
write_statistics(const hd_report *report, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(report->tree);

    hd_statistics_write(file, report->statistics, report->defs, numbers);
    free(numbers);
}

static void
write_instances(const hd_report *report, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(report->tree);

    hd_instances_write(file, report->statistics, report->defs, numbers);
    free(numbers);
}

static void
write_excerpts(const hd_report *report, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(report->tree);

    hd_excerpts_write(file, report->excerpts, report->defs, numbers);
    free(numbers);
}

static void
write_excerpt_windows(const hd_report *report, FILE *file)
{
    hd_excerpt_windows_write(file, report->excerpts, report->defs);
}

static void
write_excerpt_messages(const hd_report *report, FILE *file)
{
    hd_excerpt_messages_write(file, report->excerpts, report->defs);
}

static void
write_matrix(const hd_report *report, FILE *file)
{
    hd_matrix_write(file, report->matrix, report->defs->resolution);
}

static void
write_message_sizes(const hd_report *report, FILE *file)
{
    hd_message_sizes_write(file, report->matrix);
}

static void
write_slices(const hd_report *report, FILE *file)
{
    hd_slices_write(file, report->windows, report->defs->first_time, report->defs->length, report->defs->resolution);
}

static void
write_series(const hd_report *report, FILE *file)
{
    hd_series_write(file, report->series, hd_series_metric_id, report->defs->resolution);
}

/* Rows of hd_times_over_time[time]. */
static void
write_times(const hd_report *report, const hd_path_series *times, int time, const uint32_t *numbers, FILE *file)
{
    hd_path_series rows = *times;

    while (rows.n > 0 && rows.rows->metric != hd_times_over_time[time]) {
        rows.rows++;
        rows.n--;
    }
    while (rows.n > 0 && rows.rows[rows.n - 1].metric != hd_times_over_time[time])
        rows.n--;
    hd_path_series_write(file, &rows, report->time_paths->folds[time], numbers, report->defs->resolution);
}

/* Waits, then times. */
static void
write_by_path(const hd_report *report, const hd_path_series *series, const hd_path_series *times, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(report->tree);

    hd_path_series_write_head(file);
    hd_path_series_write(file, series, report->series_paths, numbers, report->defs->resolution);
    for (int time = 0; report->time_series != NULL && time < HD_N_SERIES_TIMES; time++)
        if (report->time_paths->folds[time] != NULL)
            write_times(report, times, time, numbers, file);
    free(numbers);
}

static void
write_path_series(const hd_report *report, FILE *file)
{
    write_by_path(report, report->path_series, report->time_series, file);
}

static void
write_iteration_path_series(const hd_report *report, FILE *file)
{
    write_by_path(report, &report->iterations->path_rows, report->iteration_time_series, file);
}

static void
write_counters(const hd_report *report, const hd_counter_series *series, FILE *file)
{
    const hd_counter_def *defs    = hd_defs_counters(report->defs);
    uint32_t             *numbers = hd_cube_path_numbers(report->tree);
    const char           *names[HD_COMPARED_MAX];

    for (uint32_t i = 0; i < report->compared->n; i++)
        names[i] = hd_defs_text(report->defs, defs[report->compared->counters[i]].name);
    hd_counter_series_write(file, series, &(hd_counter_series_names){ "counter", names, report->defs },
                            report->time_paths->folds[HD_TIME_COMP], numbers);
    free(numbers);
}

static void
write_counts(const hd_report *report, const hd_counter_series *series, FILE *file)
{
    uint32_t   *numbers = hd_cube_path_numbers(report->tree);
    const char *names[HD_N_METRICS];

    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        names[i] = hd_metric_infos[i].id;
    hd_counter_series_write(file, series, &(hd_counter_series_names){ "metric", names, report->defs },
                            report->series_paths, numbers);
    free(numbers);
}

static void
write_count_series(const hd_report *report, FILE *file)
{
    write_counts(report, report->counts, file);
}

static void
write_iteration_count_series(const hd_report *report, FILE *file)
{
    write_counts(report, report->iteration_counts, file);
}

static void
write_counter_series(const hd_report *report, FILE *file)
{
    write_counters(report, report->counters, file);
}

static void
write_iteration_counter_series(const hd_report *report, FILE *file)
{
    write_counters(report, report->iteration_counters, file);
}

static void
write_delay_series(const hd_report *report, FILE *file)
{
    hd_delay_series_write(file, report->delays, 0, report->defs->resolution);
}

static void
write_iteration_delay_series(const hd_report *report, FILE *file)
{
    hd_delay_series_write(file, report->delays, 1, report->defs->resolution);
}

static void
write_delay_paths(const hd_report *report, uint32_t track, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(report->tree);

    hd_delay_path_series_write(file, report->delays, track, numbers, report->defs->resolution);
    free(numbers);
}

static void
write_delay_path_series(const hd_report *report, FILE *file)
{
    write_delay_paths(report, 0, file);
}

static void
write_iteration_delay_path_series(const hd_report *report, FILE *file)
{
    write_delay_paths(report, 1, file);
}

static void
put_delay_series(tables *all)
{
    const hd_delay_series *delays = all->report->delays;

    if (delays == NULL)
        return;
    put_text(all, HD_DELAY_SERIES_MEMBER, write_delay_series);
    put_text(all, HD_DELAY_PATH_SERIES_MEMBER, write_delay_path_series);
    if (delays->n_tracks > 1) {
        put_text(all, HD_ITERATION_DELAY_SERIES_MEMBER, write_iteration_delay_series);
        put_text(all, HD_ITERATION_DELAY_PATH_SERIES_MEMBER, write_iteration_delay_path_series);
    }
}

static void
write_iterations(const hd_report *report, FILE *file)
{
    hd_iterations_write(file, report->iterations, report->defs->first_time, report->defs->resolution);
}

static void
write_iteration_series(const hd_report *report, FILE *file)
{
    hd_iteration_series_write(file, report->iterations, report->defs->resolution);
}

static void
write_verdicts(const hd_report *report, FILE *file)
{
    hd_verdicts_write(file, report->iterations);
}

static void
write_clusters(const hd_report *report, FILE *file)
{
    hd_clusters_write(file, report->iterations, report->defs->resolution);
}

static void
write_efficiencies(const hd_report *report, FILE *file)
{
    hd_efficiencies_write(file, report->efficiencies, report->defs->first_time, report->defs->resolution);
}

static void
write_iteration_efficiencies(const hd_report *report, FILE *file)
{
    hd_iteration_efficiencies_write(file, report->efficiencies, report->iterations, report->defs->first_time,
                                    report->defs->resolution);
}

static void
write_files(const hd_report *report, FILE *file)
{
    hd_files_write(file, report->files, report->defs);
}

static void
write_predictions(const hd_report *report, FILE *file)
{
    hd_predictions_write(file, report->predictions);
}

static void
write_curves(const hd_report *report, FILE *file)
{
    hd_curves_write(file, report->predictions);
}

void
hd_report_tables_put(const hd_report *report, const hd_startup_rows *startup, hd_out_file *out)
{
    tables all = { .report = report, .out = out };

    hd_bytes_reserve(&all.text, TEXT_BYTES);
    all.stream = fopencookie(&all.text, "w", (cookie_io_functions_t){ .write = add_text });
    check_memory(all.stream != NULL, HD_STARTUP_MEMBER);
    if (report->has_startup)
        put_startup(&all, startup);
    if (report->levels != NULL && report->levels->n > 0)
        put_text(&all, HD_LEVELS_MEMBER, write_levels);
    if (report->tracks != NULL && report->tracks->n > 0)
        put_text(&all, HD_TRACKS_MEMBER, write_tracks);
    if (report->work != NULL && report->work->n > 0)
        put_text(&all, HD_WORK_MEMBER, write_work);
    if (report->findings != NULL)
        put_text(&all, "heddle.findings.tsv", write_findings);
    if (report->waits != NULL) {
        put_text(&all, HD_WAIT_GRAPH_MEMBER, write_wait_nodes);
        put_text(&all, HD_WAITS_MEMBER, write_waits);
    }
    if (report->causes != NULL) {
        put_text(&all, HD_CAUSES_MEMBER, write_causes);
        put_text(&all, HD_PAIRS_MEMBER, write_pairs);
        if (report->lags != NULL) {
            put_text(&all, HD_LAGS_MEMBER, write_lags);
            put_text(&all, HD_LAG_SLICES_MEMBER, write_lag_slices);
        }
    }
    if (report->matrix != NULL) {
        put_text(&all, HD_MATRIX_MEMBER, write_matrix);
        put_text(&all, HD_MESSAGE_SIZES_MEMBER, write_message_sizes);
    }
    if (report->series != NULL) {
        put_text(&all, HD_SLICES_MEMBER, write_slices);
        put_text(&all, HD_SERIES_MEMBER, write_series);
        put_text(&all, HD_PATH_SERIES_MEMBER, write_path_series);
        if (report->counters != NULL)
            put_text(&all, HD_COUNTER_SERIES_MEMBER, write_counter_series);
        if (report->counts != NULL)
            put_text(&all, HD_COUNT_SERIES_MEMBER, write_count_series);
        put_delay_series(&all);
    }
    if (report->series != NULL && report->iterations != NULL && report->iterations->n > 0) {
        put_text(&all, HD_ITERATIONS_MEMBER, write_iterations);
        put_text(&all, HD_ITERATION_SERIES_MEMBER, write_iteration_series);
        if (report->iterations->n < HD_SERIES_ITERATIONS)
            put_text(&all, HD_ITERATION_PATH_SERIES_MEMBER, write_iteration_path_series);
        put_text(&all, HD_VERDICTS_MEMBER, write_verdicts);
        if (report->counters != NULL)
            put_text(&all, HD_ITERATION_COUNTER_SERIES_MEMBER, write_iteration_counter_series);
        if (report->counts != NULL)
            put_text(&all, HD_ITERATION_COUNT_SERIES_MEMBER, write_iteration_count_series);
        if (report->iterations->clusters.n > 0)
            put_text(&all, HD_CLUSTERS_MEMBER, write_clusters);
    }
    if (report->efficiencies != NULL)
        put_text(&all, HD_EFFICIENCY_MEMBER, write_efficiencies);
    if (report->efficiencies != NULL && report->efficiencies->n_of_iterations > 0 && report->iterations != NULL &&
        report->iterations->n > 0)
        put_text(&all, HD_ITERATION_EFFICIENCY_MEMBER, write_iteration_efficiencies);
    if (report->files != NULL)
        put_text(&all, HD_FILES_MEMBER, write_files);
    if (report->predictions != NULL) {
        put_text(&all, HD_PREDICTIONS_MEMBER, write_predictions);
        put_text(&all, HD_CURVES_MEMBER, write_curves);
    }
    if (report->statistics != NULL) {
        put_text(&all, HD_STATISTICS_MEMBER, write_statistics);
        put_text(&all, HD_INSTANCES_MEMBER, write_instances);
        put_text(&all, HD_EXCERPTS_MEMBER, write_excerpts);
        put_text(&all, HD_WINDOWS_MEMBER, write_excerpt_windows);
        put_text(&all, HD_MESSAGES_MEMBER, write_excerpt_messages);
    }
    fclose(all.stream);
    hd_bytes_fini(&all.text);
}
