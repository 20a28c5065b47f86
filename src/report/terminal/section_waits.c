/* src/report/terminal/section_waits.c: the section "Top wait states": what they are, where, and on which processes. */
#include "summary_sections.h"

#include "blocks.h"
#include "computation_drift.h"
#include "count_text.h"
#include "escape.h"
#include "iteration_list.h"
#include "memory.h"
#include "metric.h"
#include "path_cut.h"
#include "time_text.h"
#include "verdict_json.h"
#include "work_or_speed.h"

enum { MIN_BLOCKS = 10, MAX_CLUSTERS = 8 };

static hd_status
print_paths(hd_summary_page *summary, uint32_t metric)
{
    hd_cube  *cube   = summary->cube;
    double   *sums   = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1);
    hd_status status = HD_OK;

    if (summary->json != NULL)
        hd_json_array(summary->json, "call_paths");
    memcpy(sums, summary->totals[metric].of_path, cube->n_paths * sizeof *sums);
    for (uint32_t i = 0; i < summary->options.n_top && status == HD_OK; i++) {
        double   value;
        uint32_t path = hd_take_largest(sums, cube->n_paths, &value);

        if (path == HD_NONE || value < 0.05 * summary->totals[metric].sum)
            break;
        if (summary->json != NULL)
            hd_summary_page_put_path(summary, path, value, summary->totals[metric].sum);
        else
            hd_summary_page_path(summary, 6, path, value, hd_share(value, summary->totals[metric].sum));
        status = hd_summary_page_carriers(summary, 8, &metric, 1, path);
        if (summary->json != NULL)
            hd_json_end(summary->json);
    }
    if (summary->json != NULL)
        hd_json_end(summary->json);
    free(sums);
    return status;
}

/* Messages in which a process waited so, of all. */
static void
print_messages(hd_summary_page *summary, const char *id, hd_status *status)
{
    double messages = hd_summary_page_total(summary, "comms_send", status) +
                      hd_summary_page_total(summary, "syncs_send", status);
    double n        = 0;

    if (strcmp(id, "mpi_latesender") == 0)
        n = hd_summary_page_total(summary, "mpi_cls_count", status) +
            hd_summary_page_total(summary, "mpi_sls_count", status);
    else if (strcmp(id, "mpi_latereceiver") == 0)
        n = hd_summary_page_total(summary, "mpi_clr_count", status) +
            hd_summary_page_total(summary, "mpi_slr_count", status);
    if (*status != HD_OK)
        return;
    if (summary->json != NULL && n > 0 && messages > 0) {
        hd_json_object(summary->json, "messages");
        hd_json_number(summary->json, "waiting", n);
        hd_json_number(summary->json, "total", messages);
        hd_json_end(summary->json);
    } else if (summary->json != NULL)
        hd_json_null(summary->json, "messages");
    else if (n > 0 && messages > 0)
        fprintf(summary->file, "    in %s of %s message%s\n", hd_count_text_rounded(n).text,
                hd_count_text_rounded(messages).text, hd_plural(messages));
}

/* How it is spread over the iterations of the program. */
static void
print_iterations(const hd_summary_page *summary, const hd_iteration_list *list, uint32_t metric)
{
    const hd_verdict_entry *verdict = hd_iteration_list_verdict(list, metric);
    double                 *values;
    char                   *head;
    uint32_t                used, n_blank;

    if (verdict == NULL || *verdict->words == '\0')
        return;
    values = HD_NEW_ARRAY(double, (size_t)list->n_slices + 3);
    for (size_t i = 0; i < list->n; i++)
        if (list->entries[i].metric == metric)
            values[list->entries[i].slice] += list->entries[i].value;
    head = hd_format("    in %" PRIu32 " iterations  ", list->n_iterations);
    used = (uint32_t)strlen(head) + (uint32_t)strlen(verdict->words) + 2;
    fputs(head, summary->file);
    n_blank = hd_blocks_print(summary->file, &values[1], list->n_slices,
                              summary->options.width > used + MIN_BLOCKS ? summary->options.width - used : MIN_BLOCKS);
    fprintf(summary->file, "%*s%s\n", (int)n_blank + 2, "", verdict->words);
    free(head);
    free(values);
}

