#include "algebra.h"

#include "completeness.h"
#include "cube_cell.h"
#include "memory.h"

struct hd_algebra {
    hd_alignment *alignment;
    hd_operation  operation;
    hd_cube       cube;      /* metrics and attributes are its own, the rest is lent by the alignment */
    uint32_t     *metric_of; /* [cube.n_metrics] in the model */
    char        **texts;     /* [n_texts] values of attributes */
    size_t        n_texts, texts_capacity, attributes_capacity;
    hd_cube_cell *other;     /* [n_locations] */
    double       *first, *row, *sums; /* [n_locations] */
    bool         *differs;   /* [n_locations] */
};

/* ---- what the result says about itself --------------------------------------------------------------------------- */

static const char *const own_keys[] = { "Cube Version", "CubePL Version", "Creator", "CUBE_CT_AGGR", "statisticfile",
                                        HD_ALGEBRA_ATTRIBUTE, HD_LOCATIONS_ATTRIBUTE, HD_COVERAGE_ATTRIBUTE,
                                        HD_STOPPED_ATTRIBUTE, HD_LEFT_OUT_ATTRIBUTE };

static void
add_attribute(hd_algebra *algebra, const char *key, const char *value)
{
    hd_cube *cube = &algebra->cube;

    if (cube->n_attributes == algebra->attributes_capacity)
        cube->attributes = hd_grow(cube->attributes, cube->n_attributes, &algebra->attributes_capacity,
                                   sizeof *cube->attributes);
    cube->attributes[cube->n_attributes++] = (hd_cube_attribute){ .key = key, .value = value };
}

static void
add_text(hd_algebra *algebra, const char *key, char *value)
{
    HD_PUSH(algebra->texts, algebra->n_texts, algebra->texts_capacity, value);
    add_attribute(algebra, key, value);
}

/* "a", "b" and "c" */
static char *
names_of(const hd_alignment *alignment, hd_runs runs)
{
    char *text = hd_format("\"%s\"", alignment->cubes[runs.first]->path);

    for (uint32_t i = 1; i < runs.n; i++) {
        char *more = hd_format("%s%s\"%s\"", text, i + 1 < runs.n ? ", " : " and ",
                               alignment->cubes[runs.first + i]->path);

        free(text);
        text = more;
    }
    return text;
}

static char *
description(const hd_algebra *algebra)
{
    char *text, *names;

    if (algebra->operation == HD_DIFFERENCE) {
        char *a = names_of(algebra->alignment, hd_alignment_runs(algebra->alignment, 0));
        char *b = names_of(algebra->alignment, hd_alignment_runs(algebra->alignment, 1));

        text = hd_format("difference: %s minus %s", b, a);
        free(a);
        free(b);
        return text;
    }
    names = names_of(algebra->alignment, (hd_runs){ 0, algebra->alignment->n_cubes });
    text  = hd_format("%s of %s", algebra->operation == HD_MEAN ? "mean" : "merge", names);
    free(names);
    return text;
}

static bool
has_attribute(const hd_cube *cube, const hd_cube_attribute *attribute)
{
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        if (strcmp(cube->attributes[i].key, attribute->key) == 0 &&
            strcmp(cube->attributes[i].value, attribute->value) == 0)
            return true;
    return false;
}

/* What all reports say of themselves, but for what is about the file, or how complete it is. */
static void
add_common_attributes(hd_algebra *algebra)
{
    hd_cube *const *cubes = algebra->alignment->cubes;

    for (uint32_t i = 0; i < cubes[0]->n_attributes; i++) {
        const hd_cube_attribute *attribute = &cubes[0]->attributes[i];
        bool                     is_common = true;

        for (size_t j = 0; j < sizeof own_keys / sizeof *own_keys; j++)
            is_common &= strcmp(attribute->key, own_keys[j]) != 0;
        for (uint32_t c = 1; c < algebra->alignment->n_cubes && is_common; c++)
            is_common = has_attribute(cubes[c], attribute);
        if (is_common)
            add_attribute(algebra, attribute->key, attribute->value);
    }
}

/* What is missing in one report is missing in the result. */
static void
add_completeness(hd_algebra *algebra)
{
    static const char *const keys[] = { HD_COVERAGE_ATTRIBUTE, HD_STOPPED_ATTRIBUTE, HD_LEFT_OUT_ATTRIBUTE };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char *text = hd_completeness_join(algebra->alignment->cubes, algebra->alignment->n_cubes, keys[i]);

        if (text != NULL)
            add_text(algebra, keys[i], text);
    }
}

