/* scheduler/node_topology.h: a topology of hwloc that is asked for processors only.
 *
 * Uses: hwloc. MT: main thread only, before there are others. Ranks: local.
 */
#ifndef HD_NODE_TOPOLOGY_H
#define HD_NODE_TOPOLOGY_H

#include <hwloc.h>
#include <stdbool.h>

/* To be loaded: it will have packages, NUMA domains, cores, hardware threads and groups; no caches, no devices, no
 * distances. flags: further HWLOC_TOPOLOGY_FLAG_. topology: out; free it by hwloc_topology_destroy(). false: hwloc
 * cannot make one. */
bool hd_node_topology_init(unsigned long flags, hwloc_topology_t *topology);

#endif