static void
print_how(const hd_summary_page *summary, const hd_iteration_list *list)
{
    char *text, *region, *escaped;

    if (!list->is_there || !list->is_found || summary->json != NULL)
        return;
    region  = hd_without_parameters(list->region);
    escaped = hd_escaped(region);
    text    = hd_format("Iterations were found in the calls: each %s with %s.", list->is_end ? "ends" : "begins", escaped);
    hd_summary_page_sentence(summary, 2, text);
    free(text);
    free(escaped);
    free(region);
}

/* "3 clusters of iterations that are alike, of 16, 3 and 1 iterations"; nothing where all are alike. */
static void
print_clusters(const hd_summary_page *summary, const hd_iteration_list *list)
{
    const hd_cluster_list *clusters = &list->clusters;
    uint32_t               n = clusters->n, n_shown = n < MAX_CLUSTERS ? n : MAX_CLUSTERS, cut;
    char                  *text = hd_format("%" PRIu32 " clusters of iterations that are alike, of ", n), *longer;

    for (uint32_t k = 0; k < n_shown; k++) {
        longer = hd_format("%s%s%" PRIu32, text, k == 0 ? "" : k + 1 < n ? ", " : " and ", clusters->rows[k].n);
        free(text);
        text = longer;
    }
    cut    = hd_iteration_list_cut_cluster(list);
    longer = hd_format("%s%s iterations. %sheddle series says which.", text, n_shown < n ? ", ..." : "",
                       cut == HD_NONE ? "" : "One is of the last iteration alone, which ends with its last call. ");
    if (n > 1 && summary->json == NULL)
        hd_summary_page_sentence(summary, 2, longer);
    free(longer);
    free(text);
}

/* Computation that grows or shrinks over the iterations, where, and whether it is more work or slower work. */
static void
say_drift(const hd_summary_page *summary, const hd_iteration_list *list, const hd_computation_drift *drift)
{
    char *why  = hd_speed_factors_text(drift->names, drift->n_counters, &drift->last, &drift->first), *path;
    char *text = hd_format("Computation %s over %" PRIu32 " iterations, the first and the last left out: %s per iteration "
                           "in the first quarter, %s in the last%s%s%s", drift->grows ? "grows" : "shrinks",
                           list->n_iterations, hd_time_text_of(drift->all.first).text,
                           hd_time_text_of(drift->all.last).text, drift->path != HD_NONE ? ", most at" :
                           why != NULL ? ": " : ".", drift->path == HD_NONE && why != NULL ? why : "",
                           drift->path == HD_NONE && why != NULL ? "." : "");

    hd_summary_page_sentence(summary, 2, text);
    free(text);
    if (drift->path != HD_NONE) {
        path = hd_summary_page_path_text(summary, 4, drift->path, "");
        fprintf(summary->file, "    %s\n", path);
        text = hd_format("from %s to %s%s%s. heddle series --metric comp --paths says when.",
                         hd_time_text_of(drift->most.first).text, hd_time_text_of(drift->most.last).text,
                         why != NULL ? ": " : "", why != NULL ? why : "");
        hd_summary_page_sentence(summary, 4, text);
        free(text);
        free(path);
    }
    free(why);
}

/* The member "computation_drift": an object; null: there is none. */
static void
put_drift(const hd_summary_page *summary, const hd_iteration_list *list, const hd_computation_drift *drift)
{
    hd_json *json = summary->json;

    if (!drift->is_there) {
        hd_json_null(json, "computation_drift");
        return;
    }
    hd_json_object(json, "computation_drift");
    hd_json_bool(json, "grows", drift->grows);
    hd_json_count(json, "iterations", list->n_iterations);
    hd_json_number(json, "first", drift->all.first);
    hd_json_number(json, "last", drift->all.last);
    if (drift->path != HD_NONE) {
        hd_json_object(json, "most");
        hd_json_call_path(json, summary->cube, drift->path);
        hd_json_number(json, "first", drift->most.first);
        hd_json_number(json, "last", drift->most.last);
        hd_json_end(json);
    } else
        hd_json_null(json, "most");
    hd_speed_factors_put(json, drift->names, drift->n_counters, &drift->last, &drift->first);
    hd_json_end(json);
}

