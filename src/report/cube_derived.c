#include "cube_derived.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cube_pl.h"
#include "memory.h"
#include "table.h"

enum {
    MAX_DEPTH  = 50,    /* metrics computed from metrics computed from ... */
    MAX_COST   = 10000, /* rows that are read, or programs of fifty ops that are run, for one row */
    LOOP_COST  = 200,   /* of these, for a program with loops */
    MAX_STEPS  = 10000, /* of a program, for one value */
    WHY_BYTES  = 400,
};

typedef struct sums { /* of a metric, over all locations */
    uint32_t metric;
    double  *exclusive, *inclusive; /* [n_paths] */
    double   total;
} sums;

typedef enum mark { IS_NEW, IS_OPEN, IS_DONE } mark;

typedef struct derived_metric {
    hd_pl_program program;
    bool          is_void; /* all zero */
    /* while the report is opened */
    char         *why;     /* it is left out; NULL: it is not */
    mark          mark;
    int           depth;
    double        cost[2]; /* of an exclusive and an inclusive row */
} derived_metric;

typedef struct named { /* a metric, or one that is left out: metric counts on behind the metrics then */
    const char *id;
    uint32_t    metric;
} named;

typedef struct hd_derived {
    hd_pl_machine   machine;
    derived_metric *metrics; /* as cube->metrics */
    hd_table        paths, regions; /* by their ids in the file */
    uint32_t       *n_children;     /* [n_paths] */
    named          *names;          /* [n_names] ascending */
    size_t          n_names;
    sums           *sums;
    size_t          n_sums, sums_capacity;
    /* what a value is computed for */
    uint32_t        metric, path, location;
    hd_pl_flavour   flavour;
} hd_derived;

/* A selection: call paths, all of them inclusively or all exclusively. */
typedef struct selection {
    const uint32_t *paths; /* [n] */
    uint32_t        n;
    hd_pl_flavour   flavour;
} selection;

static hd_status row_of(hd_cube *cube, uint32_t metric, uint32_t path, hd_pl_flavour flavour, double *row, bool *any);
static hd_status evaluate(hd_cube *cube, uint32_t metric, const selection *selected, double *row);

/* ---- what expressions ask of the report ---------------------------------------------------------------------------------- */

static hd_pl_value
number(double x)
{
    return (hd_pl_value){ .number = x };
}

static hd_pl_value
text(const char *x)
{
    return (hd_pl_value){ .text = x };
}

/* HD_NONE: it is no number of one. */
static uint32_t
index_of(double x, uint32_t n)
{
    return x >= 0 && x < n ? (uint32_t)x : HD_NONE;
}

static uint32_t
by_number(const hd_table *table, double x)
{
    return x >= 0 && x < HD_NONE ? hd_table_get(table, (uint64_t)x) : HD_NONE;
}

static hd_pl_value
path_fact(const hd_cube *cube, hd_pl_fact fact, uint32_t i)
{
    const hd_cube_path *path = &cube->paths[i];

    switch (fact) {
    case HD_PL_PATH_FILE: return text(path->call_file);
    case HD_PL_PATH_LINE: return number(path->call_line);
    case HD_PL_PATH_CALLEE: return number(cube->regions[path->region].number);
    case HD_PL_PATH_PARENT: return number(path->parent != HD_NONE ? cube->paths[path->parent].number : -1.0);
    default: return number(cube->file->derived->n_children[i]);
    }
}

static hd_pl_value
region_fact(const hd_cube_region *region, hd_pl_fact fact)
{
    switch (fact) {
    case HD_PL_REGION_NAME: return text(region->name);
    case HD_PL_REGION_MANGLED: return text(region->mangled_name);
    case HD_PL_REGION_PARADIGM: return text(region->paradigm);
    case HD_PL_REGION_ROLE: return text(region->role);
    case HD_PL_REGION_URL: return text(region->url);
    case HD_PL_REGION_WHAT: return text(region->what);
    case HD_PL_REGION_FILE: return text(region->file);
    case HD_PL_REGION_BEGIN: return number(region->begin_line);
    default: return number(region->end_line);
    }
}

