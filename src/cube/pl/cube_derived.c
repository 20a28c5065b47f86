#include "cube_derived.h"

#include <math.h>

#include "cube_cell.h"
#include "cube_values.h"
#include "memory.h"

enum { MAX_STEPS = 10000 }; /* of a program with loops, for one value */

/* A selection: call paths, all of them inclusively or all exclusively. */
typedef struct selection {
    const uint32_t *paths; /* [n] */
    uint32_t        n;
    hd_pl_flavour   flavour;
} selection;

static hd_status row_of(hd_cube *cube, uint32_t metric, uint32_t path, hd_pl_flavour flavour, double *row, bool *any);
static hd_status evaluate(hd_cube *cube, uint32_t metric, const selection *selected, double *row);

/* ---- sums over all locations ------------------------------------------------------------------------------------- */

static const hd_metric_sums *
find_sums(const hd_derived *derived, uint32_t metric)
{
    for (size_t i = 0; i < derived->n_sums; i++)
        if (derived->sums[i].metric == metric)
            return &derived->sums[i];
    return NULL;
}

static double
sum_at(const hd_metric_sums *of, uint32_t path, hd_pl_flavour flavour)
{
    return flavour == HD_PL_INCLUSIVE ? of->inclusive[path] : of->exclusive[path];
}

double
hd_cube_called(void *context, const hd_pl_reference *reference, double x)
{
    const hd_cube    *cube    = context;
    const hd_derived *derived = cube->file->derived;
    uint32_t          path    = hd_cube_path_by_number(cube, x);

    if (reference->metric == HD_NONE || path == HD_NONE)
        return 0;
    return sum_at(find_sums(derived, reference->metric), path,
                  reference->flavour == HD_PL_SAME ? derived->flavour : reference->flavour);
}

static hd_status
make_sums(hd_cube *cube, uint32_t metric)
{
    hd_derived    *derived = cube->file->derived;
    double        *row;
    hd_metric_sums new     = { .metric = metric };
    hd_status      status  = HD_OK;

    if (find_sums(derived, metric) != NULL)
        return HD_OK;
    row           = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    new.exclusive = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1);
    new.inclusive = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1);
    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
        bool any = false;

        status = row_of(cube, metric, path, HD_PL_EXCLUSIVE, row, &any);
        for (uint32_t i = 0; status == HD_OK && any && i < cube->n_locations; i++)
            new.exclusive[path] += row[i];
        new.total += new.exclusive[path];
    }
    for (uint32_t path = cube->n_paths; path-- > 0;) {
        new.inclusive[path] += new.exclusive[path];
        if (cube->paths[path].parent != HD_NONE)
            new.inclusive[cube->paths[path].parent] += new.inclusive[path];
    }
    free(row);
    if (status == HD_OK)
        HD_PUSH(derived->sums, derived->n_sums, derived->sums_capacity, new);
    else {
        free(new.exclusive);
        free(new.inclusive);
    }
    return status;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void
add_row(const hd_cube_metric *metric, double *values, const double *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = metric->is_extreme ? hd_extreme_of(metric, values[i], row[i]) : values[i] + row[i];
}

/* Of those below from..end-1 that follow each other in depth-first order: exclusive rows put together. */
static hd_status
add_range(hd_cube *cube, uint32_t metric, uint32_t from, uint32_t end, double *values, bool *any)
{
    double   *row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = HD_OK;

    for (uint32_t path = from; path < end && status == HD_OK; path++) {
        bool has = false;

        status = row_of(cube, metric, path, HD_PL_EXCLUSIVE, row, &has);
        if (status == HD_OK && has)
            add_row(&cube->metrics[metric], values, row, cube->n_locations);
        *any |= has;
    }
    free(row);
    return status;
}

static hd_status
stored_row(hd_cube *cube, uint32_t metric, uint32_t path, hd_pl_flavour flavour, double *row, bool *any)
{
    const hd_cube_metric *of    = &cube->metrics[metric];
    hd_cube_cell         *cells = cube->file->cells;
    hd_status             status;

    if (flavour == HD_PL_EXCLUSIVE || !of->is_inclusive)
        return hd_cube_row(cube, metric, path, row, any);
    status = hd_cube_stored_cells(cube, metric, path, cells, any);
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
        row[i] = hd_cube_cell_value(of, cells[i]);
    return status;
}

static hd_status
evaluate_at(hd_cube *cube, uint32_t metric, uint32_t path, hd_pl_flavour flavour, double *row)
{
    return evaluate(cube, metric, &(selection){ .paths = &path, .n = 1, .flavour = flavour }, row);
}

