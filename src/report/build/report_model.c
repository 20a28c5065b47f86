/* src/report/build/report_model.c: the description of a report from definitions, call tree and derived metrics. */
#include "report_model.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "counter_model.h"
#include "derived_counters.h"
#include "memory.h"

#ifndef HEDDLE_VERSION
#define HEDDLE_VERSION "unknown"
#endif

#define MIRROR "http://apps.fz-juelich.de/scalasca/releases/scalasca/2.6/help/"

/* A text that lives as long as the model. text: taken over. */
static const char *
keep(hd_report_model *model, char *text)
{
    HD_PUSH(model->texts, model->n_texts, model->texts_capacity, text);
    return text;
}

/* Lines that are not known are -1. */
static int32_t
line_of(uint32_t line)
{
    return line > 0 && line <= INT32_MAX ? (int32_t)line : -1;
}

/* ---- attributes, metrics --------------------------------------------------------------------------------------------------- */

static void
add_attributes(hd_report_model *model, const hd_report *report)
{
    hd_cube *cube = &model->cube;

    cube->attributes = HD_NEW_ARRAY(hd_cube_attribute, report->n_attributes + 4);
    cube->attributes[cube->n_attributes++] = (hd_cube_attribute){ "CubePL Version", "1.1" };
    cube->attributes[cube->n_attributes++] = (hd_cube_attribute){ "Cube Version", cube->version };
    cube->attributes[cube->n_attributes++] = (hd_cube_attribute){ "Creator", "Heddle " HEDDLE_VERSION };
    cube->attributes[cube->n_attributes++] = (hd_cube_attribute){ "CUBE_CT_AGGR", "SUM" };
    for (size_t i = 0; i < report->n_attributes; i++)
        cube->attributes[cube->n_attributes++] = (hd_cube_attribute){ report->attributes[i].key, report->attributes[i].value };
    cube->mirrors    = HD_NEW_ARRAY(const char *, 1);
    cube->mirrors[0] = MIRROR;
    cube->n_mirrors  = 1;
}

uint32_t
hd_report_number_metrics(const hd_derivation *derivation, uint32_t *numbers)
{
    uint32_t n = 0;

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        numbers[metric] = hd_derivation_has(derivation, (hd_metric)metric) ? n++ : HD_NONE;
    return n;
}

static hd_cube_metric
metric_of(hd_report_model *model, const hd_metric_info *info, uint32_t parent)
{
    static const char *const units[] = { [HD_UNIT_TICKS] = "sec", [HD_UNIT_OCC] = "occ", [HD_UNIT_BYTES] = "bytes" };

    return (hd_cube_metric){ .id = info->id, .name = info->name, .unit = units[info->unit], .what = info->what,
                             .url = hd_metric_is_extension(info) ? "" : keep(model, hd_format("@mirror@scalasca_patterns.html#%s", info->id)),
                             .parent = parent, .kind = HD_CUBE_STORED, .is_integer = info->unit != HD_UNIT_TICKS };
}

/* Behind the other metrics. */
static void
add_counters(hd_report_model *model, const hd_defs *defs, const hd_derived_counters *derived)
{
    uint32_t root = model->cube.n_metrics;
    hd_cube *cube = &model->cube;
    char   **ids  = hd_counter_ids(defs);

    for (uint32_t i = 0; i < defs->n_counters; i++)
        keep(model, ids[i]);
    hd_counter_metrics_fill(defs, cube->n_metrics, ids, &cube->metrics[cube->n_metrics]);
    cube->n_metrics += hd_counter_metrics_n(defs);
    if (derived != NULL) {
        hd_cube_metric *added = &cube->metrics[cube->n_metrics];
        uint32_t        n     = hd_derived_counters_fill(derived, defs, ids, root, added);

        for (uint32_t i = 0; i < n; i++)
            keep(model, (char *)(uintptr_t)added[i].expression);
        cube->n_metrics += n;
    }
    free(ids);
}

