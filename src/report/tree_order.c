#include "tree_order.h"

#include "memory.h"
#include "status.h"

void
hd_tree_order_init(hd_tree_order *order, const uint32_t *parents, uint32_t n)
{
    order->parent       = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    order->first_child  = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    order->next_sibling = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    order->first_root   = HD_NONE;
    order->n            = n;
    memset(order->first_child, 0xFF, (size_t)n * sizeof(uint32_t)); /* HD_NONE */
    for (uint32_t i = n; i-- > 0;) { /* from behind: each becomes the first child so far */
        uint32_t *first;

        HD_ASSERT(parents[i] == HD_NONE || parents[i] < i);
        first                  = parents[i] == HD_NONE ? &order->first_root : &order->first_child[parents[i]];
        order->parent[i]       = parents[i];
        order->next_sibling[i] = *first;
        *first                 = i;
    }
}

void
hd_tree_order_fini(hd_tree_order *order)
{
    free(order->parent);
    free(order->first_child);
    free(order->next_sibling);
    *order = (hd_tree_order){ .first_root = HD_NONE };
}

void
hd_tree_walk_on(hd_tree_walk *walk)
{
    const hd_tree_order *order = walk->order;

    if (walk->down && order->first_child[walk->node] != HD_NONE)
        walk->node = order->first_child[walk->node];
    else if (walk->down)
        walk->down = false;
    else if (order->next_sibling[walk->node] != HD_NONE) {
        walk->node = order->next_sibling[walk->node];
        walk->down = true;
    } else
        walk->node = order->parent[walk->node];
}

void
hd_tree_order_list(const hd_tree_order *order, uint32_t *nodes)
{
    uint32_t n = 0;

    for (hd_tree_walk walk = { order, order->first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk))
        if (walk.down)
            nodes[n++] = walk.node;
    HD_ASSERT(n == order->n);
}
