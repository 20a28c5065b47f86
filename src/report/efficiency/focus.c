/* src/report/efficiency/focus.c: which regions, and their times, from the metrics "time", "comp" and "mpi". */
#include "focus.h"

#include <math.h>
#include <string.h>

#include "closest.h"
#include "memory.h"
#include "path_text.h"

#define MAIN_SHARE  0.9  /* of the time around it: then the focus goes on below */
#define SMALL_SHARE 0.01 /* of the run: below that a region is no focus */

/* Call paths of the focus. */
static bool *
select_below(const hd_cube *cube, const bool *roots)
{
    bool *selected = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1);

    for (uint32_t i = 0; i < cube->n_paths; i++)
        selected[i] = roots[i] || (cube->paths[i].parent != HD_NONE && selected[cube->paths[i].parent]);
    return selected;
}

static bool
is_thread(const hd_cube *cube, uint32_t location)
{
    return strcmp(cube->locations[location].type, "thread") == 0;
}

static uint64_t
ticks(double seconds, uint64_t resolution)
{
    return seconds > 0 ? (uint64_t)llround(seconds * (double)resolution) : 0;
}

/* Values of a metric on each location; of a metric that the report lacks zeros. */
static hd_status
sum_metric(hd_cube *cube, const char *id, const bool *selected, double *values)
{
    uint32_t metric = hd_cube_metric_by_id(cube, id);

    memset(values, 0, cube->n_locations * sizeof *values);
    return metric != HD_NONE ? hd_cube_sum(cube, metric, selected, values) : HD_OK;
}

/* The first thread of each process that has time there stands for it. */
static hd_status
measure(hd_cube *cube, const bool *selected, const hd_efficiency_entry *run, hd_efficiency_entry *entry)
{
    double   *useful = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    double   *mpi    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    double   *time   = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    double   *create = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = sum_metric(cube, "comp", selected, useful);
    uint64_t  length = 0;

    *entry            = (hd_efficiency_entry){ .resolution = run->resolution, .is_region = true };
    entry->sums[HD_EFFICIENCY_processes] = run->sums[HD_EFFICIENCY_processes];
    entry->sums[HD_EFFICIENCY_threads]   = run->sums[HD_EFFICIENCY_threads];
    if (status == HD_OK)
        status = sum_metric(cube, "mpi", selected, mpi);
    if (status == HD_OK)
        status = sum_metric(cube, "time", selected, time);
    if (status == HD_OK)
        status = sum_metric(cube, "omp_task_create_time", selected, create);
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++) {
        uint64_t of_thread = ticks(useful[i] - create[i], run->resolution), own = ticks(time[i], run->resolution);

        if (!is_thread(cube, i))
            continue;
        entry->sums[HD_EFFICIENCY_useful] += of_thread;
        entry->sums[HD_EFFICIENCY_mpi] += ticks(mpi[i], run->resolution);
        if (of_thread > entry->sums[HD_EFFICIENCY_max_useful])
            entry->sums[HD_EFFICIENCY_max_useful] = of_thread;
        length = own > length ? own : length;
    }
    entry->to         = length;
    entry->length     = length;
    entry->has_bounds = true;
    free(useful);
    free(mpi);
    free(time);
    free(create);
    return status;
}

/* ---- which ones -------------------------------------------------------------------------------------------------- */

typedef struct focus_list {
    hd_focus *rows;
    size_t    n, capacity;
} focus_list;

static hd_status
add_focus(hd_cube *cube, const bool *roots, uint32_t path, const char *name, const hd_efficiency_entry *run,
          focus_list *list)
{
    hd_focus  focus    = { .path = path };
    bool     *selected = select_below(cube, roots);
    hd_status status   = measure(cube, selected, run, &focus.entry);

    free(selected);
    if (status != HD_OK)
        return status;
    focus.name = hd_strdup(name);
    HD_PUSH(list->rows, list->n, list->capacity, focus);
    return HD_OK;
}

