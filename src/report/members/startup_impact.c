/* src/report/members/startup_impact.c: from activities and critical path in the main window to impacts, in the order of
 * call paths and locations, so that sums are the same each time. */
#include "startup_impact.h"

#include <math.h>

#include "memory.h"
#include "metric.h"
#include "sort.h"

#define NOTHING 1e-12 /* of a call path's part of the critical path: the sum of its values has such an error */

typedef struct window_impact {
    hd_cube  *cube;
    uint32_t  path_metric, activities, others, impact, inter, intra;
    double   *row, *more;   /* [n_locations] scratch */
    double   *lengths;      /* [n_paths] on the critical path, of all locations */
    double   *impacts, *inters; /* [n_paths] of all locations, before they are shared out */
    double   *work;         /* [n_locations] of all call paths */
    double   *excess;       /* [n_locations] of the path over the work; */
    double   *unvisited;    /* of call paths in which the location has no work: their parts of the path */
    double    length;       /* of the path */
    hd_cube_part *parts;    /* [n] what is to be taken off */
    size_t        n, capacity;
} window_impact;

static bool
find_metrics(window_impact *w)
{
    const struct { uint32_t *number; hd_metric metric; } wanted[] = {
        { &w->path_metric, HD_METRIC_critical_path },
        { &w->activities, HD_METRIC_critical_path_activities },
        { &w->others, HD_METRIC_non_critical_path_activities },
        { &w->impact, HD_METRIC_critical_imbalance_impact },
        { &w->inter, HD_METRIC_inter_partition_imbalance },
        { &w->intra, HD_METRIC_intra_partition_imbalance },
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        *wanted[i].number = hd_cube_metric_by_id(w->cube, hd_metric_infos[wanted[i].metric].id);
        if (*wanted[i].number == HD_NONE || w->cube->metrics[*wanted[i].number].is_integer ||
            w->cube->metrics[*wanted[i].number].kind != HD_CUBE_STORED)
            return false;
    }
    return true;
}

static hd_status
find_lengths(window_impact *w)
{
    hd_status status = HD_OK;
    bool      any;

    for (uint32_t path = 0; path < w->cube->n_paths && status == HD_OK; path++) {
        status = hd_cube_row(w->cube, w->path_metric, path, w->row, &any);
        for (uint32_t i = 0; i < w->cube->n_locations && status == HD_OK && any; i++)
            w->lengths[path] += w->row[i];
        w->length += w->lengths[path];
    }
    return status;
}

/* Into w->row. */
static hd_status
read_work(window_impact *w, uint32_t path, bool *any)
{
    bool      has_more = false;
    hd_status status   = hd_cube_row(w->cube, w->activities, path, w->row, any);

    if (status == HD_OK)
        status = hd_cube_row(w->cube, w->others, path, w->more, &has_more);
    for (uint32_t i = 0; i < w->cube->n_locations && status == HD_OK && has_more; i++)
        w->row[i] += w->more[i];
    *any = *any || (status == HD_OK && has_more);
    return status;
}

static double
excess_of(const window_impact *w, uint32_t path, double work)
{
    double excess = w->lengths[path] - work;

    return excess > w->lengths[path] * NOTHING ? excess : 0;
}

static hd_status
find_excess(window_impact *w)
{
    hd_status status = HD_OK;
    bool      any;

    for (uint32_t path = 0; path < w->cube->n_paths && status == HD_OK; path++) {
        status = read_work(w, path, &any);
        for (uint32_t i = 0; i < w->cube->n_locations && status == HD_OK && (any || w->lengths[path] > 0); i++) {
            w->work[i] += w->row[i];
            w->excess[i] += excess_of(w, path, w->row[i]);
            w->unvisited[i] += w->row[i] > 0 ? 0 : w->lengths[path];
        }
    }
    return status;
}

static hd_status
add_impacts(window_impact *w)
{
    hd_status status = HD_OK;
    bool      any;

    for (uint32_t path = 0; path < w->cube->n_paths && status == HD_OK; path++) {
        if (w->lengths[path] <= 0)
            continue;
        status = read_work(w, path, &any);
        for (uint32_t i = 0; i < w->cube->n_locations && status == HD_OK; i++) {
            double excess = excess_of(w, path, w->row[i]);
            /* of the call paths that it has work in, the path's or its own, whichever is more */
            double visited = w->work[i] + w->excess[i] - w->unvisited[i];

            if (excess > 0)
                w->impacts[path] += excess * ((w->length - w->work[i]) / w->excess[i]);
            if (excess > 0 && w->row[i] <= 0)
                w->inters[path] += w->lengths[path] * ((w->length - visited) / w->unvisited[i]);
        }
    }
    return status;
}