static void
add_metrics(hd_report_model *model, const hd_report *report, const hd_derivation *derivation)
{
    hd_cube *cube = &model->cube;
    uint32_t numbers[HD_N_METRICS];
    uint32_t n_counters = report->compat || report->without_counters ? 0 : hd_counter_metrics_n(report->defs);
    uint32_t n_derived  = report->derived != NULL ? hd_derived_counters_n(report->derived) : 0;

    cube->n_metrics = hd_report_number_metrics(derivation, numbers);
    cube->metrics   = HD_NEW_ARRAY(hd_cube_metric, (size_t)cube->n_metrics + n_counters + n_derived + 1);
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++) {
        uint32_t parent = hd_metric_infos[metric].parent;

        if (numbers[metric] != HD_NONE)
            cube->metrics[numbers[metric]] = metric_of(model, &hd_metric_infos[metric], parent != HD_NONE ? numbers[parent] : HD_NONE);
    }
    if (n_counters > 0)
        add_counters(model, report->defs, report->derived);
    if (hd_derivation_has(derivation, HD_METRIC_mpi)) /* hides the profile's metric of that name where reports are merged */
        cube->metrics[cube->n_metrics + cube->n_hidden++] =
            (hd_cube_metric){ .id = "bytes_received", .name = "Bytes received", .unit = "bytes", .what = "", .url = "", .parent = HD_NONE,
                              .kind = HD_CUBE_STORED, .is_integer = true, .is_hidden = true };
}

/* ---- regions, call paths --------------------------------------------------------------------------------------------------- */

static hd_cube_region
region_of(const hd_defs *defs, const hd_region *region)
{
    return (hd_cube_region){ .name = hd_defs_text(defs, region->name), .mangled_name = hd_defs_text(defs, region->canonical),
                             .file = hd_defs_text(defs, region->file), .paradigm = hd_paradigm_name(region->paradigm),
                             .role = hd_role_name(region->role), .url = "", .what = "", .begin_line = line_of(region->begin_line),
                             .end_line = line_of(region->end_line) };
}

/* Regions without a call path are left out. */
static void
add_program(hd_report_model *model, const hd_defs *defs, const hd_calltree *tree, const uint32_t *call_sites)
{
    hd_cube  *cube    = &model->cube;
    uint32_t *numbers = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_regions + 1); /* 0: not used, else number + 1 */

    for (uint32_t i = 0; i < tree->n; i++)
        numbers[tree->nodes[i].region] = 1;
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (numbers[i] != 0)
            numbers[i] = ++cube->n_regions;
    cube->regions = HD_NEW_ARRAY(hd_cube_region, (size_t)cube->n_regions + 1);
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (numbers[i] != 0)
            cube->regions[numbers[i] - 1] = region_of(defs, &hd_defs_regions(defs)[i]);
    cube->n_paths = tree->n;
    cube->paths   = HD_NEW_ARRAY(hd_cube_path, (size_t)tree->n + 1);
    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t region = numbers[tree->nodes[i].region] - 1;

        cube->paths[i] = (hd_cube_path){ .name = cube->regions[region].name, .region = region, .parent = tree->nodes[i].parent,
                                         .call_file = "", .call_line = -1 };
        if (call_sites != NULL && call_sites[i] != 0 && call_sites[i] != HD_SITE_SEVERAL) {
            const hd_context *caller = &hd_defs_contexts(defs)[call_sites[i] - 1];

            cube->paths[i].call_file = hd_defs_text(defs, caller->file);
            cube->paths[i].call_line = line_of(caller->line);
        }
    }
    free(numbers);
}

/* ---- system ---------------------------------------------------------------------------------------------------------------- */

/* What hd_cube_open() takes where no node is marked: the innermost level of the class "node", else what the process stands at. */
static uint32_t
node_by_class(const hd_defs *defs, uint32_t home)
{
    for (uint32_t i = home; i != HD_NONE; i = hd_defs_nodes(defs)[i].parent)
        if (strcasecmp(hd_defs_text(defs, hd_defs_nodes(defs)[i].node_class), "node") == 0)
            return i;
    return home;
}

