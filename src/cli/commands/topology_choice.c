/* src/cli/commands/topology_choice.c: finds a topology by its name, and makes those that no report has. */
#include "topology_choice.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "closest.h"
#include "defs.h"
#include "memory.h"

/* Nodes that have processes, and the processes of each in the order of the report: all threads of one stand at one
 * place. */
void
hd_topology_make_nodes(const hd_cube *cube, hd_cube_topology *nodes)
{
    uint32_t *number = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_nodes + 1); /* from 1 on; 0: none yet */
    uint32_t *slots  = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_nodes + 1);
    uint32_t *slot   = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_groups + 1); /* from 1 on */

    *nodes = (hd_cube_topology){ .name = HD_TOPOLOGY_NODES, .dimensions = HD_NEW_ARRAY(hd_cube_dimension, 2),
                                 .n_dimensions = 2, .rows = HD_NEW_ARRAY(uint32_t, 3 * (size_t)cube->n_locations + 1) };
    nodes->dimensions[0] = (hd_cube_dimension){ .name = "Node" };
    nodes->dimensions[1] = (hd_cube_dimension){ .name = "Slot", .size = 1 };
    for (uint32_t i = 0; i < cube->n_locations; i++) {
        const hd_cube_location *location = &cube->locations[i];
        uint32_t               *row      = nodes->rows + 3 * nodes->n_rows++;

        if (number[location->node] == 0)
            number[location->node] = ++nodes->dimensions[0].size;
        if (slot[location->group] == 0)
            slot[location->group] = ++slots[location->node];
        if (nodes->dimensions[1].size < slots[location->node])
            nodes->dimensions[1].size = slots[location->node];
        row[0] = i;
        row[1] = number[location->node] - 1;
        row[2] = slot[location->group] - 1;
    }
    if (nodes->n_rows == 0)
        nodes->dimensions[0].size = 1;
    free(number);
    free(slots);
    free(slot);
}

/* ---- parts of nodes ---------------------------------------------------------------------------------------------- */

enum { SOCKET, NUMA, CORE, N_PARTS };

static uint32_t
part_of(const hd_cube_node *node)
{
    static const struct {
        const char *class_name;
        uint32_t    part;
    } classes[] = { { "socket", SOCKET }, { "package", SOCKET }, { "numa", NUMA }, { "numanode", NUMA },
                    { "core", CORE } };

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcasecmp(node->class_name, classes[i].class_name) == 0)
            return classes[i].part;
    return N_PARTS;
}

typedef struct parts { /* a process's: nodes of the system tree, HD_NONE: it is at no such part */
    uint32_t at[N_PARTS];
} parts;

static parts
parts_of(const hd_cube *cube, const hd_cube_group *group)
{
    parts found = { { HD_NONE, HD_NONE, HD_NONE } };

    for (uint32_t i = group->parent; i != HD_NONE && i != group->node; i = cube->nodes[i].parent) {
        uint32_t part = part_of(&cube->nodes[i]);

        if (part < N_PARTS && found.at[part] == HD_NONE)
            found.at[part] = i;
    }
    return found;
}

/* Those that all processes have which are at any; a process that is at none is not on the topology. */
static bool
find_common(const hd_cube *cube, bool *is_common)
{
    bool is_any = false;

    memset(is_common, true, N_PARTS);
    for (uint32_t i = 0; i < cube->n_groups; i++) {
        parts found = parts_of(cube, &cube->groups[i]);
        bool  has   = false;

        for (uint32_t part = 0; part < N_PARTS; part++)
            has |= found.at[part] != HD_NONE;
        for (uint32_t part = 0; part < N_PARTS && has; part++)
            is_common[part] &= found.at[part] != HD_NONE;
        is_any |= has;
    }
    for (uint32_t part = 0; part < N_PARTS; part++)
        is_common[part] &= is_any;
    return is_common[SOCKET] || is_common[NUMA] || is_common[CORE];
}

/* Of each node of the system tree how many-th it is of its kind in its parent; of a node of processes the how many-th
 * of the report. */
static uint32_t *
number_nodes(const hd_cube *cube, const bool *is_common)
{
    uint32_t *numbers = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_nodes + 1), n_nodes = 0;
    uint32_t *counts  = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_nodes * N_PARTS + 1);
    bool     *is_node = HD_NEW_ARRAY(bool, (size_t)cube->n_nodes + 1);

    for (uint32_t i = 0; i < cube->n_groups; i++)
        is_node[cube->groups[i].node] = true;
    for (uint32_t i = 0; i < cube->n_nodes; i++) {
        uint32_t part = part_of(&cube->nodes[i]), around = cube->nodes[i].parent;

        while (around != HD_NONE && !is_node[around] &&
               (part_of(&cube->nodes[around]) == N_PARTS || !is_common[part_of(&cube->nodes[around])]))
            around = cube->nodes[around].parent;
        if (is_node[i])
            numbers[i] = n_nodes++;
        else if (part < N_PARTS && around != HD_NONE)
            numbers[i] = counts[around * N_PARTS + part]++;
    }
    free(is_node);
    free(counts);
    return numbers;
}