static hd_pl_value
system_fact(const hd_cube *cube, hd_pl_fact fact, double x)
{
    uint32_t node     = fact <= HD_PL_NODE_PARENT ? index_of(x, cube->n_nodes) : HD_NONE;
    uint32_t group    = fact >= HD_PL_GROUP_NAME && fact <= HD_PL_GROUP_TYPE ? index_of(x, cube->n_groups) : HD_NONE;
    uint32_t location = fact >= HD_PL_LOCATION_NAME ? index_of(x, cube->n_locations) : HD_NONE;

    if (node == HD_NONE && group == HD_NONE && location == HD_NONE)
        return number(0);
    switch (fact) {
    case HD_PL_NODE_NAME: return text(cube->nodes[node].name);
    case HD_PL_NODE_CLASS: return text(cube->nodes[node].class_name);
    case HD_PL_NODE_PARENT: return number(cube->nodes[node].parent != HD_NONE ? cube->nodes[node].parent : -1.0);
    case HD_PL_GROUP_NAME: return text(cube->groups[group].name);
    case HD_PL_GROUP_PARENT: return number(cube->groups[group].parent);
    case HD_PL_GROUP_RANK: return number(cube->groups[group].rank);
    case HD_PL_GROUP_TYPE: return text(cube->groups[group].type);
    case HD_PL_LOCATION_NAME: return text(cube->locations[location].name);
    case HD_PL_LOCATION_TYPE: return text(cube->locations[location].type);
    case HD_PL_LOCATION_PARENT: return number(cube->locations[location].group);
    default: return number(cube->locations[location].thread);
    }
}

static hd_pl_value
fact_of(void *context, hd_pl_fact fact, double x)
{
    const hd_cube    *cube    = context;
    const hd_derived *derived = cube->file->derived;
    uint32_t          i;

    switch (fact) {
    case HD_PL_N_METRICS: return number(cube->n_metrics);
    case HD_PL_N_REGIONS: return number(cube->n_regions);
    case HD_PL_N_PATHS: return number(cube->n_paths);
    case HD_PL_N_LOCATIONS: return number(cube->n_locations);
    case HD_PL_N_GROUPS: return number(cube->n_groups);
    case HD_PL_N_NODES: return number(cube->n_nodes);
    case HD_PL_METRIC: return number(derived->metric != HD_NONE ? cube->metrics[derived->metric].number : 0);
    case HD_PL_PATH: return number(derived->path != HD_NONE ? cube->paths[derived->path].number : 0);
    case HD_PL_REGION: return number(derived->path != HD_NONE ? cube->regions[cube->paths[derived->path].region].number : 0);
    case HD_PL_LOCATION: return number(derived->location != HD_NONE ? derived->location : 0);
    default: break;
    }
    if (fact >= HD_PL_NODE_NAME)
        return system_fact(cube, fact, x);
    if (fact >= HD_PL_REGION_NAME) {
        i = by_number(&derived->regions, x);
        return i != HD_NONE ? region_fact(&cube->regions[i], fact) : number(0);
    }
    i = by_number(&derived->paths, x);
    return i != HD_NONE ? path_fact(cube, fact, i) : number(0);
}

/* The first of that name; one that is left out, or HD_NONE, where there is no other. */
static uint32_t
find_metric(const hd_derived *derived, const char *id)
{
    size_t from = 0, end = derived->n_names;

    while (from < end) {
        size_t middle = (from + end) / 2;

        if (strcmp(derived->names[middle].id, id) < 0)
            from = middle + 1;
        else
            end = middle;
    }
    return from < derived->n_names && strcmp(derived->names[from].id, id) == 0 ? derived->names[from].metric : HD_NONE;
}

static void
set_void(void *context, const char *id)
{
    const hd_cube *cube   = context;
    uint32_t       metric = find_metric(cube->file->derived, id);

    if (metric < cube->n_metrics + cube->n_hidden)
        cube->file->derived->metrics[metric].is_void = true;
}

/* ---- sums over all locations --------------------------------------------------------------------------------------------- */

static const sums *
find_sums(const hd_derived *derived, uint32_t metric)
{
    for (size_t i = 0; i < derived->n_sums; i++)
        if (derived->sums[i].metric == metric)
            return &derived->sums[i];
    return NULL;
}

