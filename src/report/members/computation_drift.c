/* src/report/members/computation_drift.c: compares the first and the last quarter of the iterations. */
#include "computation_drift.h"

#include "path_series_list.h"

typedef struct quarters { /* slices of iterations */
    uint32_t n;           /* of each */
    uint32_t n_slices;
    double   n_first, n_last; /* iterations */
} quarters;

static quarters
quarters_of(const hd_iteration_list *list)
{
    quarters q = { .n = list->n_slices / 4, .n_slices = list->n_slices };

    for (uint32_t s = 0; s < q.n; s++) {
        q.n_first += list->slices[s].n;
        q.n_last += list->slices[list->n_slices - 1 - s].n;
    }
    return q;
}

static void
add(hd_drift_part *part, const quarters *q, uint32_t slice, double value)
{
    if (slice >= 1 && slice <= q->n)
        part->first += value / q->n_first;
    if (slice > q->n_slices - q->n && slice <= q->n_slices)
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

hd_status
hd_computation_drift_read(hd_cube *cube, const hd_iteration_list *list, hd_computation_drift *drift)
{
    const hd_verdict_entry *verdict = hd_iteration_list_verdict(list, HD_METRIC_comp);
    quarters                q       = quarters_of(list);

    *drift = (hd_computation_drift){ .path = HD_NONE };
    if (verdict == NULL || q.n == 0)
        return HD_OK;
    drift->grows    = verdict->correlation >= HD_DRIFT_CORRELATION && verdict->change >= HD_DRIFT_CHANGE;
    drift->is_there = drift->grows || (verdict->correlation <= -HD_DRIFT_CORRELATION &&
                                       verdict->change <= -HD_DRIFT_CHANGE);
    if (!drift->is_there)
        return HD_OK;
    for (size_t i = 0; i < list->n; i++)
        if (list->entries[i].metric == HD_METRIC_comp)
            add(&drift->all, &q, list->entries[i].slice, list->entries[i].value);
    return find_path(cube, &q, drift);
}