/* row: behind the number of the location. Returns the place in the system tree, HD_NONE: the process is not on it. */
static uint32_t
place_process(const hd_cube *cube, const hd_cube_group *group, const bool *is_common, const uint32_t *numbers,
              uint32_t *row)
{
    parts    found = parts_of(cube, group);
    uint32_t place = group->node;

    *row++ = numbers[group->node];
    for (uint32_t part = 0; part < N_PARTS; part++) {
        if (!is_common[part])
            continue;
        place = found.at[part];
        if (place == HD_NONE)
            break;
        *row++ = numbers[place];
    }
    return place;
}

/* All locations; the last dimension is for processes that stand at one place. */
static void
fill_machine(const hd_cube *cube, const bool *is_common, hd_cube_topology *made)
{
    uint32_t *numbers = number_nodes(cube, is_common), n = made->n_dimensions;
    uint32_t *slots   = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_nodes + 1);
    uint32_t *slot    = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_groups + 1); /* from 1 on */

    for (uint32_t i = 0; i < cube->n_locations; i++) {
        uint32_t *row   = made->rows + made->n_rows * (1 + (size_t)n), group = cube->locations[i].group;
        uint32_t  place = place_process(cube, &cube->groups[group], is_common, numbers, row + 1);

        if (place == HD_NONE)
            continue;
        if (slot[group] == 0)
            slot[group] = ++slots[place];
        row[0] = i;
        row[n] = slot[group] - 1;
        made->n_rows++;
        for (uint32_t j = 0; j < n; j++)
            if (made->dimensions[j].size <= row[1 + j])
                made->dimensions[j].size = row[1 + j] + 1;
    }
    free(slot);
    free(slots);
    free(numbers);
}

bool
hd_topology_make_machine(const hd_cube *cube, hd_cube_topology *made)
{
    static const char *const names[N_PARTS] = { "Socket", "NUMA", "Core" };
    bool                     is_common[N_PARTS];

    if (!find_common(cube, is_common))
        return false;
    *made = (hd_cube_topology){ .name       = HD_TOPOLOGY_MACHINE,
                                .dimensions = HD_NEW_ARRAY(hd_cube_dimension, 2 + N_PARTS) };
    made->dimensions[made->n_dimensions++] = (hd_cube_dimension){ .name = "Node", .size = 1 };
    for (uint32_t part = 0; part < N_PARTS; part++)
        if (is_common[part])
            made->dimensions[made->n_dimensions++] = (hd_cube_dimension){ .name = names[part], .size = 1 };
    made->dimensions[made->n_dimensions++] = (hd_cube_dimension){ .name = "Slot", .size = 1 };
    made->rows = HD_NEW_ARRAY(uint32_t, (1 + (size_t)made->n_dimensions) * ((size_t)cube->n_locations + 1));
    fill_machine(cube, is_common, made);
    return true;
}

/* ---- grids ------------------------------------------------------------------------------------------------------- */

/* "grid:4x2", "torus:4x2": processes in the order of their ranks, the last dimension fastest, as MPI_Cart_create()
 * without reordering has them. */
static hd_status
make_grid(const hd_cube *cube, const char *name, hd_cube_topology *grid)
{
    const char *text  = strchr(name, ':') + 1;
    uint64_t    n     = 1;

    *grid = (hd_cube_topology){ .name = name, .dimensions = HD_NEW_ARRAY(hd_cube_dimension, HD_CUBE_DIMENSIONS_MAX) };
    for (;;) {
        char         *end;
        unsigned long size = strtoul(text, &end, 10);

        if (end == text || *text == '-' || size == 0 || size > HD_VIEW_CELLS_MAX || (*end != '\0' && *end != 'x') ||
            grid->n_dimensions == HD_CUBE_DIMENSIONS_MAX)
            return hd_fail(HD_EUSAGE, "--name: \"%s\" is not of the form " HD_TOPOLOGY_GRID "4x4 or "
                           HD_TOPOLOGY_TORUS "8x8x8", name);
        grid->dimensions[grid->n_dimensions++] =
            (hd_cube_dimension){ .name = "", .size = (uint32_t)size, .is_periodic = name[0] == 't' };
        n = n <= HD_VIEW_CELLS_MAX ? n * size : n;
        if (*end == '\0')
            break;
        text = end + 1;
    }
    for (uint32_t i = 0; i < cube->n_locations; i++)
        if (cube->locations[i].process >= n)
            return hd_fail(HD_EUSAGE, "%s has %" PRIu64 " coordinates, and there is a process %" PRIu32, name, n,
                           cube->locations[i].process);
    grid->rows = HD_NEW_ARRAY(uint32_t, (1 + (size_t)grid->n_dimensions) * cube->n_locations + 1);
    for (uint32_t i = 0; i < cube->n_locations; i++) {
        uint32_t *row   = grid->rows + (1 + (size_t)grid->n_dimensions) * i;
        uint32_t  place = cube->locations[i].process;

        row[0] = i;
        for (uint32_t j = grid->n_dimensions; j > 0; j--) {
            row[j] = place % grid->dimensions[j - 1].size;
            place /= grid->dimensions[j - 1].size;
        }
    }
    grid->n_rows = cube->n_locations;
    return HD_OK;
}

