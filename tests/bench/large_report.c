/* tests/bench/large_report.c: large_report FILE LOCATIONS CALL_PATHS METRICS: a report of invented values, to measure
 * its page with.
 *
 * Metrics are the first ones of Heddle's own. All call paths have time and visits; what is below time is at fewer of
 * them the deeper it stands, as wait states are, and a call path that has a value has it at all locations. Values are
 * ticks divided by a resolution, so they have all their digits, and compress as badly as real ones. The same numbers
 * give the same report.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cube_out.h"
#include "memory.h"
#include "metric.h"

enum { PROCESSES_OF_NODE = 64, N_REGIONS = 300, MAX_DEPTH = 12 };
static const double resolution = 1.9926e9;

typedef struct large {
    hd_cube        cube;
    const uint32_t *metrics;    /* [n_metrics] numbers of hd_metric */
    bool           *is_present; /* [n_metrics][n_paths] */
} large;

static uint32_t
hash(uint32_t a, uint32_t b)
{
    uint64_t x = ((uint64_t)a << 32 | b) + 0x9E3779B97F4A7C15u;

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(x >> 32);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

/* Of reports of MPI programs. */
static bool
is_received(const hd_metric_info *info)
{
    return info->build == HD_BUILD_ALL || info->build == HD_BUILD_MPI || info->build == HD_BUILD_PARALLEL ||
           info->build == HD_BUILD_LONG_TERM;
}

static uint32_t *
choose_metrics(uint32_t *n)
{
    uint32_t *chosen = HD_NEW_ARRAY(uint32_t, HD_N_METRICS);
    uint32_t  wanted = *n;

    *n = 0;
    for (uint32_t m = 0; m < HD_N_METRICS && *n < wanted; m++)
        if (is_received(&hd_metric_infos[m]))
            chosen[(*n)++] = m;
    return chosen;
}

static uint32_t
place_of(const uint32_t *chosen, uint32_t n, uint32_t metric)
{
    for (uint32_t i = 0; i < n; i++)
        if (chosen[i] == metric)
            return i;
    return HD_NONE;
}

static void
make_metrics(large *report, uint32_t n)
{
    hd_cube *cube = &report->cube;

    report->metrics = choose_metrics(&n);
    cube->n_metrics = n;
    cube->metrics   = HD_NEW_ARRAY(hd_cube_metric, n);
    for (uint32_t i = 0; i < n; i++) {
        const hd_metric_info *info = &hd_metric_infos[report->metrics[i]];

        cube->metrics[i] = (hd_cube_metric){ .id = info->id, .name = info->name, .what = info->what, .url = "",
                                             .expression = "", .is_additive = true,
            .unit       = info->unit == HD_UNIT_TICKS ? "sec" : info->unit == HD_UNIT_OCC ? "occ" : "bytes",
            .is_integer = info->unit != HD_UNIT_TICKS, .type = info->unit == HD_UNIT_TICKS ? "DOUBLE" : "UINT64",
            .parent     = info->parent == HD_NONE ? HD_NONE : place_of(report->metrics, n, info->parent) };
    }
}

static void
make_paths(hd_cube *cube, uint32_t n)
{
    uint32_t chain[MAX_DEPTH] = { 0 }, depth = 0;

    cube->n_regions = N_REGIONS;
    cube->regions   = HD_NEW_ARRAY(hd_cube_region, N_REGIONS);
    for (uint32_t i = 0; i < N_REGIONS; i++)
        cube->regions[i] = (hd_cube_region){ .name =
            hd_format(i % 5 == 4 ? "MPI_Routine_%" PRIu32 : "function_%" PRIu32, i), .mangled_name = "",
            .file = "program.c", .paradigm = i % 5 == 4 ? "mpi" : "compiler", .role = "function", .url = "", .what = "",
            .begin_line = -1, .end_line = -1 };
    cube->n_paths = n;
    cube->paths   = HD_NEW_ARRAY(hd_cube_path, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t region = i * 7 % N_REGIONS;

        while (i > 0 && depth > 1 && (depth == MAX_DEPTH || hash(i, depth) % 100 < 45))
            depth--;
        cube->paths[i] = (hd_cube_path){ .name = cube->regions[region].name, .region = region, .number = i,
                                         .call_file = "", .call_line = -1,
            .parent = i == 0 ? HD_NONE : chain[depth - 1] };
        chain[depth++] = i;
    }
}

static void
make_system(hd_cube *cube, uint32_t n)
{
    uint32_t n_nodes = (n - 1) / PROCESSES_OF_NODE + 1;

    cube->n_nodes = n_nodes + 1;
    cube->nodes   = HD_NEW_ARRAY(hd_cube_node, cube->n_nodes);
    cube->nodes[0] = (hd_cube_node){ .name = "machine", .class_name = "machine", .what = "", .parent = HD_NONE };
    for (uint32_t i = 1; i <= n_nodes; i++)
        cube->nodes[i] = (hd_cube_node){ .name = hd_format("node %" PRIu32, i - 1), .class_name = "node", .what = "",
                                         .parent = 0 };
    cube->n_groups    = n;
    cube->groups      = HD_NEW_ARRAY(hd_cube_group, n);
    cube->n_locations = n;
    cube->locations   = HD_NEW_ARRAY(hd_cube_location, n);
    for (uint32_t i = 0; i < n; i++) {
        const char *name = hd_format("MPI Rank %" PRIu32, i);

        cube->groups[i]    = (hd_cube_group){ .name = name, .type = "process", .rank = i,
                                              .parent = 1 + i / PROCESSES_OF_NODE };
        cube->locations[i] = (hd_cube_location){ .name = "Master thread", .type = "thread", .process_name = name,
                                                 .process = i, .group = i };
    }
}

static void
make_topology(hd_cube *cube, hd_cube_topology *topology, uint32_t n_dimensions)
{
    static const char *const names[] = { "", "", "two axes", "three axes" };
    uint32_t                 side    = 1;

    for (uint64_t size = 1; size < cube->n_locations; side++) {
        size = 1;
        for (uint32_t d = 0; d < n_dimensions; d++)
            size *= side + 1;
    }
    topology->name         = names[n_dimensions];
    topology->n_dimensions = n_dimensions;
    topology->dimensions   = HD_NEW_ARRAY(hd_cube_dimension, n_dimensions);
    for (uint32_t d = 0; d < n_dimensions; d++)
        topology->dimensions[d] = (hd_cube_dimension){ .name = "", .size = side };
    topology->n_rows = cube->n_locations;
    topology->rows   = HD_NEW_ARRAY(uint32_t, topology->n_rows * (1 + (size_t)n_dimensions));
    for (uint32_t i = 0; i < cube->n_locations; i++) {
        uint32_t *row = topology->rows + i * (1 + (size_t)n_dimensions), rest = i;

        row[0] = i;
        for (uint32_t d = 0; d < n_dimensions; d++, rest /= side)
            row[1 + d] = rest % side;
    }
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Where a metric has values: within those of its parent, at a part of them. */
static void
make_presence(large *report)
{
    const hd_cube *cube = &report->cube;
    size_t         n    = cube->n_paths;

    report->is_present = HD_NEW_ARRAY(bool, cube->n_metrics * n);
    for (uint32_t m = 0; m < cube->n_metrics; m++) {
        uint32_t parent  = cube->metrics[m].parent;
        bool     is_root = parent == HD_NONE, is_all = strcmp(cube->metrics[m].id, "time") == 0 ||
                           strcmp(cube->metrics[m].id, "visits") == 0;
        uint32_t percent = is_all || strcmp(cube->metrics[m].id, "execution") == 0 ? 100 :
                           strcmp(cube->metrics[m].id, "comp") == 0 ? 80 : is_root ? 5 : 30;

        for (uint32_t p = 0; p < n; p++)
            report->is_present[m * n + p] = (is_root || report->is_present[parent * n + p]) &&
                                            hash(m + 1, p) % 100 < percent;
    }
}

static hd_status
rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    const large          *report = context;
    const hd_cube_metric *m      = &report->cube.metrics[metric];
    double                share  = 1;

    *any = report->is_present[metric * (size_t)report->cube.n_paths + path];
    for (uint32_t i = metric; report->cube.metrics[i].parent != HD_NONE; i = report->cube.metrics[i].parent)
        share /= 2;
    for (uint32_t i = 0; *any && i < report->cube.n_locations; i++) {
        uint32_t random = hash(path, i);

        if (m->is_integer)
            cells[i].integer = random % 1000 + 1;
        else
            cells[i].real = (double)(uint64_t)(share * (random >> 8) * (1 + i % 64 / 64.0) + 1) / resolution;
    }
    return HD_OK;
}

int
main(int argc, char **argv)
{
    large              report      = { 0 };
    hd_cube_topology   topologies[2];
    hd_cube_attribute  attributes[] = { { "Creator", "large_report" }, { "Heddle::Version", HEDDLE_VERSION } };

    if (argc != 5) {
        fprintf(stderr, "usage: large_report FILE LOCATIONS CALL_PATHS METRICS\n");
        return 2;
    }
    make_metrics(&report, (uint32_t)strtoul(argv[4], NULL, 10));
    make_paths(&report.cube, (uint32_t)strtoul(argv[3], NULL, 10));
    make_system(&report.cube, (uint32_t)strtoul(argv[2], NULL, 10));
    make_topology(&report.cube, &topologies[0], 2);
    make_topology(&report.cube, &topologies[1], 3);
    report.cube.topologies   = topologies;
    report.cube.n_topologies = 2;
    report.cube.attributes   = attributes;
    report.cube.n_attributes = 2;
    make_presence(&report);
    if (hd_cube_out_write(&(hd_cube_out){ .cube = &report.cube, .rows = rows, .context = &report }, argv[1]) != HD_OK) {
        fprintf(stderr, "large_report: %s\n", hd_error_get()->text);
        return 1;
    }
    printf("metrics=%" PRIu32 " paths=%" PRIu32 " locations=%" PRIu32 "\n", report.cube.n_metrics, report.cube.n_paths,
           report.cube.n_locations);
    return 0;
}