static hd_status
print_drift(const hd_summary_page *summary, const hd_iteration_list *list)
{
    hd_computation_drift drift;
    hd_status            status = hd_computation_drift_read(summary->cube, list, &drift);

    if (status == HD_OK && summary->json != NULL)
        put_drift(summary, list, &drift);
    else if (status == HD_OK && drift.is_there)
        say_drift(summary, list, &drift);
    hd_computation_drift_fini(&drift);
    return status;
}

static void
put_iterations(const hd_summary_page *summary, const hd_iteration_list *list, uint32_t metric)
{
    const hd_verdict_entry *verdict = hd_iteration_list_verdict(list, metric);

    if (verdict == NULL) {
        hd_json_null(summary->json, "over_iterations");
        return;
    }
    hd_json_object(summary->json, "over_iterations");
    hd_json_verdict(summary->json, verdict);
    hd_json_end(summary->json);
}

static void
print_head(const hd_summary_page *summary, const char *id, double value)
{
    uint32_t              metric = hd_metric_by_id(id);
    const hd_metric_info *info   = &hd_metric_infos[metric];
    char                 *title;

    if (summary->json != NULL) {
        hd_json_object(summary->json, NULL);
        hd_json_metric(summary->json, id, info->name);
        hd_json_text(summary->json, "interface", hd_metric_interface(metric));
        hd_json_text(summary->json, "what", info->what);
        hd_json_share(summary->json, value, summary->time);
        return;
    }
    title = hd_metric_title(metric);
    hd_summary_page_row(summary, 2, title, value, hd_share(value, summary->time));
    free(title);
    hd_summary_page_sentence(summary, 4, info->what);
}

hd_status
hd_section_waits(hd_summary_page *summary)
{
    hd_cube  *cube   = summary->cube;
    double   *sums   = HD_NEW_ARRAY(double, (size_t)cube->n_metrics + 1);
    bool      is_any = false; /* profiles have none */
    hd_iteration_list iterations;
    hd_status         status = hd_iteration_list_read(cube, &iterations);

    for (uint32_t i = 0; i < cube->n_metrics; i++) {
        bool is_one = hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[i].id));

        sums[i] = is_one ? summary->totals[i].sum : 0;
        is_any |= is_one;
    }
    if (summary->json != NULL && is_any)
        hd_json_array(summary->json, summary->key);
    else if (summary->json != NULL)
        hd_json_null(summary->json, summary->key);
    for (uint32_t i = 0; i < summary->options.n_top && status == HD_OK; i++) {
        double   value;
        uint32_t metric = hd_take_largest(sums, cube->n_metrics, &value);

        if (metric == HD_NONE) {
            if (i == 0 && summary->json == NULL)
                fputs(is_any ? "  none: no process or thread waited for another\n" :
                      "  unknown: the report has no wait states; it is of a profile, or of a program\n"
                      "  without MPI, OpenMP and POSIX threads\n",
                      summary->file);
            break;
        }
        if (i == 0 && summary->json == NULL)
            hd_summary_page_sentence(summary, 2, "Percent of all time; below a wait state, percent of its waiting time.");
        print_head(summary, cube->metrics[metric].id, value);
        print_messages(summary, cube->metrics[metric].id, &status);
        if (summary->json != NULL)
            put_iterations(summary, &iterations, hd_metric_by_id(cube->metrics[metric].id));
        else
            print_iterations(summary, &iterations, hd_metric_by_id(cube->metrics[metric].id));
        if (status == HD_OK)
            status = print_paths(summary, metric);
        if (summary->json != NULL)
            hd_json_end(summary->json);
    }
    if (summary->json != NULL && is_any)
        hd_json_end(summary->json);
    if (status == HD_OK)
        status = print_drift(summary, &iterations);
    print_how(summary, &iterations);
    print_clusters(summary, &iterations);
    free(sums);
    hd_iteration_list_fini(&iterations);
    return status;
}
