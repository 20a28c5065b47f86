/* src/report/series/series_view.c: adds up the rows of the tables. */
#include "series_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "derived_series.h"
#include "memory.h"
#include "series_delays.h"
#include "summary_page.h"

const char *
hd_series_metric_name(uint32_t metric)
{
    return metric == HD_SERIES_DURATION ? "Duration of iterations" : hd_metric_infos[metric].name;
}

static char *
delay_title(uint32_t metric)
{
    char *name  = hd_series_delay_name(metric);
    char *title = metric == HD_METRIC_delay ? hd_strdup(name) : hd_format("Delay costs: %s", name);

    free(name);
    return title;
}

char *
hd_series_metric_title(uint32_t metric)
{
    if (metric == HD_SERIES_DURATION)
        return hd_strdup(hd_series_metric_name(metric));
    if (hd_metric_is_mpi_class(metric)) /* several have one name */
        return hd_format("%s (%s)", hd_metric_infos[metric].name, hd_metric_infos[metric].id);
    if (hd_metric_is_delay_cost(metric))
        return delay_title(metric);
    return hd_metric_is_time_over_time(metric) || !hd_metric_is_wait_state(metric) ?
               hd_strdup(hd_metric_infos[metric].name) : hd_metric_title(metric);
}

static uint32_t
n_rows_of(const hd_series_view *view)
{
    uint32_t n = 0;

    if (view->metric == HD_NONE)
        return HD_SERIES_DURATION + 1;
    for (size_t i = 0; i < view->n_entries; i++)
        if (view->entries[i].metric == view->metric && view->entries[i].process >= n)
            n = view->entries[i].process + 1;
    return n;
}

/* The duration of an iteration is that of the process that it takes longest. */
static void
put_durations(hd_series_view *view)
{
    for (uint32_t s = 1; s <= view->n; s++)
        view->values[(size_t)HD_SERIES_DURATION * view->n_slices + s] = view->iterations->slices[s - 1].longest;
}

void
hd_series_view_make(hd_series_view *view, const hd_series_list *windows, const hd_iteration_list *iterations,
                    uint32_t metric)
{
    *view = (hd_series_view){ .metric = metric };
    if (iterations != NULL) {
        view->iterations = iterations;
        view->entries    = iterations->entries;
        view->n_entries  = iterations->n;
        view->n          = iterations->n_slices;
        view->n_slices   = view->n + 3;
    } else {
        view->windows   = windows;
        view->entries   = windows->entries;
        view->n_entries = windows->n;
        view->n_slices  = windows->n_slices;
        view->n         = view->n_slices - 2;
    }
    view->n_rows     = n_rows_of(view);
    view->values     = HD_NEW_ARRAY(double, (size_t)view->n_rows * view->n_slices + 1);
    view->sums       = HD_NEW_ARRAY(double, (size_t)view->n_rows + 1);
    view->n_together = HD_NEW_ARRAY(uint32_t, (size_t)view->n_rows + 1);
    for (size_t i = 0; i < view->n_entries; i++) {
        const hd_series_entry *entry = &view->entries[i];
        uint32_t               row   = metric == HD_NONE ? entry->metric : entry->process;

        if ((metric != HD_NONE && entry->metric != metric) || (metric == HD_NONE && row == HD_SERIES_DURATION))
            continue;
        view->values[(size_t)row * view->n_slices + entry->slice] += entry->value;
        view->n_together[row] = entry->n_processes;
    }
    if (metric == HD_NONE && iterations != NULL)
        put_durations(view);
    for (uint32_t row = 0; row < view->n_rows; row++)
        for (uint32_t s = 1; s <= view->n; s++)
            view->sums[row] += view->values[(size_t)row * view->n_slices + s];
}

void
hd_series_view_fini(hd_series_view *view)
{
    free(view->values);
    free(view->sums);
    free(view->n_together);
}

char *
hd_series_slice_name(const hd_iteration_list *iterations, uint32_t n, uint32_t slice)
{
    const char *what  = iterations == NULL ? "window" : "iteration";
    uint32_t    at    = slice == 0 ? 1 : slice > n ? n : slice;
    uint32_t    first = iterations == NULL ? at : iterations->slices[at - 1].first;
    uint32_t    last  = iterations == NULL ? at : first + iterations->slices[at - 1].n - 1;

    if (slice != at)
        return hd_format("%s %s %" PRIu32, slice == 0 ? "before" : "after", what, slice == 0 ? first : last);
    return first == last ? hd_format("%s %" PRIu32, what, last) :
           hd_format("%ss %" PRIu32 " to %" PRIu32, what, first, last);
}

void
hd_series_view_times(const hd_series_view *view, uint32_t slice, double *from, double *to)
{
    *from = *to = NAN;
    if (view->windows != NULL) {
        *from = view->windows->slices[slice].from;
        *to   = view->windows->slices[slice].to;
    } else if (slice >= 1 && slice <= view->n) {
        *from = view->iterations->slices[slice - 1].from;
        *to   = view->iterations->slices[slice - 1].to;
    }
}

/* Whether there are such that heddle analyze --series all alone collects. */
static bool
has_all(const hd_series_view *view)
{
    bool has = false;

    for (size_t i = 0; i < view->n_entries && !has; i++)
        has = view->entries[i].metric == HD_METRIC_critical_path || hd_metric_is_mpi_class(view->entries[i].metric);
    return has;
}

hd_status
hd_series_view_lack(hd_cube *cube, const hd_series_view *view, bool has_delays)
{
    return hd_series_lack(cube, hd_series_metric_id(view->metric),
                          hd_metric_is_delay_cost(view->metric) ? has_delays : has_all(view));
}

hd_status
hd_series_lack(hd_cube *cube, const char *id, bool has_such)
{
    uint32_t metric    = hd_metric_by_id(id);
    bool     is_delay  = hd_metric_is_delay_cost(metric);
    bool     is_wanted = hd_metric_is_count_over_time(metric) || (metric != HD_NONE && hd_metric_is_mpi_class(metric));

    hd_fail(HD_EUSAGE, "report \"%s\" has no time series of metric \"%s\"", cube->path, id);
    if (metric == HD_METRIC_critical_path)
        hd_summary_advise(cube, "heddle analyze --series all, without --no-critical-path");
    else if ((is_wanted || is_delay) && has_such)
        hd_fail_detail("note", "the run has none of these");
    else if (is_wanted)
        hd_summary_advise(cube, "heddle analyze --series all, without --no-delay --no-critical-path");
    else if (is_delay)
        hd_summary_advise_waits(cube, "heddle analyze --series all, without --no-delay");
    else if (hd_metric_is_imbalance_over_time(metric))
        hd_fail_detail("note", "computation takes as long on each process, or it is not known");
    else if (strcmp(id, hd_series_metric_id(HD_SERIES_DURATION)) == 0)
        hd_fail_detail("note", "iterations have a duration: none were marked or found, or --by=windows omits them");
    else
        hd_fail_detail("metrics", "wait states, comp, mpi and its classes, omp_time, critical_path, imbalance, duration, delay costs, counters, visits, comms, syncs, bytes and their parts");
    return HD_EUSAGE;
}
