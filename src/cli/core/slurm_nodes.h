/* src/cli/core/slurm_nodes.h: cores and memory of the nodes of a Slurm partition, as sinfo says.
 *
 * Uses: base. MT: main thread only. Ranks: local.
 */
#ifndef HD_SLURM_NODES_H
#define HD_SLURM_NODES_H

#include "types.h"

typedef struct hd_slurm_nodes {
    char     partition[64];
    uint32_t cores;        /* of a node, without hardware threads; of different nodes the fewest */
    uint64_t memory_bytes; /* likewise the least that a job can have */
    bool     differ;       /* not all nodes have the same */
} hd_slurm_nodes;

/* Runs sinfo, if there is one. partition: a name without blanks or special characters; NULL: the default one.
 * Returns whether it has answered; else nodes is as it was. */
bool hd_slurm_nodes_ask(const char *partition, hd_slurm_nodes *nodes);

#endif
