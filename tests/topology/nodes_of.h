/* tests/topology/nodes_of.h: definitions of processes on nodes with names, for tests of files about them.
 * The tree is flat: process i stands at node i / per_node. */
#ifndef NODES_OF_H
#define NODES_OF_H

#include <stdio.h>

#include "defs.h"

enum { MAX_NODES = 8, MAX_PROCESSES = 32 };

typedef struct nodes_of {
    hd_defs        defs;
    hd_process_def processes[MAX_PROCESSES];
    hd_system_node nodes[MAX_NODES];
    char           texts[256];
} nodes_of;

static nodes_of
nodes_of_names(uint32_t n_processes, uint32_t per_node, const char *const *names)
{
    nodes_of all  = { .defs = { .n_processes = n_processes, .n_mpi_processes = n_processes,
                                .n_nodes = (n_processes + per_node - 1) / per_node,
                                .processes = offsetof(nodes_of, processes), .nodes = offsetof(nodes_of, nodes),
                                .texts = offsetof(nodes_of, texts) } };
    uint32_t used = 1;

    for (uint32_t i = 0; i < n_processes; i++)
        all.processes[i].node = i / per_node;
    for (uint32_t i = 0; i < all.defs.n_nodes; i++) {
        all.nodes[i] = (hd_system_node){ .parent = HD_NONE, .name = used };
        used += (uint32_t)snprintf(all.texts + used, sizeof all.texts - used, "%s", names[i]) + 1;
    }
    return all;
}

#endif
