#include "cube_derived.h"

#include <stdarg.h>
#include <stdio.h>

#include "memory.h"

enum {
    MAX_DEPTH = 50,    /* metrics computed from metrics computed from ... */
    MAX_COST  = 10000, /* rows that are read, or programs of fifty ops that are run, for one row */
    LOOP_COST = 200,   /* of these, for a program with loops */
    WHY_BYTES = 400,
};

typedef enum mark { IS_NEW, IS_OPEN, IS_DONE } mark; /* of hd_derived_metric */

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

/* ---- opening: programs ------------------------------------------------------------------------------------------- */

static void leave_out(hd_derived_metric *metric, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
leave_out(hd_derived_metric *metric, const char *format, ...)
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
read_formulas(hd_derived *derived, hd_cube_metric *metric, hd_derived_metric *of)
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
        hd_cube_metric    *metric = &cube->metrics[i];
        hd_derived_metric *of     = &derived->metrics[i];

        if (metric->kind == HD_CUBE_STORED)
            continue;
        read_formulas(derived, metric, of);
        if (!hd_pl_compile(&derived->machine, metric->expression, &of->program, why, sizeof why))
            leave_out(of, "its expression is not understood: %s", why);
    }
}

/* Runs what is to be run before anything is computed. Returns why that of a metric failed, free()d by the caller; NULL:
 * all is well. */
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

/* Where something could not be run, it is unknown what it would have set. */
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

/* ---- opening: what is computed from what ------------------------------------------------------------------------- */

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
resolve(hd_cube *cube, hd_derived_metric *of, hd_pl_reference *reference, double subtree, int depth)
{
    uint32_t                 n     = cube->n_metrics + cube->n_hidden;
    uint32_t                 found = find_metric(cube->file->derived, reference->id);
    const hd_derived_metric *other;
    const char              *why;

    if (found == HD_NONE)
        return;
    other = &cube->file->derived->metrics[found < n ? found : 0];
    if (found < n)
        visit(cube, found, subtree, depth + 1);
    why = found < n ? other->why : cube->left_out[found - n].why;
    if (why != NULL) {
        leave_out(of, "it is computed from \"%.60s\", which is omitted: %s", reference->id, why);
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
    hd_derived_metric       *of = &cube->file->derived->metrics[metric];
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

            expression[f] += cube->file->derived->metrics[reference->metric].cost[reference->scope == HD_PL_HERE ?
                                                                                  flavour : 0];
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
    hd_derived_metric *of = &cube->file->derived->metrics[metric];
    bool            is_additive;

    if (of->mark != IS_NEW)
        return;
    of->mark    = IS_OPEN;
    is_additive = cube->metrics[metric].kind == HD_CUBE_POSTDERIVED && of->program.is_linear &&
                  *cube->metrics[metric].together == '\0';
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

/* ---- opening: leaving out ---------------------------------------------------------------------------------------- */

static void
note_left_out(hd_cube *cube, const hd_cube_metric *metric, const char *why)
{
    cube->left_out                     =
        hd_realloc(cube->left_out, (size_t)cube->n_left_out + 1, sizeof *cube->left_out);
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
        hd_cube_metric    metric = cube->metrics[i];
        hd_derived_metric of     = derived->metrics[i];

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
    const hd_named_metric *x = a, *y = b;
    int          order = strcmp(x->id, y->id);

    return order != 0 ? order : (x->metric > y->metric) - (x->metric < y->metric);
}

static void
number_parts(hd_cube *cube)
{
    hd_derived *derived = cube->file->derived;
    uint32_t    n       = cube->n_metrics + cube->n_hidden;

    derived->n_names = (size_t)n + cube->n_left_out;
    derived->names   = HD_NEW_ARRAY(hd_named_metric, derived->n_names + 1);
    for (uint32_t i = 0; i < derived->n_names; i++)
        derived->names[i] = (hd_named_metric){ .id = i < n ? cube->metrics[i].id : cube->left_out[i - n].id,
                                               .metric = i };
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
    derived->metrics = HD_NEW_ARRAY(hd_derived_metric, (size_t)n + 1);
    hd_pl_machine_init(&derived->machine,
                       &(hd_pl_host){ .context = cube, .fact = hd_cube_fact, .called = hd_cube_called,
                                      .set_void = set_void },
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
