#include "division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define NODE_CLASS "node " /* what reports put before the name of a node */

enum { MAX_PARTS = 4 };
enum { INTERIOR, BORDER, CORNERS, N_BORDERS };

static void
begin(const hd_cube *cube, hd_division_kind kind, const char *what, hd_division *division)
{
    *division = (hd_division){ .kind = kind, .what = hd_strdup(what),
                               .of_process = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_groups + 1) };
    memset(division->of_process, 0xFF, ((size_t)cube->n_groups + 1) * sizeof *division->of_process); /* HD_NONE */
}

static void
count(const hd_cube *cube, hd_division *division)
{
    division->n_processes = HD_NEW_ARRAY(uint32_t, (size_t)division->n + 1);
    for (uint32_t p = 0; p < cube->n_groups; p++)
        if (division->of_process[p] != HD_NONE)
            division->n_processes[division->of_process[p]]++;
}

void
hd_division_fini(hd_division *division)
{
    free(division->what);
    free(division->of_process);
    free(division->n_processes);
    free(division->nodes);
    free(division->numbers);
}

void
hd_division_by_node(const hd_cube *cube, hd_division *division)
{
    uint32_t *part = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_nodes + 1); /* from 1 on; 0: none yet */

    begin(cube, HD_DIVISION_NODE, "node", division);
    division->nodes = HD_NEW_ARRAY(const char *, (size_t)cube->n_nodes + 1);
    for (uint32_t i = 0; i < cube->n_locations; i++) {
        uint32_t node = cube->locations[i].node;

        if (part[node] == 0) {
            division->nodes[division->n] = cube->nodes[node].name;
            part[node]                   = ++division->n;
        }
        division->of_process[cube->locations[i].group] = part[node] - 1;
    }
    free(part);
    count(cube, division);
}

/* ---- topologies -------------------------------------------------------------------------------------------------- */

/* [n_groups] row of each process in the topology, HD_NONE: none; NULL: it is one of threads, as those of a process have
 * different places. */
static uint32_t *
rows_of_processes(const hd_cube *cube, const hd_cube_topology *topology)
{
    uint32_t *rows  = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_groups + 1);
    size_t    width = 1 + (size_t)topology->n_dimensions;

    memset(rows, 0xFF, ((size_t)cube->n_groups + 1) * sizeof *rows); /* HD_NONE */
    for (size_t i = 0; i < topology->n_rows; i++) {
        uint32_t  location = topology->rows[i * width];
        uint32_t *row      = &rows[cube->locations[location].group];

        if (*row == HD_NONE)
            *row = (uint32_t)i;
        else if (topology->rows[*row * width] != location &&
                 memcmp(&topology->rows[*row * width + 1], &topology->rows[i * width + 1],
                        (width - 1) * sizeof *topology->rows) != 0) {
            free(rows);
            return NULL;
        }
    }
    return rows;
}

static uint32_t
place_at_border(const hd_cube_topology *topology, const uint32_t *x)
{
    uint32_t n_ends = 0, n_axes = 0;

    for (uint32_t i = 0; i < topology->n_dimensions; i++) {
        const hd_cube_dimension *dimension = &topology->dimensions[i];

        if (dimension->is_periodic || dimension->size < 3)
            continue;
        n_axes++;
        n_ends += x[i] == 0 || x[i] == dimension->size - 1;
    }
    return n_ends == 0 ? INTERIOR : n_ends == n_axes && n_axes > 1 ? CORNERS : BORDER;
}

static int
compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Coordinates become numbers of parts: a dimension may be far larger than the number of processes. */
static void
number_parts(const hd_cube *cube, hd_division *division)
{
    uint32_t *numbers = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_groups + 1), n = 0;

    for (uint32_t p = 0; p < cube->n_groups; p++)
        if (division->of_process[p] != HD_NONE)
            numbers[n++] = division->of_process[p];
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || numbers[i] != numbers[i - 1])
            numbers[division->n++] = numbers[i];
    for (uint32_t p = 0; p < cube->n_groups; p++)
        if (division->of_process[p] != HD_NONE) {
            const uint32_t *at = bsearch(&division->of_process[p], numbers, division->n, sizeof *numbers,
                                         compare_numbers);

            division->of_process[p] = (uint32_t)(at - numbers);
        }
    division->numbers = numbers;
}

