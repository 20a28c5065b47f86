/* src/report/members/computation_drift.c: compares the first and the last quarter of the iterations, without the first
 * and the last one. */
#include "computation_drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counter_series_list.h"
#include "memory.h"
#include "path_series_list.h"

#define MIN_SHARE 0.01   /* of the time of iterations: what an iteration differs by */
#define MOST      0x1p52 /* ns, of an iteration */

/* The first and the last iteration are left out: they are often others, and a found last one lacks what follows its
 * last call. */
typedef struct quarters { /* slices of iterations, from 1 */
    uint32_t n, n_slices;     /* of each; all */
    uint32_t first, last;     /* where they begin */
    double   n_first, n_last; /* iterations */
} quarters;

static quarters
quarters_of(const hd_iteration_list *list)
{
    quarters q = { .n = (list->n_slices - 2) / 4, .n_slices = list->n_slices, .first = 2 };

    q.last = list->n_slices - q.n;
    for (uint32_t s = 0; s < q.n; s++) {
        q.n_first += list->slices[q.first - 1 + s].n;
        q.n_last += list->slices[q.last - 1 + s].n;
    }
    return q;
}

static void
add(hd_drift_part *part, const quarters *q, uint32_t slice, double value)
{
    if (slice >= q->first && slice < q->first + q->n)
        part->first += value / q->n_first;
    if (slice >= q->last && slice < q->last + q->n)
        part->last += value / q->n_last;
}

/* Of equal ones the first. */
static void
keep_larger(hd_computation_drift *drift, uint32_t path, const hd_drift_part *part)
{
    double sign = drift->grows ? 1 : -1;

    if (path == HD_NONE || sign * (part->last - part->first) <= 0 ||
        (drift->path != HD_NONE && sign * (part->last - part->first) <= sign * (drift->most.last - drift->most.first)))
        return;
    drift->path = path;
    drift->most = *part;
}

static hd_status
find_path(hd_cube *cube, const quarters *q, hd_computation_drift *drift)
{
    hd_path_series_list paths;
    hd_status status = hd_path_series_list_read(cube, HD_ITERATION_PATH_SERIES_MEMBER, q->n_slices + 3, &paths);

    for (size_t i = 0, end; i < paths.n; i = end) {
        hd_drift_part part = { 0, 0 };

        for (end = i; end < paths.n && paths.entries[end].metric == paths.entries[i].metric &&
                      paths.entries[end].path == paths.entries[i].path; end++)
            add(&part, q, paths.entries[end].slice, paths.entries[end].value);
        if (paths.entries[i].metric == HD_METRIC_comp)
            keep_larger(drift, paths.entries[i].path, &part);
    }
    hd_path_series_list_fini(&paths);
    return status;
}

static void
add_counted(hd_computation_drift *drift, const quarters *q, uint32_t counter, uint32_t slice, double value)
{
    hd_drift_part part = { 0, 0 };

    add(&part, q, slice, value);
    drift->first.counted[counter] += part.first;
    drift->last.counted[counter] += part.last;
}

/* What was counted where it drifts most; everywhere, if that is not known. */
static hd_status
find_counters(hd_cube *cube, const quarters *q, hd_computation_drift *drift)
{
    const hd_drift_part   *where = drift->path != HD_NONE ? &drift->most : &drift->all;
    hd_counter_series_list list;
    hd_status status = hd_counter_series_list_read(cube, true, false, q->n_slices + 3, &list);

    drift->first.time = where->first;
    drift->last.time  = where->last;
    for (size_t i = 0; i < list.n_paths && drift->path != HD_NONE; i++)
        if (list.paths[i].path == drift->path)
            add_counted(drift, q, list.paths[i].metric, list.paths[i].slice, list.paths[i].value);
    for (size_t i = 0; i < list.n_processes && drift->path == HD_NONE; i++)
        add_counted(drift, q, list.processes[i].metric, list.processes[i].slice, list.processes[i].value);
    drift->n_counters = list.n_counters;
    for (uint32_t i = 0; i < list.n_counters; i++) {
        drift->names[i] = list.names[i];
        list.names[i]   = NULL; /* it is taken */
    }
    hd_counter_series_list_fini(&list);
    return status;
}

/* Whether they drift as a verdict says, and not only by a little of the time of an iteration. values: [n_slices] of an
 * iteration, in ns */
static bool
has_drift(const hd_iteration_list *list, const uint64_t *values, const hd_drift_part *all)
{
    double time = 0;

    for (uint32_t s = 0; s < list->n_slices; s++)
        time += list->slices[s].time;
    return fabs(all->last - all->first) * list->n_iterations >= MIN_SHARE * time &&
           hd_verdict_has_drift(&values[1], list->n_slices - 2);
}

hd_status
hd_computation_drift_read(hd_cube *cube, const hd_iteration_list *list, hd_computation_drift *drift)
{
    double   *sums;
    uint64_t *values;
    hd_status status;
    quarters  q;

    *drift = (hd_computation_drift){ .path = HD_NONE };
    if (list->n_slices < HD_VERDICT_LEAST + 2)
        return HD_OK;
    q      = quarters_of(list);
    sums   = HD_NEW_ARRAY(double, list->n_slices);
    values = HD_NEW_ARRAY(uint64_t, list->n_slices);
    for (size_t i = 0; i < list->n; i++) {
        const hd_series_entry *entry = &list->entries[i];

        if (entry->metric != HD_METRIC_comp || entry->slice == 0 || entry->slice > list->n_slices)
            continue;
        sums[entry->slice - 1] += entry->value;
        add(&drift->all, &q, entry->slice, entry->value);
    }
    for (uint32_t s = 0; s < list->n_slices; s++)
        values[s] = (uint64_t)fmin(sums[s] / list->slices[s].n * 1e9, MOST);
    drift->grows    = drift->all.last > drift->all.first;
    drift->is_there = has_drift(list, values, &drift->all);
    free(sums);
    free(values);
    if (!drift->is_there)
        return HD_OK;
    status = find_path(cube, &q, drift);
    return status == HD_OK ? find_counters(cube, &q, drift) : status;
}

void
hd_computation_drift_fini(hd_computation_drift *drift)
{
    for (uint32_t i = 0; i < drift->n_counters; i++)
        free(drift->names[i]);
    *drift = (hd_computation_drift){ .path = HD_NONE };
}