/* An exclusive value where the expression gives inclusive ones. */
static hd_status
subtract_children(hd_cube *cube, uint32_t metric, uint32_t path, double *row)
{
    const hd_cube_file *file   = cube->file;
    double             *child  = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status           status = HD_OK;

    for (uint32_t i = file->first_child[path]; i != HD_NONE && status == HD_OK; i = file->next_sibling[i]) {
        status = evaluate_at(cube, metric, i, HD_PL_INCLUSIVE, child);
        for (uint32_t j = 0; j < cube->n_locations && status == HD_OK; j++)
            row[j] -= child[j];
    }
    free(child);
    return status;
}

/* Of any metric, at one call path. flavour: not HD_PL_SAME. row: [n_locations], out. */
static hd_status
row_of(hd_cube *cube, uint32_t metric, uint32_t path, hd_pl_flavour flavour, double *row, bool *any)
{
    const hd_cube_metric *of        = &cube->metrics[metric];
    bool                  is_stored = of->kind == HD_CUBE_STORED;
    hd_status             status;

    *any = false;
    memset(row, 0, cube->n_locations * sizeof *row);
    if (cube->file->derived->metrics[metric].is_void)
        return HD_OK;
    if (flavour == HD_PL_INCLUSIVE && (is_stored ? !of->is_inclusive : of->kind == HD_CUBE_PREDERIVED_EXCLUSIVE))
        return add_range(cube, metric, path, cube->file->end[path], row, any);
    if (is_stored)
        return stored_row(cube, metric, path, flavour, row, any);
    status = evaluate_at(cube, metric, path, of->kind == HD_CUBE_PREDERIVED_INCLUSIVE ? HD_PL_INCLUSIVE : flavour, row);
    if (status == HD_OK && of->kind == HD_CUBE_PREDERIVED_INCLUSIVE && flavour == HD_PL_EXCLUSIVE)
        status = subtract_children(cube, metric, path, row);
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
        *any |= row[i] != 0;
    return status;
}

/* Of any metric, for what is selected. */
static hd_status
selected_row(hd_cube *cube, uint32_t metric, const selection *selected, double *row)
{
    double   *one;
    hd_status status = HD_OK;

    if (cube->metrics[metric].kind == HD_CUBE_POSTDERIVED && !cube->file->derived->metrics[metric].is_void)
        return evaluate(cube, metric, selected, row);
    memset(row, 0, cube->n_locations * sizeof *row);
    one = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    for (uint32_t i = 0; i < selected->n && status == HD_OK; i++) {
        bool any = false;

        status = row_of(cube, metric, selected->paths[i], selected->flavour, one, &any);
        if (status == HD_OK && any)
            add_row(&cube->metrics[metric], row, one, cube->n_locations);
    }
    free(one);
    return status;
}

/* The row of values that a program asks for. */
static hd_status
fetch(hd_cube *cube, const hd_pl_reference *reference, const selection *selected, double *row)
{
    selection             of  = *selected;
    double                sum = 0;
    const hd_metric_sums *known;
    hd_status             status;

    if (reference->flavour != HD_PL_SAME)
        of.flavour = reference->flavour;
    memset(row, 0, cube->n_locations * sizeof *row);
    if (reference->metric == HD_NONE)
        return HD_OK;
    if (reference->scope == HD_PL_HERE)
        return selected_row(cube, reference->metric, &of, row);
    status = make_sums(cube, reference->metric);
    if (status != HD_OK)
        return status;
    known = find_sums(cube->file->derived, reference->metric);
    if (reference->scope == HD_PL_TOTAL)
        sum = known->total;
    for (uint32_t i = 0; i < of.n && reference->scope == HD_PL_PATH_SUM; i++)
        sum += sum_at(known, of.paths[i], of.flavour);
    for (uint32_t i = 0; i < cube->n_locations; i++)
        row[i] = sum;
    return HD_OK;
}

/* What the expression of a metric gives. selected: not HD_PL_SAME. */
static hd_status
evaluate(hd_cube *cube, uint32_t metric, const selection *selected, double *row)
{
    hd_derived          *derived = cube->file->derived;
    const hd_pl_program *program = &derived->metrics[metric].program;
    double              *rows    = HD_NEW_ARRAY(double, program->n_references * cube->n_locations + 1);
    hd_status            status  = HD_OK;
    bool                 is_done;

    for (size_t i = 0; i < program->n_references && status == HD_OK; i++)
        status = fetch(cube, &program->references[i], selected, rows + i * cube->n_locations);
    derived->metric  = metric;
    derived->path    = selected->n > 0 ? selected->paths[0] : HD_NONE;
    derived->flavour = selected->flavour;
    is_done          = status == HD_OK && hd_pl_run_row(&derived->machine, program, rows, cube->n_locations, row);
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK && !is_done; i++) {
        derived->location = i;
        if (!hd_pl_run(&derived->machine, program, rows + i, cube->n_locations, MAX_STEPS + program->n_ops, &row[i]))
            row[i] = NAN;
    }
    free(rows);
    return status;
}

