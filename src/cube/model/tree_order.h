/* src/cube/model/tree_order.h: a forest given by parents, to be walked from the roots down, siblings in the order of
 * their numbers, or of keys.
 *
 * Nothing here recurses: a damaged archive may have trees as deep as they are large.
 * Uses: base. Grows with: nodes, 12 bytes each. MT: read only after hd_tree_order_init(). Ranks: local.
 */
#ifndef HD_TREE_ORDER_H
#define HD_TREE_ORDER_H

#include "types.h"

typedef struct hd_tree_order {
    uint32_t *parent, *first_child, *next_sibling; /* [n]; HD_NONE: none */
    uint32_t  first_root, n;
} hd_tree_order;

/* parents: [n], copied; HD_NONE or smaller than the node's own number. */
void hd_tree_order_init(hd_tree_order *order, const uint32_t *parents, uint32_t n);
void hd_tree_order_fini(hd_tree_order *order);

/* Puts what is below one node in the order of descending keys, what is equal in that of numbers. Roots stay as they
 * are. keys: [n], no NaN. */
void hd_tree_order_sort(hd_tree_order *order, const double *keys);

/* The walk visits every node twice. Start: { order, order->first_root, true }.
 *   for (; walk.node != HD_NONE; hd_tree_walk_on(&walk)) if (walk.down) first time; else all below it was visited;
 */
typedef struct hd_tree_walk {
    const hd_tree_order *order;
    uint32_t             node;
    bool                 down;
} hd_tree_walk;

void hd_tree_walk_on(hd_tree_walk *walk);

/* nodes[i]: the i-th node of the depth-first order. [n], out. */
void hd_tree_order_list(const hd_tree_order *order, uint32_t *nodes);

#endif