/* [n_nodes] the nodes that processes run on, free() it; all false where classes say so, too. */
static bool *
find_marked(const hd_defs *defs, const uint32_t *nodes)
{
    bool *is_marked = HD_NEW_ARRAY(bool, (size_t)defs->n_nodes + 1), differ = false;

    for (uint32_t p = 0; p < defs->n_processes && nodes != NULL; p++)
        differ |= nodes[p] != HD_NONE && nodes[p] != node_by_class(defs, hd_defs_processes(defs)[p].node);
    for (uint32_t p = 0; p < defs->n_processes && differ; p++)
        if (nodes[p] != HD_NONE)
            is_marked[nodes[p]] = true;
    return is_marked;
}

static hd_cube_slice
add_properties(hd_cube *cube, const hd_defs *defs, const hd_system_node *node, bool is_marked)
{
    hd_cube_slice slice = { .first = cube->n_part_attributes };

    for (uint32_t i = 0; i < node->n_properties; i++) {
        const hd_property *property = &hd_defs_properties(defs)[node->first_property + i];

        cube->part_attributes[cube->n_part_attributes++] =
            (hd_cube_attribute){ hd_defs_text(defs, property->name), hd_defs_text(defs, property->value) };
    }
    if (is_marked)
        cube->part_attributes[cube->n_part_attributes++] = (hd_cube_attribute){ HD_NODE_ATTRIBUTE, "yes" };
    slice.n = cube->n_part_attributes - slice.first;
    return slice;
}

static hd_cube_node
node_of(hd_report_model *model, const char *class_name, const char *name, uint32_t parent)
{
    return (hd_cube_node){ .name = keep(model, hd_format("%s %s", class_name, name)), .class_name = class_name, .what = "", .parent = parent };
}

/* The system tree of a report has one root: the archive's if there is one, else one made for it, before all others.
 * Returns the number of the archive's node 0. */
static uint32_t
add_nodes(hd_report_model *model, const hd_defs *defs, const uint32_t *node_of_process)
{
    const hd_system_node *nodes     = hd_defs_nodes(defs);
    hd_cube              *cube      = &model->cube;
    bool                 *is_marked = find_marked(defs, node_of_process);
    size_t                n_properties = 0;
    uint32_t              n_roots = 0, first;

    for (uint32_t i = 0; i < defs->n_nodes; i++) {
        n_roots += nodes[i].parent == HD_NONE;
        n_properties += nodes[i].n_properties + 1;
    }
    first                 = n_roots == 1 ? 0 : 1;
    cube->nodes           = HD_NEW_ARRAY(hd_cube_node, (size_t)defs->n_nodes + 1);
    cube->part_attributes = HD_NEW_ARRAY(hd_cube_attribute, n_properties + 1);
    cube->n_nodes         = first + defs->n_nodes;
    if (first == 1)
        cube->nodes[0] = node_of(model, "machine", hd_defs_text(defs, defs->machine), HD_NONE);
    for (uint32_t i = 0; i < defs->n_nodes; i++) {
        uint32_t      parent = nodes[i].parent != HD_NONE ? nodes[i].parent + first : first == 1 ? 0 : HD_NONE;
        hd_cube_node *node   = &cube->nodes[first + i];

        *node            = node_of(model, hd_defs_text(defs, nodes[i].node_class), hd_defs_text(defs, nodes[i].name), parent);
        node->attributes = add_properties(cube, defs, &nodes[i], is_marked[i]);
    }
    free(is_marked);
    return first;
}

