/* scheduler/node_topology.c: leaves out of hwloc what costs time and tells nothing of processors. */
#include "node_topology.h"

#include <stdlib.h>

/* hwloc's plugins (displays, OpenCL, PCI, where a distribution has them) know nothing about processors, but loading
 * them and the libraries that they need is more than nine tenths of the work, so this asks for none. The variable is
 * set for the one call that reads it. */
static int
init_without_plugins(hwloc_topology_t *topology)
{
    const char *variable = "HWLOC_PLUGINS_PATH";
    bool        ours     = getenv(variable) == NULL && setenv(variable, "/dev/null", 0) == 0;
    int         result   = hwloc_topology_init(topology);

    if (ours)
        unsetenv(variable);
    return result;
}

bool
hd_node_topology_init(unsigned long flags, hwloc_topology_t *topology)
{
    if (init_without_plugins(topology) != 0)
        return false;
    hwloc_topology_set_all_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    /* With packages cores are numbered as lstopo does; without groups all NUMA domains of a package would seem to be
     * one. */
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
#if HWLOC_API_VERSION >= 0x00020800
    flags |= HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS;
#endif
#if defined __linux__ && HWLOC_API_VERSION >= 0x00020100
    /* It would visit every processor, and knows nothing that the kernel did not say. */
    hwloc_topology_set_components(*topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#endif
    if (hwloc_topology_set_flags(*topology, flags) == 0)
        return true;
    hwloc_topology_destroy(*topology);
    return false;
}
