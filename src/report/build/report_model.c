#include "report_model.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "anchor_text.h"
#include "cube_reader.h"
#include "memory.h"

#ifndef HEDDLE_VERSION
#define HEDDLE_VERSION "unknown"
#endif

#define put hd_anchor_put
#define put_element hd_anchor_put_element
#define put_attribute hd_anchor_put_attribute
#define put_dimension hd_anchor_put_dimension
#define put_xml hd_out_file_put_xml
#define format hd_out_file_format

uint32_t
hd_anchor_number_metrics(const hd_derivation *derivation, uint32_t *numbers)
{
    uint32_t n = 0;

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        numbers[metric] = hd_derivation_has(derivation, (hd_metric)metric) ? n++ : HD_NONE;
    return n;
}

static void
put_metric(hd_out_file *out, const hd_metric_info *info, uint32_t number)
{
    static const char *const units[]  = { [HD_UNIT_TICKS] = "sec", [HD_UNIT_OCC] = "occ", [HD_UNIT_BYTES] = "bytes" };
    bool                     is_scout = !hd_metric_is_extension(info);

    format(out, "<metric id=\"%" PRIu32 "\" type=\"EXCLUSIVE\">\n", number);
    put_element(out, "disp_name", info->name);
    put_element(out, "uniq_name", info->id);
    put_element(out, "dtype", info->unit == HD_UNIT_TICKS ? "FLOAT" : "INTEGER");
    put_element(out, "uom", units[info->unit]);
    format(out, "<url>%s%s</url>\n", is_scout ? "@mirror@scalasca_patterns.html#" : "", is_scout ? info->id : "");
    put_element(out, "descr", info->what);
}

static void
put_metrics(hd_out_file *out, const hd_derivation *derivation)
{
    uint32_t numbers[HD_N_METRICS];
    uint32_t n_metrics = hd_anchor_number_metrics(derivation, numbers);
    uint32_t open      = HD_NONE; /* the metric whose element is not closed yet */

    put(out, "<metrics>\n");
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++) {
        if (numbers[metric] == HD_NONE)
            continue;
        for (; open != HD_NONE && open != hd_metric_infos[metric].parent; open = hd_metric_infos[open].parent)
            put(out, "</metric>\n");
        put_metric(out, &hd_metric_infos[metric], numbers[metric]);
        open = metric;
    }
    for (; open != HD_NONE; open = hd_metric_infos[open].parent)
        put(out, "</metric>\n");
    if (hd_derivation_has(derivation, HD_METRIC_mpi)) /* hides the profile's metric of that name where reports are merged */
        format(out,
               "<metric id=\"%" PRIu32 "\" type=\"EXCLUSIVE\" viztype=\"GHOST\">\n<disp_name>Bytes received</disp_name>\n"
               "<uniq_name>bytes_received</uniq_name>\n<dtype>INTEGER</dtype>\n<uom>bytes</uom>\n<url></url>\n<descr></descr>\n"
               "</metric>\n",
               n_metrics);
    put(out, "</metrics>\n");
}

static void
put_region(hd_out_file *out, const hd_defs *defs, const hd_region *region, uint32_t number)
{
    format(out, "<region id=\"%" PRIu32 "\" mod=\"", number);
    put_xml(out, hd_defs_text(defs, region->file));
    put(out, "\"");
    hd_anchor_put_line(out, "begin", region->begin_line);
    hd_anchor_put_line(out, "end", region->end_line);
    put(out, ">\n");
    put_element(out, "name", hd_defs_text(defs, region->name));
    put_element(out, "mangled_name", hd_defs_text(defs, region->canonical));
    put_element(out, "paradigm", hd_paradigm_name(region->paradigm));
    put_element(out, "role", hd_role_name(region->role));
    put(out, "<url></url>\n<descr></descr>\n</region>\n");
}

/* Call paths are numbered in the order of the walk, which is that of the rows of the data: readers that take one for the other
 * are right. */
