/* src/record/launch/node_machine.h: keeps what the node of this process has in the raw folder (raw_layout.h).
 *
 * Uses: raw_layout, node_identity. MT: main thread only. Ranks: each on a node may call it at the same time.
 */
#ifndef HD_NODE_MACHINE_H
#define HD_NODE_MACHINE_H

#include <stdbool.h>
#include <stdio.h>

/* Writes "RAW/NODE.machine", once for each node: whoever is first. write: its lines; false: it cannot. Where there is
 * no such file, processes stand at their node. */
void hd_node_machine_write(const char *raw, bool (*write)(FILE *file));

#endif