static void
add_attributes(hd_algebra *algebra)
{
    add_attribute(algebra, "CubePL Version", "1.1");
    add_attribute(algebra, "Cube Version", "4.4");
    add_attribute(algebra, "Creator", "Heddle " HEDDLE_VERSION);
    add_attribute(algebra, "CUBE_CT_AGGR", "SUM");
    add_text(algebra, HD_ALGEBRA_ATTRIBUTE, description(algebra));
    if (algebra->alignment->sums != HD_SUMS_NONE)
        add_attribute(algebra, HD_LOCATIONS_ATTRIBUTE, algebra->alignment->sums == HD_SUMS_OF_ALL
                                                           ? "all summed up, as the reports have different processes"
                                                           : "those of a process summed up, as the reports have "
                      "different threads");
    add_completeness(algebra);
    add_common_attributes(algebra);
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

/* In all reports, and of one kind. Means of several runs are none. */
static bool
are_integers(const hd_alignment *alignment, uint32_t metric)
{
    if (alignment->n_cubes > 2)
        return false;
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        uint32_t              number = alignment->metric_of[c][metric];
        const hd_cube_metric *there  = number != HD_NONE ? &alignment->cubes[c]->metrics[number] :
                                       &alignment->model.metrics[metric];

        if (!there->is_integer || there->is_unsigned != alignment->model.metrics[metric].is_unsigned)
            return false;
    }
    return true;
}

