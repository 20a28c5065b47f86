/* scheduler/reduction_tree.h: along which workers the values of a collective are combined.
 *
 * Members on one worker combine first, then the workers of a rank at that rank's leading worker (its lowest thread that
 * owns members), then the leading workers along a binary tree over the ranks that own members. Every worker computes
 * its own place from the placement, without communication; a communicator that lives on one worker never leaves it.
 * Uses: placement, base.
 * MT: the worker's thread. Ranks: local. Cost of hd_reduction_tree_init(): linear in the members, once per communicator
 * and worker.
 */
#ifndef HD_REDUCTION_TREE_H
#define HD_REDUCTION_TREE_H

#include "placement.h"

typedef struct hd_reduction_tree {
    uint32_t  n_members;  /* on this worker */
    uint32_t  n_children; /* workers below this one */
    uint32_t *children;   /* [n_children] free() it with hd_reduction_tree_fini() */
    uint32_t  parent;     /* worker above, HD_NONE: this is the root */
} hd_reduction_tree;

typedef struct hd_reduction_tree_scratch { /* of one worker, used again for each tree */
    uint32_t *lead;              /* [n_ranks] lowest thread with members, HD_NONE: none */
    uint32_t *ranks;             /* [n_ranks] */
    uint32_t  n_ranks;
} hd_reduction_tree_scratch;

void hd_reduction_tree_scratch_init(hd_reduction_tree_scratch *scratch, uint32_t n_ranks);
void hd_reduction_tree_scratch_fini(hd_reduction_tree_scratch *scratch);

/* The place of `worker` in the tree of the processes members[n_members] (HD_NONE in it: skipped), which has one on
 * it. */
void hd_reduction_tree_init(hd_reduction_tree *tree, hd_reduction_tree_scratch *scratch, const hd_placement *placement,
                            uint32_t worker, const uint32_t *members,
                            uint32_t n_members);
void hd_reduction_tree_fini(hd_reduction_tree *tree);

#endif
