#include "small_cube.h"

#include <stdio.h>

#include "cube_out.h"
#include "memory.h"

/* ---- values ------------------------------------------------------------------------------------------------------ */

static uint64_t
mix(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return hash;
}

hd_cube_cell
small_value(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    uint64_t hash   = mix(mix(7 + location, cube->metrics[metric].id) ^ 0xFF, cube->paths[path].name);
    double   factor = cube->factor != 0 ? cube->factor : 1;
    double   value  = (hash >> 40) % 3 == 0 ? 0 : (double)((hash >> 32) % 1000) / 7 * factor;

    switch (cube->metrics[metric].kind) {
    case SMALL_INTEGER: return (hd_cube_cell){ .integer = (int64_t)value - 50 };
    /* above INT64_MAX */
    case SMALL_UNSIGNED: return (hd_cube_cell){ .integer = value == 0 ? 0 : INT64_MIN + (int64_t)value };
    default: return (hd_cube_cell){ .real = value };
    }
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static hd_status
rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    const small_cube *cube = context;

    for (uint32_t i = 0; i < cube->n_processes * cube->n_threads; i++) {
        cells[i] = (cube->value != NULL ? cube->value : small_value)(cube, metric, path, i);
        *any |= cells[i].integer != 0;
    }
    return HD_OK;
}

static void
make_tree(const small_cube *small, hd_cube *cube)
{
    cube->metrics   = HD_NEW_ARRAY(hd_cube_metric, small->n_metrics);
    cube->regions   = HD_NEW_ARRAY(hd_cube_region, small->n_paths);
    cube->paths     = HD_NEW_ARRAY(hd_cube_path, small->n_paths);
    cube->n_metrics = small->n_metrics;
    cube->n_paths = cube->n_regions = small->n_paths;
    for (uint32_t i = 0; i < small->n_metrics; i++) {
        const small_metric *metric = &small->metrics[i];
        bool                is_extreme = metric->kind == SMALL_MINIMUM || metric->kind == SMALL_MAXIMUM;

        cube->metrics[i] = (hd_cube_metric){ .id = metric->id,
                                             .name = metric->id + (strncmp(metric->id, "c_", 2) == 0 ? 2 : 0),
                                             .unit = metric->unit, .what = "",
                                             .url = "", .type = "",
            .expression = "", .parent = metric->parent,
            .is_integer = metric->kind == SMALL_INTEGER || metric->kind == SMALL_UNSIGNED,
            .is_unsigned = metric->kind == SMALL_UNSIGNED, .is_extreme = is_extreme,
            .is_minimum = metric->kind == SMALL_MINIMUM,
            .is_additive = !is_extreme };
    }
    for (uint32_t i = 0; i < small->n_paths; i++) {
        const char *name = small->paths[i].name,
        *mangled = small->mangled_names == NULL ? name : small->mangled_names[i];
        int32_t line = small->lines == NULL ? -1 : small->lines[i];

        cube->regions[i] = (hd_cube_region){ .name = name, .mangled_name = mangled, .file = "", .paradigm = "mpi",
                                             .role = "function", .url = "",
            .what = "", .begin_line = line, .end_line = line };
        cube->paths[i] = (hd_cube_path){ .name = name, .region = i, .parent = small->paths[i].parent, .call_file = "",
                                         .call_line = -1 };
    }
}

static void
make_system(const small_cube *small, hd_cube *cube)
{
    uint32_t n = small->n_processes * small->n_threads;

    cube->nodes       = HD_NEW_ARRAY(hd_cube_node, 2);
    cube->groups      = HD_NEW_ARRAY(hd_cube_group, small->n_processes);
    cube->locations   = HD_NEW_ARRAY(hd_cube_location, n);
    cube->n_nodes     = 2;
    cube->n_groups    = small->n_processes;
    cube->n_locations = n;
    cube->nodes[0]    = (hd_cube_node){ .name = "machine", .class_name = "machine", .what = "", .parent = HD_NONE };
    cube->nodes[1]    = (hd_cube_node){ .name = "node", .class_name = "node", .what = "", .parent = 0 };
    for (uint32_t i = 0; i < small->n_processes; i++)
        cube->groups[i] = (hd_cube_group){ .name = hd_format("rank %" PRIu32, i), .type = "process", .rank = i,
                                           .parent = 1, .node = 1 };
    for (uint32_t i = 0; i < n; i++)
        cube->locations[i] = (hd_cube_location){ .name = hd_format("thread %" PRIu32, i % small->n_threads),
                                                 .type = "thread",
            .process_name = cube->groups[i / small->n_threads].name, .process = i / small->n_threads,
            .thread = i % small->n_threads, .group = i / small->n_threads, .node = 1 };
    if (!small->has_topology)
        return;
    cube->n_topologies  = 1;
    cube->topologies    = HD_NEW(hd_cube_topology);
    *cube->topologies   = (hd_cube_topology){ .name = "ring", .n_dimensions = 1, .n_rows = n,
                                              .dimensions = HD_NEW(hd_cube_dimension),
          .rows = HD_NEW_ARRAY(uint32_t, 2 * (size_t)n) };
    *cube->topologies->dimensions = (hd_cube_dimension){ .name = "x", .size = n, .is_periodic = true };
    for (uint32_t i = 0; i < n; i++) {
        cube->topologies->rows[2 * i]     = i;
        cube->topologies->rows[2 * i + 1] = n - 1 - i;
    }
}