static const uint32_t *
place_of(const hd_cube_topology *topology, const uint32_t *rows, uint32_t process)
{
    return rows[process] == HD_NONE ? NULL : topology->rows + (size_t)rows[process] * (1 + topology->n_dimensions) + 1;
}

static void
divide_by_coordinate(const hd_cube *cube, const hd_cube_topology *topology, const uint32_t *rows, uint32_t dimension,
                     hd_division *division)
{
    begin(cube, HD_DIVISION_COORDINATE, hd_cube_dimension_name(topology, dimension), division);
    for (uint32_t p = 0; p < cube->n_groups; p++) {
        const uint32_t *x = place_of(topology, rows, p);

        division->of_process[p] = x != NULL ? x[dimension] : HD_NONE;
    }
    number_parts(cube, division);
    count(cube, division);
}

static void
divide_by_border(const hd_cube *cube, const hd_cube_topology *topology, const uint32_t *rows, hd_division *division)
{
    begin(cube, HD_DIVISION_BORDER, "border", division);
    division->n = N_BORDERS;
    for (uint32_t p = 0; p < cube->n_groups; p++) {
        const uint32_t *x = place_of(topology, rows, p);

        division->of_process[p] = x != NULL ? place_at_border(topology, x) : HD_NONE;
    }
    count(cube, division);
}

hd_division *
hd_divisions_of_topology(const hd_cube *cube, const hd_cube_topology *topology, uint32_t *n)
{
    uint32_t    *rows      = rows_of_processes(cube, topology);
    hd_division *divisions = HD_NEW_ARRAY(hd_division, (size_t)topology->n_dimensions + 2);
    bool         has_ends  = false;

    *n = 0;
    for (uint32_t i = 0; rows != NULL && i < topology->n_dimensions; i++) {
        if (topology->dimensions[i].size > 1)
            divide_by_coordinate(cube, topology, rows, i, &divisions[(*n)++]);
        has_ends |= topology->dimensions[i].size > 2 && !topology->dimensions[i].is_periodic;
    }
    for (uint32_t i = 0; i < *n; i++)
        divisions[i].n_axes = *n;
    if (has_ends && rows != NULL)
        divide_by_border(cube, topology, rows, &divisions[(*n)++]);
    free(rows);
    return divisions;
}

char *
hd_division_name(const hd_division *division, uint32_t part)
{
    static const char *const borders[N_BORDERS] = { "interior", "border", "corners" };

    const char *node;

    if (division->kind == HD_DIVISION_COORDINATE)
        return hd_format("%" PRIu32, division->numbers[part]);
    if (division->kind == HD_DIVISION_BORDER)
        return hd_strdup(borders[part]);
    node = division->nodes[part];
    return hd_strdup(strncmp(node, NODE_CLASS, strlen(NODE_CLASS)) == 0 ? node + strlen(NODE_CLASS) : node);
}

/* ---- who carries it ---------------------------------------------------------------------------------------------- */

typedef struct part_average {
    double   average;
    uint32_t part;
} part_average;

static int
compare_averages(const void *left, const void *right)
{
    const part_average *a = left, *b = right;

    if (a->average != b->average)
        return a->average > b->average ? -1 : 1;
    return a->part < b->part ? -1 : a->part > b->part;
}

/* Parts that have processes, the largest averages first; free() them. One process is no part: of many somebody is
 * always the first. */
static part_average *
rank_parts(const hd_division *division, uint32_t n_processes, const double *values, uint32_t *n)
{
    part_average *parts = HD_NEW_ARRAY(part_average, (size_t)division->n + 1);

    for (uint32_t i = 0; i < division->n; i++)
        parts[i].part = i;
    for (uint32_t p = 0; p < n_processes; p++)
        if (division->of_process[p] != HD_NONE)
            parts[division->of_process[p]].average += values[p] / division->n_processes[division->of_process[p]];
    *n = 0;
    for (uint32_t i = 0; i < division->n; i++)
        if (division->n_processes[i] > 0)
            parts[(*n)++] = parts[i];
    for (uint32_t i = 0; i < *n; i++)
        if (division->n_processes[parts[i].part] < 2)
            parts[i].average = 0;
    qsort(parts, *n, sizeof *parts, compare_averages);
    return parts;
}