static double
sum_at(const sums *of, uint32_t path, hd_pl_flavour flavour)
{
    return flavour == HD_PL_INCLUSIVE ? of->inclusive[path] : of->exclusive[path];
}

static double
called(void *context, const hd_pl_reference *reference, double x)
{
    const hd_cube    *cube    = context;
    const hd_derived *derived = cube->file->derived;
    uint32_t          path    = by_number(&derived->paths, x);

    if (reference->metric == HD_NONE || path == HD_NONE)
        return 0;
    return sum_at(find_sums(derived, reference->metric), path, reference->flavour == HD_PL_SAME ? derived->flavour : reference->flavour);
}

static hd_status
make_sums(hd_cube *cube, uint32_t metric)
{
    hd_derived *derived = cube->file->derived;
    double     *row;
    sums        new    = { .metric = metric };
    hd_status   status = HD_OK;

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

/* ---- values -------------------------------------------------------------------------------------------------------------- */

/* Zero counts as not known. */
static double
extreme_of(const hd_cube_metric *metric, double a, double b)
{
    if (a == 0 || b == 0)
        return a == 0 ? b : a;
    return (a < b) == metric->is_minimum ? a : b;
}

static void
add_row(const hd_cube_metric *metric, double *values, const double *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = metric->is_extreme ? extreme_of(metric, values[i], row[i]) : values[i] + row[i];
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
    selection   of     = *selected;
    double      sum    = 0;
    const sums *known;
    hd_status   status = HD_OK;

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

    for (size_t i = 0; i < program->n_references && status == HD_OK; i++)
        status = fetch(cube, &program->references[i], selected, rows + i * cube->n_locations);
    derived->metric  = metric;
    derived->path    = selected->n > 0 ? selected->paths[0] : HD_NONE;
    derived->flavour = selected->flavour;
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++) {
        derived->location = i;
        if (!hd_pl_run(&derived->machine, program, rows + i, cube->n_locations, MAX_STEPS, &row[i]))
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
        cells[i].real = row[i];
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

/* ---- opening: programs --------------------------------------------------------------------------------------------------- */

static void leave_out(derived_metric *metric, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
leave_out(derived_metric *metric, const char *format, ...)
{
    char    why[WHY_BYTES + 100];
    va_list arguments;

    if (metric->why != NULL)
        return;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    metric->why = hd_strdup(why);
}

/* '=': there is none. '?': it is not understood. */
static char
read_formula(hd_derived *derived, const char *text)
{
    hd_pl_program program;
    char          why[WHY_BYTES], formula = '?';

    if (*text == '\0')
        return '=';
    if (hd_pl_compile(&derived->machine, text, &program, why, sizeof why))
        formula = hd_pl_formula(&program);
    hd_pl_fini(&program);
    return formula;
}

static void
read_formulas(hd_derived *derived, hd_cube_metric *metric, derived_metric *of)
{
    char plus = read_formula(derived, metric->plus), minus = read_formula(derived, metric->minus);

    metric->is_integer = metric->is_unsigned = metric->is_inclusive = false;
    metric->is_extreme = metric->is_minimum = metric->is_additive = false;
    if (metric->kind == HD_CUBE_POSTDERIVED)
        return;
    if (plus == '=' || plus == '+')
        metric->is_additive = true;
    else if ((plus == '>' || plus == '<') && metric->kind == HD_CUBE_PREDERIVED_EXCLUSIVE) {
        metric->is_extreme = true;
        metric->is_minimum = plus == '<';
    } else
        leave_out(of, "its values are put together by the formula \"%.60s\"", metric->plus);
    if (metric->kind == HD_CUBE_PREDERIVED_INCLUSIVE && minus != '=' && minus != '-')
        leave_out(of, "its values are taken apart by the formula \"%.60s\"", metric->minus);
}

static void
read_programs(hd_cube *cube)
{
    hd_derived *derived = cube->file->derived;
    char        why[WHY_BYTES];

    for (uint32_t i = 0; i < cube->n_metrics + cube->n_hidden; i++) {
        hd_cube_metric *metric = &cube->metrics[i];
        derived_metric *of     = &derived->metrics[i];

        if (metric->kind == HD_CUBE_STORED)
            continue;
        read_formulas(derived, metric, of);
        if (!hd_pl_compile(&derived->machine, metric->expression, &of->program, why, sizeof why))
            leave_out(of, "its expression is not understood: %s", why);
    }
}

/* Runs what is to be run before anything is computed. Returns why that of a metric failed, free()d by the caller; NULL: all is well. */
static char *
prepare(hd_cube *cube)
{
    hd_derived *derived   = cube->file->derived;
    uint64_t    max_steps = 1000000 + 2000 * (uint64_t)cube->n_paths;
    char       *failed    = NULL;

    for (uint32_t i = 0; i < cube->n_metrics + cube->n_hidden; i++) {
        const hd_cube_metric *metric = &cube->metrics[i];
        hd_pl_program         program;
        char                  why[WHY_BYTES];
        double                result;
        bool                  is_ok;

        if (metric->kind == HD_CUBE_STORED || *metric->preparation == '\0')
            continue;
        is_ok = hd_pl_compile(&derived->machine, metric->preparation, &program, why, sizeof why);
        if (is_ok && program.n_references > 0) {
            snprintf(why, sizeof why, "it asks for metrics");
            is_ok = false;
        }
        if (is_ok && !hd_pl_run(&derived->machine, &program, NULL, 0, max_steps, &result)) {
            snprintf(why, sizeof why, "it takes too many steps, or its variables too much memory");
            is_ok = false;
        }
        for (size_t j = 0; j < program.n_sets && !is_ok; j++)
            derived->machine.variables[program.sets[j]].is_broken = true;
        if (!is_ok && failed == NULL)
            failed = hd_format("what metric \"%.100s\" has to be run first is not understood: %s", metric->id, why);
        hd_pl_fini(&program);
    }
    return failed;
}

/* Where something could not be run, nobody knows what it would have set. */
static void
check_reads(hd_cube *cube, const char *failed)
{
    hd_derived *derived = cube->file->derived;

    for (uint32_t i = 0; i < cube->n_metrics + cube->n_hidden; i++) {
        const hd_pl_program *program = &derived->metrics[i].program;

        for (size_t j = 0; j < program->n_reads; j++) {
            const hd_pl_variable *variable = &derived->machine.variables[program->reads[j]];

            if (!variable->is_global || variable->is_broken)
                leave_out(&derived->metrics[i], "it needs \"${%.60s}\", and %s", variable->name, failed);
        }
    }
}

/* ---- opening: what is computed from what --------------------------------------------------------------------------------- */

static double
mean_subtree(const hd_cube *cube)
{
    double n = 0;

    for (uint32_t i = 0; i < cube->n_paths; i++)
        n += cube->file->end[i] - i;
    return cube->n_paths > 0 ? n / cube->n_paths : 1;
}

static void visit(hd_cube *cube, uint32_t metric, double subtree, int depth);

/* Metrics that the report does not have are 0. */
static void
resolve(hd_cube *cube, derived_metric *of, hd_pl_reference *reference, double subtree, int depth)
{
    uint32_t              n     = cube->n_metrics + cube->n_hidden;
    uint32_t              found = find_metric(cube->file->derived, reference->id);
    const derived_metric *other;
    const char           *why;

    if (found == HD_NONE)
        return;
    other = &cube->file->derived->metrics[found < n ? found : 0];
    if (found < n)
        visit(cube, found, subtree, depth + 1);
    why = found < n ? other->why : cube->left_out[found - n].why;
    if (why != NULL) {
        leave_out(of, "it is computed from \"%.60s\", which is left out: %s", reference->id, why);
        return;
    }
    reference->metric = found;
    if (other->mark == IS_OPEN)
        leave_out(of, "it is computed from itself");
    else if (reference->scope != HD_PL_HERE && !cube->metrics[found].is_additive)
        leave_out(of, "it asks for sums of \"%.60s\", which mean nothing", reference->id);
    if (of->depth <= other->depth)
        of->depth = other->depth + 1;
}

static void
estimate(const hd_cube *cube, uint32_t metric, double subtree)
{
    const hd_cube_metric *m  = &cube->metrics[metric];
    derived_metric       *of = &cube->file->derived->metrics[metric];
    double                expression[2];

    if (m->kind == HD_CUBE_STORED) {
        of->cost[0] = m->is_inclusive ? 2 : 1;
        of->cost[1] = m->is_inclusive ? 1 : subtree;
        return;
    }
    expression[0] = expression[1] = 1 + (double)of->program.n_ops / 50 + (of->program.has_loops ? LOOP_COST : 0);
    for (size_t i = 0; i < of->program.n_references; i++) {
        const hd_pl_reference *reference = &of->program.references[i];

        for (int f = 0; f < 2 && reference->metric != HD_NONE; f++) {
            int flavour = reference->flavour == HD_PL_SAME ? f : reference->flavour == HD_PL_INCLUSIVE;

            expression[f] += cube->file->derived->metrics[reference->metric].cost[reference->scope == HD_PL_HERE ? flavour : 0];
        }
    }
    of->cost[0] = m->kind == HD_CUBE_PREDERIVED_INCLUSIVE ? 2 * expression[1] : expression[0];
    of->cost[1] = m->kind == HD_CUBE_PREDERIVED_EXCLUSIVE ? subtree * expression[0] : expression[1];
    if (of->cost[0] > MAX_COST || of->cost[1] > MAX_COST)
        leave_out(of, "it takes too long to compute");
}

static const char too_deep[] = "it is computed from metrics that are computed from others, and so on, too often";

static void
visit(hd_cube *cube, uint32_t metric, double subtree, int depth)
{
    derived_metric *of = &cube->file->derived->metrics[metric];
    bool            is_additive;

    if (of->mark != IS_NEW)
        return;
    of->mark    = IS_OPEN;
    is_additive = cube->metrics[metric].kind == HD_CUBE_POSTDERIVED && of->program.is_linear && *cube->metrics[metric].together == '\0';
    if (depth > MAX_DEPTH)
        leave_out(of, "%s", too_deep);
    for (size_t i = 0; i < of->program.n_references && of->why == NULL; i++) {
        hd_pl_reference *reference = &of->program.references[i];

        resolve(cube, of, reference, subtree, depth);
        is_additive &= reference->metric == HD_NONE || cube->metrics[reference->metric].is_additive;
    }
    cube->metrics[metric].is_additive |= is_additive;
    if (of->depth > MAX_DEPTH)
        leave_out(of, "%s", too_deep);
    if (of->why == NULL)
        estimate(cube, metric, subtree);
    of->mark = IS_DONE;
}

/* ---- opening: leaving out ------------------------------------------------------------------------------------------------ */

static void
note_left_out(hd_cube *cube, const hd_cube_metric *metric, const char *why)
{
    cube->left_out                     = hd_realloc(cube->left_out, (size_t)cube->n_left_out + 1, sizeof *cube->left_out);
    cube->left_out[cube->n_left_out++] = (hd_cube_left_out){ metric->id, hd_cube_keep(cube, why) };
}

/* Children of what is left out become children of what is above it. */
static void
take_out(hd_cube *cube)
{
    hd_derived *derived = cube->file->derived;
    uint32_t    total = cube->n_metrics + cube->n_hidden, n = 0, n_metrics = 0;
    uint32_t   *number = HD_NEW_ARRAY(uint32_t, (size_t)total + 1); /* of what is left; HD_NONE: left out */
    uint32_t   *parent = HD_NEW_ARRAY(uint32_t, (size_t)total + 1);

    for (uint32_t i = 0; i < total; i++) {
        number[i] = derived->metrics[i].why == NULL ? n++ : HD_NONE;
        parent[i] = cube->metrics[i].parent;
    }
    for (uint32_t i = 0; i < total; i++) {
        hd_cube_metric metric = cube->metrics[i];
        derived_metric of     = derived->metrics[i];

        if (of.why != NULL) {
            note_left_out(cube, &metric, of.why);
            free(of.why);
            hd_pl_fini(&of.program);
            continue;
        }
        while (metric.parent != HD_NONE && number[metric.parent] == HD_NONE)
            metric.parent = parent[metric.parent];
        metric.parent = metric.parent != HD_NONE ? number[metric.parent] : HD_NONE;
        for (size_t j = 0; j < of.program.n_references; j++)
            if (of.program.references[j].metric != HD_NONE)
                of.program.references[j].metric = number[of.program.references[j].metric];
        n_metrics += i < cube->n_metrics;
        cube->metrics[number[i]]    = metric;
        derived->metrics[number[i]] = of;
    }
    cube->n_metrics = n_metrics;
    cube->n_hidden  = n - n_metrics;
    free(number);
    free(parent);
}

static int
compare_names(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int          order = strcmp(x->id, y->id);

    return order != 0 ? order : (x->metric > y->metric) - (x->metric < y->metric);
}

static void
number_parts(hd_cube *cube)
{
    hd_derived *derived = cube->file->derived;
    uint32_t    n       = cube->n_metrics + cube->n_hidden;

    derived->n_names = (size_t)n + cube->n_left_out;
    derived->names   = HD_NEW_ARRAY(named, derived->n_names + 1);
    for (uint32_t i = 0; i < derived->n_names; i++)
        derived->names[i] = (named){ .id = i < n ? cube->metrics[i].id : cube->left_out[i - n].id, .metric = i };
    qsort(derived->names, derived->n_names, sizeof *derived->names, compare_names);
    derived->n_children = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    for (uint32_t i = 0; i < cube->n_paths; i++)
        if (cube->paths[i].parent != HD_NONE)
            derived->n_children[cube->paths[i].parent]++;

    hd_table_init(&derived->paths);
    hd_table_init(&derived->regions);
    for (uint32_t i = 0; i < cube->n_paths; i++)
        if (hd_table_get(&derived->paths, cube->paths[i].number) == HD_NONE)
            hd_table_add(&derived->paths, cube->paths[i].number, i);
    for (uint32_t i = 0; i < cube->n_regions; i++)
        if (hd_table_get(&derived->regions, cube->regions[i].number) == HD_NONE)
            hd_table_add(&derived->regions, cube->regions[i].number, i);
}

void
hd_cube_derived_open(hd_cube *cube)
{
    hd_derived *derived;
    uint32_t    n      = cube->n_metrics + cube->n_hidden;
    bool        is_any = false;
    double      subtree;
    char       *failed;

    for (uint32_t i = 0; i < n; i++)
        is_any |= cube->metrics[i].kind != HD_CUBE_STORED;
    if (!is_any)
        return;
    derived = cube->file->derived = HD_NEW(hd_derived);
    derived->metric = derived->path = derived->location = HD_NONE;
    derived->metrics = HD_NEW_ARRAY(derived_metric, (size_t)n + 1);
    hd_pl_machine_init(&derived->machine,
                       &(hd_pl_host){ .context = cube, .fact = fact_of, .called = called, .set_void = set_void },
                       1000000 + 100 * (size_t)cube->n_paths);
    number_parts(cube);
    read_programs(cube);
    failed = prepare(cube);
    if (failed != NULL)
        check_reads(cube, failed);
    free(failed);
    subtree = mean_subtree(cube);
    for (uint32_t i = 0; i < n; i++)
        visit(cube, i, subtree, 0);
    take_out(cube);
    free(derived->names); /* their numbers are those of before */
    derived->names   = NULL;
    derived->n_names = 0;
}

bool
hd_cube_is_void(const hd_cube *cube, uint32_t metric)
{
    return cube->file->derived != NULL && cube->file->derived->metrics[metric].is_void;
}

void
hd_cube_derived_close(hd_cube *cube)
{
    hd_derived *derived = cube->file->derived;

    if (derived == NULL)
        return;
    for (uint32_t i = 0; i < cube->n_metrics + cube->n_hidden; i++)
        hd_pl_fini(&derived->metrics[i].program);
    for (size_t i = 0; i < derived->n_sums; i++) {
        free(derived->sums[i].exclusive);
        free(derived->sums[i].inclusive);
    }
    free(derived->sums);
    free(derived->metrics);
    free(derived->names);
    free(derived->n_children);
    hd_table_fini(&derived->paths);
    hd_table_fini(&derived->regions);
    hd_pl_machine_fini(&derived->machine);
    free(derived);
    cube->file->derived = NULL;
}