hd_status
hd_cube_derived_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    double   *row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = row_of(cube, metric, path, HD_PL_EXCLUSIVE, row, any);

    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
        cells[i].real = isnan(row[i]) ? (double)NAN : row[i]; /* the same one everywhere */
    free(row);
    return status;
}

/* paths: [n_paths] out. Whether what is selected comes with everything below; then only the outermost are listed. */
static bool
list_selected(const hd_cube *cube, const bool *selected, uint32_t *paths, uint32_t *n)
{
    bool is_whole = true;

    for (uint32_t i = 0; i < cube->n_paths && is_whole && selected != NULL; i++)
        is_whole = selected[i] || cube->paths[i].parent == HD_NONE || !selected[cube->paths[i].parent];
    *n = 0;
    for (uint32_t i = 0; i < cube->n_paths; i++) {
        uint32_t parent = cube->paths[i].parent;

        if (selected != NULL && !selected[i])
            continue;
        if (!is_whole || parent == HD_NONE || (selected != NULL && !selected[parent]))
            paths[(*n)++] = i;
    }
    return is_whole;
}

static bool
is_before(const hd_cube_part *part, uint32_t metric, uint32_t path)
{
    return part->metric < metric || (part->metric == metric && part->path < path);
}

/* Whether there is anything to take off. */
static bool
take_off(const hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells)
{
    size_t first = 0, end = cube->n_taken_off, begin;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (is_before(&cube->taken_off[middle], metric, path))
            first = middle + 1;
        else
            end = middle;
    }
    begin = first;
    for (; first < cube->n_taken_off && cube->taken_off[first].metric == metric && cube->taken_off[first].path == path;
         first++) {
        const hd_cube_part *part = &cube->taken_off[first];

        if (cube->metrics[metric].is_integer)
            cells[part->location].integer =
                (int64_t)((uint64_t)cells[part->location].integer - (uint64_t)part->value.integer);
        else
            cells[part->location].real -= part->value.real;
    }
    return first > begin;
}

hd_status
hd_cube_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_status status;

    HD_ASSERT(metric < cube->n_metrics + cube->n_hidden);
    HD_ASSERT(path < cube->n_paths);
    if (cube->skipped != NULL && cube->skipped[path]) {
        memset(cells, 0, cube->n_locations * sizeof *cells);
        *any = false;
        return HD_OK;
    }
    if (cube->metrics[metric].kind != HD_CUBE_STORED || hd_cube_is_void(cube, metric))
        return hd_cube_derived_cells(cube, metric, path, cells, any);
    status = hd_cube_exclusive_cells(cube, metric, path, cells, any);
    if (status == HD_OK && cube->n_taken_off > 0)
        *any |= take_off(cube, metric, path, cells);
    return status;
}

hd_status
hd_cube_row(hd_cube *cube, uint32_t metric, uint32_t path, double *values, bool *any)
{
    const hd_cube_metric *of     = &cube->metrics[metric];
    hd_cube_cell         *cells  = cube->file->cells;
    hd_status             status = hd_cube_cells(cube, metric, path, cells, any);

    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
        values[i] = hd_cube_cell_value(of, cells[i]);
    return status;
}

hd_status
hd_cube_sum(hd_cube *cube, uint32_t metric, const bool *selected, double *values)
{
    const hd_cube_metric *of     = &cube->metrics[metric];
    hd_status             status = HD_OK;

    if (of->kind == HD_CUBE_POSTDERIVED && !of->is_additive) {
        uint32_t *paths = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
        selection list  = { .paths = paths };

        list.flavour = list_selected(cube, selected, paths, &list.n) ? HD_PL_INCLUSIVE : HD_PL_EXCLUSIVE;
        status       = selected_row(cube, metric, &list, values);
        free(paths);
    } else {
        double *row = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);

        if (of->is_extreme)
            memset(values, 0, cube->n_locations * sizeof *values);
        for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
            bool any = false;

            if (selected == NULL || selected[path])
                status = hd_cube_row(cube, metric, path, row, &any);
            if (status == HD_OK && any)
                add_row(of, values, row, cube->n_locations);
        }
        free(row);
    }
    return status;
}

bool
hd_cube_is_void(const hd_cube *cube, uint32_t metric)
{
    return cube->file->derived != NULL && cube->file->derived->metrics[metric].is_void;
}