/* Of all processes, those that are in one of the first parts against the others: also those that are in none. */
static hd_contrast
contrast_of_first(const hd_division *division, uint32_t n_processes, const double *values, const part_average *parts,
                  uint32_t n_first)
{
    bool       *is_in = HD_NEW_ARRAY(bool, (size_t)n_processes + 1);
    hd_contrast contrast;

    for (uint32_t p = 0; p < n_processes; p++)
        for (uint32_t i = 0; i < n_first; i++)
            is_in[p] |= parts[i].part == division->of_process[p];
    contrast = hd_contrast_of(values, is_in, n_processes);
    free(is_in);
    return contrast;
}

bool
hd_division_carriers(const hd_division *division, uint32_t n_processes, const double *values, hd_carriers *carriers)
{
    uint32_t      n;
    part_average *parts = rank_parts(division, n_processes, values, &n);
    uint32_t      most  = n < 4 ? n : n / 2 + 1; /* and one less */

    *carriers = (hd_carriers){ .division = division };
    for (uint32_t n_first = 1; n_first < most && n_first <= MAX_PARTS; n_first++) {
        hd_contrast contrast;

        if (division->n_processes[parts[n_first - 1].part] < 2)
            break;
        contrast = contrast_of_first(division, n_processes, values, parts, n_first);
        if (!contrast.is_clear || (carriers->n > 0 && contrast.errors <= carriers->contrast.errors))
            continue;
        carriers->contrast = contrast;
        carriers->n        = n_first;
        for (uint32_t i = 0; i < n_first; i++)
            carriers->parts[i] = parts[i].part;
    }
    qsort(carriers->parts, carriers->n, sizeof *carriers->parts, compare_numbers);
    free(parts);
    return carriers->n > 0;
}

bool
hd_divisions_carriers(const hd_division *divisions, uint32_t n, uint32_t n_processes, const double *values,
                      hd_carriers *carriers)
{
    bool any = false;

    for (uint32_t i = 0; i < n; i++) {
        hd_carriers of_one;

        if (!hd_division_carriers(&divisions[i], n_processes, values, &of_one) ||
            (any && of_one.contrast.errors <= carriers->contrast.errors))
            continue;
        *carriers = of_one;
        any       = true;
    }
    return any;
}

/* "the planes z = 0 and z = 7" */
static char *
list_parts(const hd_carriers *carriers)
{
    static const char *const kinds[]  = { "coordinate", "line", "plane" };
    const hd_division       *division = carriers->division;
    const char              *kind     = kinds[division->n_axes > 2 ? 2 : division->n_axes > 1 ? 1 : 0];
    bool                     is_coordinate = division->kind == HD_DIVISION_COORDINATE;
    char                    *text;

    if (division->kind == HD_DIVISION_BORDER)
        text = hd_strdup("the");
    else
        text = hd_format("the %s%s", is_coordinate ? kind : "node", carriers->n > 1 ? "s" : "");
    for (uint32_t i = 0; i < carriers->n; i++) {
        char *name   = hd_division_name(division, carriers->parts[i]);
        char *longer = hd_format("%s%s %s%s%s", text, i == 0 ? "" : i + 1 < carriers->n ? "," : " and",
                                 is_coordinate ? division->what : "", is_coordinate ? " = " : "", name);

        free(name);
        free(text);
        text = longer;
    }
    return text;
}

char *
hd_carriers_words(const hd_carriers *carriers)
{
    char *parts = list_parts(carriers);
    char *words = hd_format("concentrated on %s: %.0f %% of the total on %.0f %% of the processes", parts,
                            100 * carriers->contrast.share, 100.0 * carriers->contrast.n_in / carriers->contrast.n);

    free(parts);
    return words;
}

hd_status
hd_division_sum(hd_cube *cube, uint32_t metric, const bool *selected, double *sums)
{
    double   *values = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = hd_cube_sum(cube, metric, selected, values);

    for (uint32_t i = 0; status == HD_OK && i < cube->n_locations; i++)
        sums[cube->locations[i].group] += values[i];
    free(values);
    return status;
}