static void
free_parts(hd_cube *cube)
{
    for (uint32_t i = 0; i < cube->n_groups; i++)
        free((void *)(uintptr_t)cube->groups[i].name);
    for (uint32_t i = 0; i < cube->n_locations; i++)
        free((void *)(uintptr_t)cube->locations[i].name);
    if (cube->n_topologies > 0) {
        free(cube->topologies->dimensions);
        free(cube->topologies->rows);
    }
    free(cube->topologies);
    free(cube->metrics);
    free(cube->regions);
    free(cube->paths);
    free(cube->nodes);
    free(cube->groups);
    free(cube->locations);
}

hd_cube *
small_cube_open(const small_cube *small, const char *file)
{
    small_cube given = *small;
    hd_cube    cube  = { .path = file, .version = "4.4" }, *opened = NULL;
    hd_cube_member member = { .name = "heddle.efficiency.tsv" };

    make_tree(small, &cube);
    make_system(small, &cube);
    if (small->efficiencies != NULL) {
        member.data  = small->efficiencies;
        member.bytes = strlen(small->efficiencies);
    }
    if (hd_cube_out_write(&(hd_cube_out){ .cube = &cube, .rows = rows, .context = &given, .members = &member,
                                          .n_members = small->efficiencies != NULL }, file) != HD_OK ||
        hd_cube_open(file, &opened) != HD_OK)
        hd_fatal("%s", hd_error_get()->text);
    free_parts(&cube);
    return opened;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* Says what differs, up to a point. */
static void
must(size_t *n_wrong, bool holds, const char *what, uint32_t i)
{
    if (!holds && (*n_wrong)++ < 20)
        printf("%s %" PRIu32 " differs\n", what, i);
}

static bool
is_same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool
have_same_sizes(const hd_cube *a, const hd_cube *b)
{
    return a->n_metrics == b->n_metrics && a->n_paths == b->n_paths && a->n_nodes == b->n_nodes &&
           a->n_groups == b->n_groups && a->n_locations == b->n_locations && a->n_topologies == b->n_topologies;
}

static size_t
compare_parts(const hd_cube *a, const hd_cube *b)
{
    size_t n = 0;

    for (uint32_t i = 0; i < a->n_metrics; i++)
        must(&n, is_same(a->metrics[i].id, b->metrics[i].id) && is_same(a->metrics[i].unit, b->metrics[i].unit) &&
                     a->metrics[i].parent == b->metrics[i].parent &&
             a->metrics[i].is_extreme == b->metrics[i].is_extreme, "metric", i);
    for (uint32_t i = 0; i < a->n_paths; i++)
        must(&n, is_same(a->paths[i].name, b->paths[i].name) && a->paths[i].parent == b->paths[i].parent, "call path",
             i);
    for (uint32_t i = 0; i < a->n_nodes; i++)
        must(&n, is_same(a->nodes[i].name, b->nodes[i].name) && a->nodes[i].parent == b->nodes[i].parent, "node", i);
    for (uint32_t i = 0; i < a->n_locations; i++)
        must(&n, is_same(a->locations[i].name, b->locations[i].name) &&
             a->locations[i].process == b->locations[i].process &&
                     a->locations[i].thread == b->locations[i].thread && a->locations[i].node == b->locations[i].node,
             "location", i);
    for (uint32_t i = 0; i < a->n_topologies; i++) {
        const hd_cube_topology *x = &a->topologies[i], *y = &b->topologies[i];

        must(&n, is_same(x->name, y->name) && x->n_rows == y->n_rows && x->n_dimensions == y->n_dimensions &&
                     memcmp(x->rows, y->rows, x->n_rows * (1 + (size_t)x->n_dimensions) * sizeof *x->rows) == 0,
             "topology", i);
    }
    return n;
}

size_t
small_cubes_compare(hd_cube *a, hd_cube *b, size_t *n_values)
{
    double *values, *others;
    size_t  n_wrong;
    bool    any;

    *n_values = 0;
    if (!have_same_sizes(a, b)) {
        printf("sizes differ\n");
        return 1;
    }
    n_wrong = compare_parts(a, b);
    values  = HD_NEW_ARRAY(double, (size_t)a->n_locations + 1);
    others  = HD_NEW_ARRAY(double, (size_t)a->n_locations + 1);
    for (uint32_t metric = 0; metric < a->n_metrics; metric++)
        for (uint32_t path = 0; path < a->n_paths; path++) {
            must(&n_wrong, hd_cube_row(a, metric, path, values, &any) == HD_OK &&
                 hd_cube_row(b, metric, path, others, &any) == HD_OK &&
                               memcmp(values, others, a->n_locations * sizeof *values) == 0, "row of metric", metric);
            for (uint32_t i = 0; i < a->n_locations; i++)
                *n_values += values[i] != 0;
        }
    free(values);
    free(others);
    return n_wrong;
}