static void
add_processes(hd_report_model *model, const hd_defs *defs, uint32_t first_node)
{
    hd_cube *cube = &model->cube;

    cube->n_groups = defs->n_processes;
    cube->groups   = HD_NEW_ARRAY(hd_cube_group, (size_t)defs->n_processes + 1);
    for (uint32_t i = 0; i < defs->n_processes; i++) {
        const hd_process_def *process = &hd_defs_processes(defs)[i];
        const char           *name    = hd_defs_text(defs, process->name);

        if (*name == '\0')
            name = keep(model, hd_format("%s %" PRIu32, process->has_mpi_rank ? "MPI rank" : "process", i));
        cube->groups[i] = (hd_cube_group){ .name = name, .type = "process", .rank = i,
                                           .parent = process->node != HD_NONE ? process->node + first_node : 0 };
    }
}

static void
add_locations(hd_report_model *model, const hd_defs *defs)
{
    static const char *const types[] = { [HD_LOCATION_CPU]         = "thread",
                                         [HD_LOCATION_ACCELERATOR] = "accelerator stream",
                                         [HD_LOCATION_METRIC]      = "metric" };
    hd_cube                 *cube    = &model->cube;

    cube->n_locations = defs->n_locations;
    cube->locations   = HD_NEW_ARRAY(hd_cube_location, (size_t)defs->n_locations + 1);
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        const hd_process_def *process = &hd_defs_processes(defs)[p];

        for (uint32_t thread = 0; thread < process->n_locations; thread++) {
            uint32_t               number     = process->first_location + thread;
            const hd_location_def *definition = &hd_defs_locations(defs)[number];
            const char            *name       = hd_defs_text(defs, definition->name);

            if (*name == '\0')
                name = keep(model, hd_format("CPU thread %" PRIu32, thread));
            cube->locations[number] = (hd_cube_location){ .name = name, .type = types[definition->type], .thread = thread, .group = p };
        }
    }
}

/* ---- topologies ------------------------------------------------------------------------------------------------------------ */

/* With room for n_rows rows, none of which is there yet. */
static hd_cube_topology *
add_topology(hd_cube *cube, const char *name, uint32_t n_dimensions, size_t n_rows)
{
    hd_cube_topology *topology = &cube->topologies[cube->n_topologies++];

    *topology = (hd_cube_topology){ .name = name, .n_dimensions = n_dimensions,
                                    .dimensions = HD_NEW_ARRAY(hd_cube_dimension, (size_t)n_dimensions + 1),
                                    .rows = HD_NEW_ARRAY(uint32_t, n_rows * (1 + (size_t)n_dimensions) + 1) };
    return topology;
}

static void
add_row(hd_cube_topology *topology, uint32_t location, const uint32_t *place)
{
    uint32_t *row = topology->rows + topology->n_rows++ * (1 + (size_t)topology->n_dimensions);

    row[0] = location;
    memcpy(row + 1, place, topology->n_dimensions * sizeof *place);
}

/* Nothing for a topology with a dimension that is empty or not defined. */
static void
add_recorded(hd_cube *cube, const hd_defs *defs, const hd_topology *recorded)
{
    const hd_dimension *dimensions = hd_defs_dimensions(defs) + recorded->first_dimension;
    const uint32_t     *row        = hd_defs_coordinates(defs) + recorded->first_coordinate;
    hd_cube_topology   *topology;

    for (uint32_t i = 0; i < recorded->n_dimensions; i++)
        if (dimensions[i].size == 0)
            return;
    topology = add_topology(cube, hd_defs_text(defs, recorded->name), recorded->n_dimensions, recorded->n_coordinates);
    for (uint32_t i = 0; i < recorded->n_dimensions; i++)
        topology->dimensions[i] = (hd_cube_dimension){ hd_defs_text(defs, dimensions[i].name), dimensions[i].size, dimensions[i].periodic != 0 };
    for (uint32_t i = 0; i < recorded->n_coordinates; i++, row += 1 + (size_t)recorded->n_dimensions)
        add_row(topology, row[0], row + 1);
}

