/* scheduler/node_objects.c: asks hwloc, and writes a line for each object. */
#include "node_objects.h"

#include <stdlib.h>

#include "node_topology.h"

/* The numbers are those of the whole node, also where this process may use a part of it only. */
static bool
read_node(hwloc_topology_t *topology)
{
    if (!hd_node_topology_init(HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED, topology))
        return false;
    if (hwloc_topology_load(*topology) == 0)
        return true;
    hwloc_topology_destroy(*topology);
    return false;
}

bool
hd_node_objects_write(FILE *file)
{
    static const struct {
        hwloc_obj_type_t type;
        const char      *name;
    } kinds[] = { { HWLOC_OBJ_MACHINE, "node" }, { HWLOC_OBJ_PACKAGE, "socket" }, { HWLOC_OBJ_NUMANODE, "numa" },
                  { HWLOC_OBJ_CORE, "core" } };
    hwloc_topology_t topology;

    if (!read_node(&topology))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (hwloc_obj_t it = NULL; (it = hwloc_get_next_obj_by_type(topology, kinds[i].type, it)) != NULL;) {
            char *processors = NULL;

            if (hwloc_bitmap_list_asprintf(&processors, it->cpuset) > 0)
                fprintf(file, "%s %u %s\n", kinds[i].name, it->logical_index, processors);
            free(processors);
        }
    hwloc_topology_destroy(topology);
    return true;
}