static void
take_metrics(hd_algebra *algebra)
{
    hd_alignment  *alignment = algebra->alignment;
    const hd_cube *model     = &alignment->model;
    hd_cube       *cube      = &algebra->cube;
    uint32_t      *number    = HD_NEW_ARRAY(uint32_t, (size_t)model->n_metrics + 1);

    cube->metrics      = HD_NEW_ARRAY(hd_cube_metric, (size_t)model->n_metrics + 1);
    algebra->metric_of = HD_NEW_ARRAY(uint32_t, (size_t)model->n_metrics + 1);
    cube->n_metrics    = 0;
    for (uint32_t i = 0; i < model->n_metrics; i++) {
        hd_cube_metric metric = model->metrics[i];

        number[i] = metric.parent == HD_NONE ? HD_NONE : number[metric.parent]; /* what is below one that is left out */
        if (algebra->operation == HD_DIFFERENCE && metric.is_extreme)
            continue;
        if (metric.parent != HD_NONE)
            metric.parent = number[metric.parent];
        if (algebra->operation == HD_DIFFERENCE) {
            metric.is_integer  = are_integers(alignment, i);
            metric.is_unsigned = false;
        } else if (algebra->operation == HD_MEAN)
            metric.is_integer = false;
        metric.number                       = cube->n_metrics;
        number[i]                           = cube->n_metrics;
        algebra->metric_of[cube->n_metrics] = i;
        cube->metrics[cube->n_metrics++]    = metric;
    }
    free(number);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int64_t
integer_difference(const hd_cube_metric *metric, int64_t minuend, int64_t subtrahend)
{
    __int128 difference = metric->is_unsigned ? (__int128)(uint64_t)minuend - (uint64_t)subtrahend :
                          (__int128)minuend - subtrahend;

    if (difference > INT64_MAX)
        return INT64_MAX;
    return difference < -INT64_MAX ? -INT64_MAX : (int64_t)difference; /* so that the opposite difference is the
                                                                        * opposite number */
}

static hd_status
subtract_integers(hd_algebra *algebra, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_alignment *alignment = algebra->alignment;
    bool          in_a = false, in_b = false;
    hd_status     status = hd_alignment_cells(alignment, 0, metric, path, algebra->other, &in_a);

    if (status == HD_OK)
        status = hd_alignment_cells(alignment, 1, metric, path, cells, &in_b);
    if (!in_a && in_b)
        memset(algebra->other, 0, alignment->model.n_locations * sizeof *algebra->other);
    if (!in_b && in_a)
        memset(cells, 0, alignment->model.n_locations * sizeof *cells);
    for (uint32_t i = 0; status == HD_OK && (in_a || in_b) && i < alignment->model.n_locations; i++) {
        cells[i].integer = integer_difference(&alignment->model.metrics[metric], cells[i].integer,
                                              algebra->other[i].integer);
        *any |= cells[i].integer != 0;
    }
    return status;
}

static hd_status
subtract_reals(hd_algebra *algebra, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_alignment *alignment = algebra->alignment;
    bool          in_a = false, in_b = false;
    hd_status     status = hd_alignment_mean_row(alignment, 0, metric, path, algebra->first, algebra->sums, &in_a);

    if (status == HD_OK)
        status = hd_alignment_mean_row(alignment, 1, metric, path, algebra->row, algebra->sums, &in_b);
    if (!in_a && in_b)
        memset(algebra->first, 0, alignment->model.n_locations * sizeof *algebra->first);
    if (!in_b && in_a)
        memset(algebra->row, 0, alignment->model.n_locations * sizeof *algebra->row);
    for (uint32_t i = 0; status == HD_OK && (in_a || in_b) && i < alignment->model.n_locations; i++) {
        cells[i].real = hd_values_agree(algebra->row[i], algebra->first[i]) ? 0 : algebra->row[i] - algebra->first[i];
        *any |= cells[i].real != 0;
    }
    return status;
}

/* Equal values are their mean whatever the rounding of their sum. */
static hd_status
average(hd_algebra *algebra, uint32_t number, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_alignment         *alignment = algebra->alignment;
    const hd_cube_metric *metric    = &alignment->model.metrics[number];
    uint32_t              n         = alignment->model.n_locations;
    hd_status             status    = HD_OK;

    for (uint32_t c = 0; c < alignment->n_cubes && status == HD_OK; c++) {
        bool has = false;

        status = hd_alignment_row(alignment, c, number, path, algebra->row, &has);
        if (status != HD_OK || (!has && !*any))
            continue;
        if (!*any) { /* those before are zero */
            memset(algebra->first, 0, n * sizeof *algebra->first);
            memset(algebra->sums, 0, n * sizeof *algebra->sums);
            memset(algebra->differs, 0, n * sizeof *algebra->differs);
        }
        *any = true;
        for (uint32_t i = 0; i < n; i++) {
            double value = has ? algebra->row[i] : 0;

            if (c == 0)
                algebra->first[i] = value;
            algebra->differs[i] |= !hd_values_agree(value, algebra->first[i]);
            algebra->sums[i] = metric->is_extreme ? hd_extreme_of(metric, algebra->sums[i], value) :
                               algebra->sums[i] + value;
        }
    }
    for (uint32_t i = 0; status == HD_OK && *any && i < n; i++) {
        double mean = metric->is_extreme ? algebra->sums[i] : algebra->sums[i] / alignment->n_cubes;

        cells[i].real = algebra->differs[i] ? mean : algebra->first[i];
    }
    return status;
}

hd_status
hd_algebra_rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_algebra *algebra = context;
    uint32_t    number  = algebra->metric_of[metric];

    *any = false;
    switch (algebra->operation) {
    case HD_MERGE: return hd_alignment_cells(algebra->alignment, algebra->alignment->first[number], number, path, cells,
                                             any);
    case HD_MEAN: return average(algebra, number, path, cells, any);
    case HD_DIFFERENCE: break;
    }
    return algebra->cube.metrics[metric].is_integer ? subtract_integers(algebra, number, path, cells, any)
                                                    : subtract_reals(algebra, number, path, cells, any);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

hd_algebra *
hd_algebra_new(hd_alignment *alignment, hd_operation operation)
{
    hd_algebra *algebra = HD_NEW(hd_algebra);
    size_t      n       = (size_t)alignment->model.n_locations + 1;

    HD_ASSERT(operation != HD_DIFFERENCE || alignment->n_of_a < alignment->n_cubes);
    algebra->alignment = alignment;
    algebra->operation = operation;
    algebra->cube      = alignment->model;
    algebra->other     = HD_NEW_ARRAY(hd_cube_cell, n);
    algebra->first     = HD_NEW_ARRAY(double, n);
    algebra->row       = HD_NEW_ARRAY(double, n);
    algebra->sums      = HD_NEW_ARRAY(double, n);
    algebra->differs   = HD_NEW_ARRAY(bool, n);
    take_metrics(algebra);
    add_attributes(algebra);
    return algebra;
}

const hd_cube *
hd_algebra_cube(const hd_algebra *algebra)
{
    return &algebra->cube;
}

void
hd_algebra_free(hd_algebra *algebra)
{
    if (algebra == NULL)
        return;
    for (size_t i = 0; i < algebra->n_texts; i++)
        free(algebra->texts[i]);
    free(algebra->texts);
    free(algebra->cube.metrics);
    free(algebra->cube.attributes);
    free(algebra->metric_of);
    free(algebra->other);
    free(algebra->first);
    free(algebra->row);
    free(algebra->sums);
    free(algebra->differs);
    free(algebra);
}