static void
put_program(hd_out_file *out, const hd_defs *defs, const hd_calltree *tree, const hd_tree_order *order)
{
    uint32_t *numbers = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_regions + 1); /* 0: not used, else number + 1 */
    uint32_t  n = 0, id = 0;

    for (uint32_t i = 0; i < tree->n; i++)
        numbers[tree->nodes[i].region] = 1;
    put(out, "<program>\n");
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (numbers[i] != 0) {
            put_region(out, defs, &hd_defs_regions(defs)[i], n);
            numbers[i] = ++n;
        }
    for (hd_tree_walk walk = { order, order->first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk))
        if (walk.down)
            format(out, "<cnode id=\"%" PRIu32 "\" calleeId=\"%" PRIu32 "\">\n", id++,
                   numbers[tree->nodes[walk.node].region] - 1);
        else
            put(out, "</cnode>\n");
    put(out, "</program>\n");
    free(numbers);
}

static void
put_location(hd_out_file *out, const hd_defs *defs, uint32_t location, uint32_t rank)
{
    static const char *const types[] = { [HD_LOCATION_CPU]         = "thread",
                                         [HD_LOCATION_ACCELERATOR] = "accelerator stream",
                                         [HD_LOCATION_METRIC]      = "metric" };
    const hd_location_def   *definition = &hd_defs_locations(defs)[location];
    const char              *name       = hd_defs_text(defs, definition->name);

    format(out, "<location Id=\"%" PRIu32 "\">\n", location);
    if (*name != '\0')
        put_element(out, "name", name);
    else
        format(out, "<name>CPU thread %" PRIu32 "</name>\n", rank);
    format(out, "<rank>%" PRIu32 "</rank>\n<type>%s</type>\n</location>\n", rank, types[definition->type]);
}

static void
put_process(hd_out_file *out, const hd_defs *defs, uint32_t process)
{
    const hd_process_def *definition = &hd_defs_processes(defs)[process];
    const char           *name       = hd_defs_text(defs, definition->name);

    format(out, "<locationgroup Id=\"%" PRIu32 "\">\n", process);
    if (*name != '\0')
        put_element(out, "name", name);
    else
        format(out, "<name>%s %" PRIu32 "</name>\n", definition->has_mpi_rank ? "MPI rank" : "process", process);
    format(out, "<rank>%" PRIu32 "</rank>\n<type>process</type>\n", process);
    for (uint32_t i = 0; i < definition->n_locations; i++)
        put_location(out, defs, definition->first_location + i, i);
    put(out, "</locationgroup>\n");
}

/* The system tree of a report has one root: the archive's if there is one, else one made for it (node n_nodes here, number 0 in
 * the report). */
typedef struct machine_tree {
    uint32_t      root;
    hd_tree_order order;
    uint32_t     *first_process, *next_process; /* by node, by process; HD_NONE: none */
    bool         *is_node; /* [n_nodes] what processes run on; none where classes say so, too */
} machine_tree;

/* What hd_cube_open() takes where no node is marked: the innermost level of the class "node", else what the process stands at. */
static uint32_t
node_by_class(const hd_defs *defs, uint32_t home)
{
    for (uint32_t i = home; i != HD_NONE; i = hd_defs_nodes(defs)[i].parent)
        if (strcasecmp(hd_defs_text(defs, hd_defs_nodes(defs)[i].node_class), "node") == 0)
            return i;
    return home;
}

static void
mark_nodes(machine_tree *machine, const hd_defs *defs, const uint32_t *nodes)
{
    bool differ = false;

    machine->is_node = HD_NEW_ARRAY(bool, (size_t)defs->n_nodes + 1);
    for (uint32_t p = 0; p < defs->n_processes && nodes != NULL; p++)
        differ |= nodes[p] != HD_NONE && nodes[p] != node_by_class(defs, hd_defs_processes(defs)[p].node);
    for (uint32_t p = 0; p < defs->n_processes && differ; p++)
        if (nodes[p] != HD_NONE)
            machine->is_node[nodes[p]] = true;
}