static hd_status
fail_unknown(const hd_cube *cube, const char *name)
{
    const char **names = HD_NEW_ARRAY(const char *, (size_t)cube->n_regions + 1);
    const char  *closest;

    for (uint32_t i = 0; i < cube->n_regions; i++)
        names[i] = cube->regions[i].name;
    closest = hd_closest(name, names, cube->n_regions);
    hd_fail(HD_EUSAGE, "report \"%s\" has no region \"%.300s\"", cube->path, name);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    free(names);
    return HD_EUSAGE;
}

static hd_status
add_region(hd_cube *cube, const char *name, const hd_efficiency_entry *run, focus_list *list)
{
    bool     *roots = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1), any = false;
    hd_status status;

    for (uint32_t i = 0; i < cube->n_paths; i++) {
        roots[i] = strcmp(cube->regions[cube->paths[i].region].name, name) == 0;
        any |= roots[i];
    }
    status = any ? add_focus(cube, roots, HD_NONE, name, run, list) : fail_unknown(cube, name);
    free(roots);
    return status;
}

static hd_status
add_path(hd_cube *cube, uint32_t path, const hd_efficiency_entry *run, focus_list *list)
{
    bool     *roots = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1);
    char     *name  = hd_path_text(cube, path, " > ");
    hd_status status;

    roots[path] = true;
    status      = add_focus(cube, roots, path, name, run, list);
    free(name);
    free(roots);
    return status;
}

/* times: [n_paths] with all below. */
static hd_status
time_of_paths(hd_cube *cube, double *times)
{
    uint32_t  metric = hd_cube_metric_by_id(cube, "time");
    double   *row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    bool      any;
    hd_status status = HD_OK;

    for (uint32_t path = cube->n_paths; path-- > 0 && status == HD_OK && metric != HD_NONE;) {
        status = hd_cube_row(cube, metric, path, row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
            times[path] += row[i];
        if (cube->paths[path].parent != HD_NONE)
            times[cube->paths[path].parent] += times[path];
    }
    free(row);
    return status;
}

/* The call path with most time below a parent (HD_NONE: of the roots); HD_NONE: there is none. */
static uint32_t
largest_below(const hd_cube *cube, const double *times, uint32_t parent)
{
    uint32_t largest = HD_NONE;

    for (uint32_t i = 0; i < cube->n_paths; i++)
        if (cube->paths[i].parent == parent && (largest == HD_NONE || times[i] > times[largest]))
            largest = i;
    return largest;
}

static hd_status
add_main_paths(hd_cube *cube, const hd_efficiency_entry *run, focus_list *list)
{
    double   *times  = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1), whole = 0;
    hd_status status = time_of_paths(cube, times);
    uint32_t  parent = HD_NONE, child;

    for (uint32_t i = 0; i < cube->n_paths; i++)
        whole += cube->paths[i].parent == HD_NONE ? times[i] : 0;
    while ((child = largest_below(cube, times, parent)) != HD_NONE &&
           times[child] >= MAIN_SHARE * (parent == HD_NONE ? whole : times[parent]) &&
           largest_below(cube, times, child) != HD_NONE)
        parent = child;
    for (uint32_t i = 0; i < cube->n_paths && status == HD_OK; i++)
        if (cube->paths[i].parent == parent && times[i] >= SMALL_SHARE * whole && whole > 0)
            status = add_path(cube, i, run, list);
    free(times);
    return status;
}

hd_status
hd_focuses_new(hd_cube *cube, const char *const *names, size_t n, const hd_efficiency_entry *run, hd_focus **focuses,
               size_t *n_focuses)
{
    focus_list list   = { .rows = NULL };
    hd_status  status = HD_OK;

    for (size_t i = 0; i < n && status == HD_OK; i++)
        status = add_region(cube, names[i], run, &list);
    if (n == 0)
        status = add_main_paths(cube, run, &list);
    if (status != HD_OK) {
        hd_focuses_free(list.rows, list.n);
        list = (focus_list){ .rows = NULL };
    }
    *focuses   = list.rows;
    *n_focuses = list.n;
    return status;
}

void
hd_focuses_free(hd_focus *focuses, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(focuses[i].name);
    free(focuses);
}