void
hd_topology_made_fini(hd_cube_topology *made)
{
    free(made->dimensions);
    free(made->rows);
}

static hd_status
no_such_topology(const hd_cube *cube, const char *name)
{
    const char **names = HD_NEW_ARRAY(const char *, (size_t)cube->n_topologies + 1);
    const char  *closest;

    for (uint32_t i = 0; i < cube->n_topologies; i++)
        names[i] = cube->topologies[i].name;
    closest = hd_closest(name, names, cube->n_topologies);
    hd_fail(HD_EUSAGE, "report \"%s\" has no topology \"%s\"", cube->path, name);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    hd_fail_detail("try", "heddle topology --list %s", cube->path);
    free(names);
    return HD_EUSAGE;
}

bool
hd_topology_is_grid(const char *name)
{
    return strncmp(name, HD_TOPOLOGY_GRID, strlen(HD_TOPOLOGY_GRID)) == 0 ||
           strncmp(name, HD_TOPOLOGY_TORUS, strlen(HD_TOPOLOGY_TORUS)) == 0;
}

/* made: what nodes or a grid are put in. */
hd_status
hd_topology_find(const hd_cube *cube, const char *name, hd_cube_topology *made, const hd_cube_topology **found)
{
    const hd_cube_topology *grid = NULL;

    *found = NULL;
    for (uint32_t i = 0; i < cube->n_topologies && *found == NULL; i++) {
        const hd_cube_topology *topology = &cube->topologies[i];

        if (name != NULL ? strcmp(topology->name, name) == 0 : strcmp(topology->name, HD_PROCESS_GRID) != 0)
            *found = topology;
        else if (strcmp(topology->name, HD_PROCESS_GRID) == 0 && grid == NULL)
            grid = topology;
    }
    if (*found == NULL && name == NULL)
        *found = grid;
    if (*found != NULL)
        return HD_OK;
    *found = made;
    if (name == NULL || strcmp(name, HD_TOPOLOGY_NODES) == 0)
        hd_topology_make_nodes(cube, made);
    else if (strcmp(name, HD_TOPOLOGY_MACHINE) == 0) {
        if (!hd_topology_make_machine(cube, made)) {
            hd_fail(HD_EUSAGE, "report \"%s\" does not say on which sockets or cores processes ran", cube->path);
            hd_fail_detail("try", "--name " HD_TOPOLOGY_NODES);
            return HD_EUSAGE;
        }
    } else if (hd_topology_is_grid(name))
        return make_grid(cube, name, made);
    else
        return no_such_topology(cube, name);
    return HD_OK;
}

void
hd_topology_describe(const hd_cube_topology *topology, hd_view *view)
{
    *view = (hd_view){ .name = topology->name, .n_dimensions = topology->n_dimensions };
    for (uint32_t i = 0; i < topology->n_dimensions; i++)
        view->dimensions[i] = (hd_view_dimension){ .name = hd_cube_dimension_name(topology, i),
                                                   .size = topology->dimensions[i].size,
                                                   .is_periodic = topology->dimensions[i].is_periodic };
}

static bool
has_topology(const hd_cube *cube, const char *name)
{
    for (uint32_t i = 0; i < cube->n_topologies; i++)
        if (strcmp(cube->topologies[i].name, name) == 0)
            return true;
    return false;
}

/* The one that heddle analyze looked at messages on; NULL: none, it is not there, or it is another tool's report. */
const char *
hd_topology_of_analysis(const hd_cube *cube)
{
    for (uint32_t i = 0; i < cube->n_attributes; i++) {
        const hd_cube_attribute *attribute = &cube->attributes[i];

        if (strcmp(attribute->key, "Heddle::Topology") == 0 &&
            (has_topology(cube, attribute->value) || hd_topology_is_grid(attribute->value)))
            return attribute->value;
    }
    return NULL;
}
