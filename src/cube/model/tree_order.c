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
    for (uint32_t i = n; i-- > 0;) { /* from the end: each becomes the first child so far */
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

typedef struct keyed_node {
    double   key;
    uint32_t node;
} keyed_node;

static int
compare_nodes(const void *a_, const void *b_)
{
    const keyed_node *a = a_, *b = b_;

    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

void
hd_tree_order_sort(hd_tree_order *order, const double *keys)
{
    keyed_node *siblings = HD_NEW_ARRAY(keyed_node, (size_t)order->n + 1);

    for (uint32_t i = 0; i < order->n; i++) {
        uint32_t *link = &order->first_child[i];
        size_t    n    = 0;

        for (uint32_t child = *link; child != HD_NONE; child = order->next_sibling[child])
            siblings[n++] = (keyed_node){ keys[child], child };
        qsort(siblings, n, sizeof *siblings, compare_nodes);
        for (size_t k = 0; k < n; k++) {
            *link = siblings[k].node;
            link  = &order->next_sibling[siblings[k].node];
        }
        *link = HD_NONE;
    }
    free(siblings);
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
