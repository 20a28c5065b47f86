/* src/cli/commands/topology_choice.c: finds a topology by its name, and makes those that no report has. */
#include "topology_choice.h"

#include <stdlib.h>
#include <string.h>

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
    else if (hd_topology_is_grid(name))
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
