/* Finds the interval that a command is to work on. */
#include "trace_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance_list.h"
#include "iteration_list.h"
#include "memory.h"
#include "metric_select.h"

char *
hd_archive_beside(const char *anchor, const char *name)
{
    const char *slash = strrchr(anchor, '/');

    return hd_format("%.*s%s", slash != NULL ? (int)(slash - anchor + 1) : 0, anchor, name);
}

static hd_status
no_instance(const char *report, const hd_instance_list *list, uint32_t number)
{
    if (list->n_instances == 0)
        hd_fail(HD_EUSAGE, "the report \"%s\" has no instances", report);
    else
        hd_fail(HD_EUSAGE, "the report \"%s\" has %zu instances, none is number %" PRIu32, report, list->n_instances,
                number);
    hd_fail_detail("try", "heddle analyze ARCHIVE --instances N, which keeps the N most severe of each wait state");
    return HD_EUSAGE;
}

static hd_status
find_instance(const char *path, uint32_t number, hd_instance_entry *instance)
{
    hd_cube         *cube = NULL;
    hd_instance_list list = { 0 };
    hd_status        status = hd_cube_open(path, &cube);
    size_t           i      = 0;

    if (status == HD_OK)
        status = hd_instance_list_read(cube, &list);
    else
        hd_fail_detail("try", "--report REPORT.cubex, one of heddle analyze --instances N");
    while (i < list.n_instances && list.instances[i].number != number)
        i++;
    if (status == HD_OK && i == list.n_instances)
        status = no_instance(path, &list, number);
    if (status == HD_OK)
        *instance = list.instances[i];
    hd_instance_list_fini(&list);
    hd_cube_close(cube);
    return status;
}

typedef struct extent { /* ticks since the first event; to: UINT64_MAX: the end */
    uint64_t from, to;
    hd_iteration_range range;
} extent;

static extent
extent_of(double from, double to, const hd_defs *defs)
{
    double last = (double)(UINT64_MAX / 2) / (double)defs->resolution; /* what no run has */

    return (extent){ .from = (uint64_t)llround((from < last ? from : last) * (double)defs->resolution),
                     .to   = (uint64_t)llround((to < last ? to : last) * (double)defs->resolution) + 1 };
}

/* The slice of an iteration: more than one of them where the report has joined neighbours. */
static hd_status
find_iteration(const hd_iteration_list *list, const char *report, uint32_t number, const hd_defs *defs, extent *found)
{
    for (uint32_t s = 0; s < list->n_slices; s++) {
        const hd_iteration_entry *slice = &list->slices[s];

        if (number < slice->first || number - slice->first >= slice->n)
            continue;
        *found       = extent_of(slice->from, slice->to, defs);
        found->range = (hd_iteration_range){ slice->first, slice->n };
        return HD_OK;
    }
    return hd_fail(HD_EUSAGE, "the report \"%s\" has iterations 1 to %" PRIu32 ", not %" PRIu32, report,
                   list->n_iterations, number);
}

/* The slice of its typical iteration. */
static hd_status
find_cluster(const hd_iteration_list *list, const char *report, uint32_t cluster, const hd_defs *defs, extent *found)
{
    if (list->clusters.n == 0)
        return hd_fail(HD_EUSAGE, "the report \"%s\" has no clusters of iterations", report);
    if (cluster > list->clusters.n)
        return hd_fail(HD_EUSAGE, "the report \"%s\" has clusters 1 to %" PRIu32 ", not %" PRIu32, report,
                       list->clusters.n, cluster);
    return find_iteration(list, report, list->clusters.rows[cluster - 1].typical, defs, found);
}

/* The window with most of a wait state. */
static hd_status
find_window(const hd_series_list *list, const char *report, uint32_t metric, const char *name, const hd_defs *defs,
            extent *found)
{
    double  *sums = HD_NEW_ARRAY(double, (size_t)list->n_slices + 1);
    uint32_t most = 0;

    for (size_t i = 0; i < list->n; i++)
        if (list->entries[i].metric == metric && list->entries[i].slice > 0 &&
            list->entries[i].slice + 1 < list->n_slices)
            sums[list->entries[i].slice] += list->entries[i].value;
    for (uint32_t s = 1; s + 1 < list->n_slices; s++)
        most = sums[s] > sums[most] ? s : most;
    free(sums);
    if (most == 0)
        return hd_fail(HD_EUSAGE, "the report \"%s\" has no time series of metric \"%s\"", report, name);
    *found = extent_of(list->slices[most].from, list->slices[most].to, defs);
    return HD_OK;
}

static hd_status
select_metric(const hd_cube *cube, const char *name, uint32_t *metric)
{
    hd_status status = HD_OK;

    if (strcmp(name, "duration") == 0)
        *metric = HD_SERIES_DURATION;
    else if ((status = hd_metric_select(cube, name, metric)) == HD_OK)
        *metric = hd_metric_by_id(cube->metrics[*metric].id);
    return status;
}