static void
machine_init(machine_tree *machine, const hd_defs *defs, const uint32_t *node_of)
{
    const hd_system_node *nodes   = hd_defs_nodes(defs);
    uint32_t              n       = defs->n_nodes;
    uint32_t             *parents = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    uint32_t              n_roots = 0;

    for (uint32_t i = 0; i < n; i++)
        if (nodes[i].parent == HD_NONE) {
            machine->root = i;
            n_roots++;
        }
    if (n_roots != 1)
        machine->root = n;
    for (uint32_t i = 0; i < n; i++) /* shifted by one: a made root comes first, as parents have the smaller numbers */
        parents[i + 1] = nodes[i].parent != HD_NONE ? nodes[i].parent + 1 : 0;
    parents[0] = HD_NONE;
    hd_tree_order_init(&machine->order, parents, n + 1);
    free(parents);

    machine->first_process = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    machine->next_process  = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_processes + 1);
    memset(machine->first_process, 0xFF, ((size_t)n + 1) * sizeof(uint32_t)); /* HD_NONE */
    for (uint32_t i = defs->n_processes; i-- > 0;) {
        uint32_t node = hd_defs_processes(defs)[i].node;

        if (node == HD_NONE)
            node = machine->root;
        machine->next_process[i]     = machine->first_process[node];
        machine->first_process[node] = i;
    }
    mark_nodes(machine, defs, node_of);
}

static void
machine_fini(machine_tree *machine)
{
    hd_tree_order_fini(&machine->order);
    free(machine->first_process);
    free(machine->next_process);
    free(machine->is_node);
}

static void
put_system_node(hd_out_file *out, const hd_defs *defs, const machine_tree *machine, uint32_t node)
{
    bool        is_made    = node == defs->n_nodes;
    const char *name       = hd_defs_text(defs, is_made ? defs->machine : hd_defs_nodes(defs)[node].name);
    const char *node_class = is_made ? "machine" : hd_defs_text(defs, hd_defs_nodes(defs)[node].node_class);
    uint32_t    number     = machine->root != defs->n_nodes ? node : is_made ? 0 : node + 1;

    format(out, "<systemtreenode Id=\"%" PRIu32 "\">\n<name>", number);
    put_xml(out, node_class);
    put(out, " ");
    put_xml(out, name);
    put(out, "</name>\n");
    put_element(out, "class", node_class);
    for (uint32_t i = 0; i < (is_made ? 0 : hd_defs_nodes(defs)[node].n_properties); i++) {
        const hd_property *property = &hd_defs_properties(defs)[hd_defs_nodes(defs)[node].first_property + i];

        put_attribute(out, hd_defs_text(defs, property->name), hd_defs_text(defs, property->value));
    }
    if (!is_made && machine->is_node[node])
        put_attribute(out, HD_NODE_ATTRIBUTE, "yes");
    for (uint32_t process = machine->first_process[node]; process != HD_NONE; process = machine->next_process[process])
        put_process(out, defs, process);
}

static void
put_machine(hd_out_file *out, const hd_defs *defs, const uint32_t *nodes)
{
    machine_tree machine;

    machine_init(&machine, defs, nodes);
    for (hd_tree_walk walk = { &machine.order, 0, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk)) {
        if (walk.node == 0 && machine.root != defs->n_nodes)
            continue; /* the archive's own root needs none around it */
        if (walk.down)
            put_system_node(out, defs, &machine, walk.node == 0 ? defs->n_nodes : walk.node - 1);
        else
            put(out, "</systemtreenode>\n");
    }
    machine_fini(&machine);
}

static void
put_topology(hd_out_file *out, const hd_defs *defs, const hd_topology *topology)
{
    const hd_dimension *dimensions = hd_defs_dimensions(defs) + topology->first_dimension;
    const uint32_t     *row        = hd_defs_coordinates(defs) + topology->first_coordinate;

    for (uint32_t i = 0; i < topology->n_dimensions; i++)
        if (dimensions[i].size == 0) /* or not defined */
            return;
    put(out, "<cart name=\"");
    put_xml(out, hd_defs_text(defs, topology->name));
    format(out, "\" ndims=\"%" PRIu32 "\">\n", topology->n_dimensions);
    for (uint32_t i = 0; i < topology->n_dimensions; i++)
        put_dimension(out, hd_defs_text(defs, dimensions[i].name), dimensions[i].size, dimensions[i].periodic != 0);
    for (uint32_t i = 0; i < topology->n_coordinates; i++, row += 1 + topology->n_dimensions)
        hd_anchor_put_coordinate(out, row[0], row + 1, topology->n_dimensions);
    put(out, "</cart>\n");
}

