/* src/record/launch/node_machine.h: what the node of this process has: sockets, NUMA domains, cores (hwloc).
 *
 * hwloc is in heddle record only, and not in the program: that tells no more than numbers of processors.
 * Uses: raw_layout, node_identity. MT: main thread only. Ranks: each on a node may call it at the same time.
 */
#ifndef HD_NODE_MACHINE_H
#define HD_NODE_MACHINE_H

/* Writes "RAW/NODE.machine", once for each node: whoever is first. Cost: some ms, of a large node some tens. Where it
 * cannot, there is none, and processes stand at their node. */
void hd_node_machine_write(const char *raw);

#endif