static hd_status
find_slice(const hd_trace_part *part, hd_cube *cube, const hd_defs *defs, extent *found)
{
    hd_iteration_list iterations;
    hd_series_list    windows = { 0 };
    uint32_t          metric  = HD_NONE;
    hd_status         status  = hd_iteration_list_read(cube, &iterations);

    if (status == HD_OK)
        status = hd_series_list_read(cube, &windows);
    if (status == HD_OK && part->worst != NULL)
        status = select_metric(cube, part->worst, &metric);
    if (status == HD_OK && !iterations.is_there && (part->worst == NULL || !windows.is_there)) {
        status = hd_fail(HD_EUSAGE, "the report \"%s\" has no %s", cube->path,
                         part->worst == NULL ? "iterations" : "time series");
        hd_fail_detail("try", part->worst == NULL ? "heddle analyze ARCHIVE --iterations REGION" : "heddle analyze ARCHIVE");
    } else if (status == HD_OK && part->cluster != 0)
        status = find_cluster(&iterations, cube->path, part->cluster, defs, found);
    else if (status == HD_OK && part->worst == NULL)
        status = find_iteration(&iterations, cube->path, part->iteration, defs, found);
    else if (status == HD_OK && iterations.is_there) {
        const hd_verdict_entry *verdict = hd_iteration_list_verdict(&iterations, metric);

        status = verdict != NULL && verdict->worst > 0
            ? find_iteration(&iterations, cube->path, verdict->worst, defs, found)
            : hd_fail(HD_EUSAGE, "the report \"%s\" has no metric \"%s\" over iterations", cube->path, part->worst);
    } else if (status == HD_OK)
        status = find_window(&windows, cube->path, metric, part->worst, defs, found);
    hd_iteration_list_fini(&iterations);
    hd_series_list_fini(&windows);
    return status;
}

static hd_status
extent_of_slice(const hd_trace_part *part, const char *anchor, const hd_defs *defs, extent *found)
{
    char     *report = part->report != NULL ? hd_strdup(part->report) : hd_archive_beside(anchor, "heddle.cubex");
    hd_cube  *cube   = NULL;
    hd_status status = hd_cube_open(report, &cube);

    if (status == HD_OK)
        status = find_slice(part, cube, defs, found);
    else
        hd_fail_detail("try", "--report REPORT.cubex, one of heddle analyze");
    hd_cube_close(cube);
    free(report);
    return status;
}

static hd_status
extent_of_instance(const hd_trace_part *part, const char *anchor, const hd_defs *defs, extent *found)
{
    char *report = part->report != NULL ? hd_strdup(part->report) : hd_archive_beside(anchor, "heddle.cubex");
    hd_instance_entry instance;
    hd_status         status = find_instance(report, part->instance, &instance);

    free(report);
    if (status != HD_OK)
        return status;
    if (instance.leave >= (double)(UINT64_MAX / 2) / (double)defs->resolution)
        return hd_fail(HD_EFORMAT, "instance %" PRIu32 " is not of this archive: it is left after %.9g s",
                       part->instance, instance.leave);
    found->from = (uint64_t)llround(instance.enter * (double)defs->resolution);
    found->to   = (uint64_t)llround(instance.leave * (double)defs->resolution) + 1; /* the call's last event is in it */
    return HD_OK;
}

hd_status
hd_trace_part_choose(const hd_trace_part *part, const char *anchor, const hd_defs *defs,
                     hd_analysis_interval *interval, hd_iteration_range *range)
{
    uint64_t  margin = hd_duration_ticks(part->margin, defs->resolution);
    extent    chosen = { .from = hd_duration_ticks(part->from, defs->resolution),
                         .to = hd_duration_ticks(part->to, defs->resolution) };
    bool      given  = chosen.from != 0 || !hd_duration_is_end(part->to);
    bool      is_slice = part->iteration != 0 || part->cluster != 0 || part->worst != NULL;
    hd_status status   = HD_OK;

    if ((part->instance != 0) + (part->iteration != 0) + (part->cluster != 0) + (part->worst != NULL) + given > 1) {
        hd_fail(HD_EUSAGE, is_slice ? "--instance, --iteration, --cluster, --worst and --from or --to exclude each other" :
                                      "--instance and --from or --to exclude each other");
        hd_fail_detail("try", "--instance N, or --from T --to T");
        return HD_EUSAGE;
    }
    if (part->instance == 0 && !is_slice && !given) {
        *interval = hd_analysis_interval_since(defs->first_time, 0, UINT64_MAX);
        return HD_OK;
    }
    if (part->instance != 0)
        status = extent_of_instance(part, anchor, defs, &chosen);
    else if (is_slice)
        status = extent_of_slice(part, anchor, defs, &chosen);
    if (status != HD_OK)
        return status;
    chosen.from = chosen.from > margin ? chosen.from - margin : 0;
    chosen.to   = chosen.to < UINT64_MAX - margin ? chosen.to + margin : UINT64_MAX;
    if (chosen.from >= chosen.to || (defs->length > 0 && chosen.from > defs->length)) {
        hd_fail(HD_EUSAGE, part->instance != 0 ? "the instance is not in this archive" :
                           is_slice ? "the iteration or window is not in this archive" :
                           chosen.to == 0           ? "--to is not after the begin of the run" :
                           chosen.from >= chosen.to ? "--from is not before --to" :
                                                      "the interval from --from to --to contains no part of the run");
        if (defs->length > 0)
            hd_fail_detail("run", "%.9g s", (double)defs->length / (double)defs->resolution);
        return HD_EUSAGE;
    }
    if (range != NULL)
        *range = chosen.range;
    *interval = hd_analysis_interval_since(defs->first_time, chosen.from, chosen.to);
    /* what is open then is begun at a time that a reader knows */
    interval->from = hd_time_max(interval->from, defs->first_time);
    return HD_OK;
}
