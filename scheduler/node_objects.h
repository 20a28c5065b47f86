/* scheduler/node_objects.h: what this node has: sockets, NUMA domains, cores (hwloc).
 *
 * Uses: nothing; hwloc.h only in node_objects.c. MT: main thread only. Ranks: local.
 */
#ifndef HD_NODE_OBJECTS_H
#define HD_NODE_OBJECTS_H

#include <stdbool.h>
#include <stdio.h>

/* A line for each object: kind (node, socket, numa, core), its number on the node, the system's numbers of its
 * processors, as in "socket 1 4-7,12-15"; also of those that this process may not use. Cost: about 1 ms, more of a
 * large node. false: hwloc cannot tell, and nothing is written. Errors of writing are the file's. */
bool hd_node_objects_write(FILE *file);

#endif