/* A process stands where its first location does. */
static void
put_given(hd_out_file *out, const hd_defs *defs, const hd_report_topology *given)
{
    put(out, "<cart name=\"");
    put_xml(out, given->name);
    format(out, "\" ndims=\"%" PRIu32 "\">\n", given->n_dimensions);
    for (uint32_t i = 0; i < given->n_dimensions; i++)
        put_dimension(out, given->dimension_names[i] != NULL ? given->dimension_names[i] : "", given->sizes[i], given->is_periodic[i]);
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        const uint32_t *place = given->places + (size_t)p * given->n_dimensions;

        if (place[0] != HD_NONE && hd_defs_processes(defs)[p].n_locations > 0)
            hd_anchor_put_coordinate(out, hd_defs_processes(defs)[p].first_location, place, given->n_dimensions);
    }
    put(out, "</cart>\n");
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
put_process_grid(hd_out_file *out, const hd_defs *defs)
{
    const hd_process_def  *processes = hd_defs_processes(defs);
    const hd_location_def *locations = hd_defs_locations(defs);
    uint32_t               n_threads = 0;

    for (uint32_t i = 0; i < defs->n_locations; i++)
        if (locations[i].type == HD_LOCATION_CPU && locations[i].thread >= n_threads)
            n_threads = locations[i].thread + 1;
    if (defs->n_processes == 0 || n_threads == 0)
        return;
    put(out, "<cart name=\"" HD_PROCESS_GRID "\" ndims=\"2\">\n");
    put_dimension(out, "Process", defs->n_processes, false);
    put_dimension(out, "Thread", n_threads, false);
    for (uint32_t i = 0; i < defs->n_processes; i++)
        for (uint32_t j = processes[i].first_location; j < processes[i].first_location + processes[i].n_locations; j++)
            if (locations[j].type == HD_LOCATION_CPU)
                hd_anchor_put_coordinate(out, j, (const uint32_t[]){ i, locations[j].thread }, 2);
    put(out, "</cart>\n");
}

static void
put_system(hd_out_file *out, const hd_report *report)
{
    const hd_defs *defs = report->defs;

    put(out, "<system>\n");
    put_machine(out, defs, report->nodes);
    put(out, "<topologies>\n");
    for (uint32_t i = 0; i < defs->n_topologies; i++)
        put_topology(out, defs, &hd_defs_topologies(defs)[i]);
    if (report->given != NULL)
        put_given(out, defs, report->given);
    if (!has_process_grid(defs))
        put_process_grid(out, defs);
    put(out, "</topologies>\n</system>\n");
}

static const char *
version_of(const hd_defs *defs)
{
    for (uint32_t i = 0; i < defs->n_locations; i++)
        if (hd_defs_locations(defs)[i].type == HD_LOCATION_ACCELERATOR)
            return "4.7";
    return "4.4";
}

void
hd_anchor_write(hd_out_file *out, const hd_report *report, const hd_derivation *derivation, const hd_tree_order *order)
{
    const char *version = version_of(report->defs);

    format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"%s\">\n", version);
    put_attribute(out, "CubePL Version", "1.1");
    put_attribute(out, "Cube Version", version);
    put_attribute(out, "Creator", "Heddle " HEDDLE_VERSION);
    put_attribute(out, "CUBE_CT_AGGR", "SUM");
    for (size_t i = 0; i < report->n_attributes; i++)
        put_attribute(out, report->attributes[i].key, report->attributes[i].value);
    put(out, "<doc>\n<mirrors>\n"
             "<murl>http://apps.fz-juelich.de/scalasca/releases/scalasca/2.6/help/</murl>\n</mirrors>\n</doc>\n");
    put_metrics(out, derivation);
    put_program(out, report->defs, report->tree, order);
    put_system(out, report);
    put(out, "</cube>\n");
}