static void
take_off(window_impact *w, uint32_t metric, uint32_t path, uint32_t location, double outside)
{
    if (outside != 0)
        HD_PUSH(w->parts, w->n, w->capacity, ((hd_cube_part){ .metric = metric, .path = path, .location = location,
                                                              .value.real = outside }));
}

/* w->more: the share of each location in the path. */
static hd_status
share_out(window_impact *w, uint32_t path)
{
    bool      any;
    hd_status status = hd_cube_row(w->cube, w->path_metric, path, w->more, &any);

    if (status == HD_OK)
        status = hd_cube_row(w->cube, w->impact, path, w->row, &any);
    for (uint32_t i = 0; i < w->cube->n_locations && status == HD_OK; i++) {
        w->more[i] = w->more[i] > 0 ? w->more[i] / w->lengths[path] : 0;
        w->row[i] -= w->more[i] > 0 && w->impacts[path] > 0 ? w->more[i] * w->impacts[path] : 0;
        for (uint32_t m = w->impact; m != HD_NONE; m = w->cube->metrics[m].parent)
            take_off(w, m, path, i, w->row[i]);
        take_off(w, w->intra, path, i, w->row[i]);
    }
    if (status == HD_OK)
        status = hd_cube_row(w->cube, w->inter, path, w->row, &any);
    for (uint32_t i = 0; i < w->cube->n_locations && status == HD_OK; i++) {
        w->row[i] -= w->more[i] > 0 && w->inters[path] > 0 ? w->more[i] * w->inters[path] : 0;
        take_off(w, w->inter, path, i, w->row[i]);
        take_off(w, w->intra, path, i, -w->row[i]);
    }
    return status;
}

static inline uint64_t
place_of(const hd_cube_part *part)
{
    return (uint64_t)part->path << 32 | part->location;
}

static inline uint64_t
metric_of(const hd_cube_part *part)
{
    return part->metric;
}

static void
add_parts(window_impact *w)
{
    hd_cube *cube = w->cube;

    if (w->n == 0)
        return;
    cube->taken_off = hd_realloc(cube->taken_off, cube->n_taken_off + w->n, sizeof *cube->taken_off);
    memcpy(cube->taken_off + cube->n_taken_off, w->parts, w->n * sizeof *w->parts);
    cube->n_taken_off += w->n;
    HD_SORT_BY_KEY(hd_cube_part, cube->taken_off, cube->n_taken_off, place_of);
    HD_SORT_BY_KEY(hd_cube_part, cube->taken_off, cube->n_taken_off, metric_of);
}

hd_status
hd_startup_impact_take_off(hd_cube *cube)
{
    window_impact w = { .cube = cube };
    hd_status     status;
    double       *of_paths, *of_locations;

    if (!find_metrics(&w))
        return HD_OK;
    of_paths     = HD_NEW_ARRAY(double, 3 * (size_t)cube->n_paths + 1);
    of_locations = HD_NEW_ARRAY(double, 5 * (size_t)cube->n_locations + 1);
    w.lengths    = of_paths;
    w.impacts    = of_paths + cube->n_paths;
    w.inters     = of_paths + 2 * (size_t)cube->n_paths;
    w.row        = of_locations;
    w.more       = of_locations + cube->n_locations;
    w.work       = of_locations + 2 * (size_t)cube->n_locations;
    w.excess     = of_locations + 3 * (size_t)cube->n_locations;
    w.unvisited  = of_locations + 4 * (size_t)cube->n_locations;
    status       = find_lengths(&w);
    if (status == HD_OK && w.length > 0)
        status = find_excess(&w);
    if (status == HD_OK && w.length > 0)
        status = add_impacts(&w);
    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++)
        if (w.lengths[path] > 0)
            status = share_out(&w, path);
    if (status == HD_OK)
        add_parts(&w);
    free(w.parts);
    free(of_paths);
    free(of_locations);
    return status;
}
