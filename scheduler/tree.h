/* scheduler/tree.h: along which hosts the values of a collective are combined.
 *
 * Members on one host combine first, then the hosts of a rank at that rank's leading host (its lowest thread that hosts
 * members), then the leading hosts along a binary tree over the ranks that host members. Every host computes its own place from the
 * placement, without communication; a communicator that lives on one host never leaves it. Uses: placement, base.
 * MT: the host's thread. Ranks: local. Cost of hd_tree_init(): linear in the members, once per communicator and host.
 */
#ifndef HD_TREE_H
#define HD_TREE_H

#include "placement.h"

typedef struct hd_tree {
    uint32_t  n_members;  /* on this host */
    uint32_t  n_children; /* hosts below this one */
    uint32_t *children;   /* [n_children] free() it with hd_tree_fini() */
    uint32_t  parent;     /* host above, HD_NONE: this is the root */
} hd_tree;

typedef struct hd_tree_scratch { /* of one host, used again for each tree */
    uint32_t *lead;              /* [n_ranks] lowest thread with members, HD_NONE: none */
    uint32_t *ranks;             /* [n_ranks] */
    uint32_t  n_ranks;
} hd_tree_scratch;

void hd_tree_scratch_init(hd_tree_scratch *scratch, uint32_t n_ranks);
void hd_tree_scratch_fini(hd_tree_scratch *scratch);

/* The place of `host` in the tree of the processes members[n_members] (HD_NONE in it: skipped), which has one on it. */
void hd_tree_init(hd_tree *tree, hd_tree_scratch *scratch, const hd_placement *placement, uint32_t host, const uint32_t *members,
                  uint32_t n_members);
void hd_tree_fini(hd_tree *tree);

#endif