/* A process stands where its first location does. */
static void
add_given(hd_cube *cube, const hd_defs *defs, const hd_report_topology *given)
{
    hd_cube_topology *topology = add_topology(cube, given->name, given->n_dimensions, defs->n_processes);

    for (uint32_t i = 0; i < given->n_dimensions; i++) {
        const char *name = given->dimension_names[i] != NULL ? given->dimension_names[i] : "";

        topology->dimensions[i] = (hd_cube_dimension){ name, given->sizes[i], given->is_periodic[i] };
    }
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        const uint32_t *place = given->places + (size_t)p * given->n_dimensions;

        if (place[0] != HD_NONE && hd_defs_processes(defs)[p].n_locations > 0)
            add_row(topology, hd_defs_processes(defs)[p].first_location, place);
    }
}

static bool
has_process_grid(const hd_defs *defs)
{
    for (uint32_t i = 0; i < defs->n_topologies; i++)
        if (strcmp(hd_defs_text(defs, hd_defs_topologies(defs)[i].name), HD_PROCESS_GRID) == 0)
            return true;
    return false;
}

/* What a report gets whose archive lacks it. A process' CPU threads are the first of its locations. */
static void
add_process_grid(hd_cube *cube, const hd_defs *defs)
{
    const hd_location_def *locations = hd_defs_locations(defs);
    hd_cube_topology      *topology;
    uint32_t               n_threads = 0;

    for (uint32_t i = 0; i < defs->n_locations; i++)
        if (locations[i].type == HD_LOCATION_CPU && locations[i].thread >= n_threads)
            n_threads = locations[i].thread + 1;
    if (defs->n_processes == 0 || n_threads == 0)
        return;
    topology                = add_topology(cube, HD_PROCESS_GRID, 2, defs->n_locations);
    topology->dimensions[0] = (hd_cube_dimension){ "Process", defs->n_processes, false };
    topology->dimensions[1] = (hd_cube_dimension){ "Thread", n_threads, false };
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        const hd_process_def *process = &hd_defs_processes(defs)[p];

        for (uint32_t i = process->first_location; i < process->first_location + process->n_locations; i++)
            if (locations[i].type == HD_LOCATION_CPU)
                add_row(topology, i, (const uint32_t[]){ p, locations[i].thread });
    }
}

static void
add_topologies(hd_cube *cube, const hd_report *report)
{
    const hd_defs *defs = report->defs;

    cube->topologies = HD_NEW_ARRAY(hd_cube_topology, (size_t)defs->n_topologies + 2);
    for (uint32_t i = 0; i < defs->n_topologies; i++)
        add_recorded(cube, defs, &hd_defs_topologies(defs)[i]);
    if (report->given != NULL)
        add_given(cube, defs, report->given);
    if (!has_process_grid(defs))
        add_process_grid(cube, defs);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

/* Readers know of accelerators from 4.7 on. */
static const char *
version_of(const hd_defs *defs)
{
    for (uint32_t i = 0; i < defs->n_locations; i++)
        if (hd_defs_locations(defs)[i].type == HD_LOCATION_ACCELERATOR)
            return "4.7";
    return "4.4";
}

void
hd_report_model_init(hd_report_model *model, const hd_report *report, const hd_derivation *derivation)
{
    *model              = (hd_report_model){ 0 };
    model->cube.version = version_of(report->defs);
    add_attributes(model, report);
    add_metrics(model, report, derivation);
    add_program(model, report->defs, report->tree, report->call_sites);
    add_processes(model, report->defs, add_nodes(model, report->defs, report->nodes));
    add_locations(model, report->defs);
    add_topologies(&model->cube, report);
}

void
hd_report_model_fini(hd_report_model *model)
{
    hd_cube *cube = &model->cube;

    for (uint32_t i = 0; i < cube->n_topologies; i++) {
        free(cube->topologies[i].dimensions);
        free(cube->topologies[i].rows);
    }
    free(cube->topologies);
    free(cube->locations);
    free(cube->groups);
    free(cube->nodes);
    free(cube->part_attributes);
    free(cube->paths);
    free(cube->regions);
    free(cube->metrics);
    free(cube->mirrors);
    free(cube->attributes);
    for (size_t i = 0; i < model->n_texts; i++)
        free(model->texts[i]);
    free(model->texts);
}
