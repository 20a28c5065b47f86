#include "calltree.h"

#include "memory.h"
#include "table.h"

/* A node on its way to the unified tree: where it occurs first decides its number. */
typedef struct unified_node {
    uint32_t parent, region;    /* parent: index in the same array, smaller than its own; HD_NONE: a root */
    uint32_t process, position; /* the smallest process that has it, and its position in that process's tree */
} unified_node;

typedef struct node_set {
    unified_node *nodes;
    size_t        n, capacity;
    hd_table      index; /* parent and region -> node */
} node_set;

static uint64_t
key_of(uint32_t parent, uint32_t region)
{
    return (uint64_t)parent << 32 | region;
}

static uint32_t
find_or_add(node_set *set, unified_node node)
{
    uint64_t      key   = key_of(node.parent, node.region);
    uint32_t      i     = hd_table_get(&set->index, key);
    unified_node *known = i != HD_NONE ? &set->nodes[i] : NULL;

    if (known == NULL) {
        HD_ASSERT(set->n < HD_NONE);
        i = (uint32_t)set->n;
        hd_table_add(&set->index, key, i);
        HD_PUSH(set->nodes, set->n, set->capacity, node);
    } else if (node.process < known->process || (node.process == known->process && node.position < known->position)) {
        known->process  = node.process;
        known->position = node.position;
    }
    return i;
}

static void
add_process(node_set *set, const hd_process_tree *tree, uint32_t *map)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t parent = tree->nodes[i].parent;

        HD_ASSERT(parent == HD_NONE || parent < i);
        map[i] = find_or_add(set, (unified_node){ .parent   = parent == HD_NONE ? HD_NONE : map[parent],
                                                      .region   = tree->nodes[i].region,
                                                      .process  = tree->process.v,
                                                      .position = i });
    }
}

static void
add_nodes(node_set *set, const unified_node *nodes, size_t n, uint32_t *map)
{
    for (size_t i = 0; i < n; i++) {
        unified_node node = nodes[i];

        if (node.parent != HD_NONE)
            node.parent = map[node.parent];
        map[i] = find_or_add(set, node);
    }
}

static void
node_set_fini(node_set *set)
{
    free(set->nodes);
    hd_table_fini(&set->index);
}

static void
merge_trees(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    node_set  set     = { 0 };
    size_t   n_lower = lower->n / sizeof(unified_node);
    size_t   n_upper = upper->n / sizeof(unified_node);
    uint32_t *map    = HD_NEW_ARRAY(uint32_t, (n_lower > n_upper ? n_lower : n_upper) + 1);

    (void)context;
    hd_table_init(&set.index);
    add_nodes(&set, (const unified_node *)(const void *)lower->data, n_lower, map);
    add_nodes(&set, (const unified_node *)(const void *)upper->data, n_upper, map);

    lower->n = 0;
    hd_bytes_put(lower, set.nodes, set.n * sizeof(unified_node));
    node_set_fini(&set);
    free(map);
}

typedef struct order_key {
    uint32_t process, position, node;
} order_key;

static int
compare_keys(const void *a, const void *b)
{
    const order_key *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* A parent is in every process that has its child, and before it there: sorting leaves parents before children. */
static void
put_in_order(const unified_node *nodes, uint32_t n, hd_call_path *ordered)
{
    order_key *keys   = HD_NEW_ARRAY(order_key, (size_t)n + 1);
    uint32_t  *number = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);

    for (uint32_t i = 0; i < n; i++)
        keys[i] = (order_key){ .process = nodes[i].process, .position = nodes[i].position, .node = i };
    qsort(keys, n, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < n; i++)
        number[keys[i].node] = i;
    for (uint32_t i = 0; i < n; i++) {
        const unified_node *node = &nodes[keys[i].node];

        ordered[i] = (hd_call_path){ .parent = node->parent == HD_NONE ? HD_NONE : number[node->parent],
                                     .region = node->region };
        HD_ASSERT(ordered[i].parent == HD_NONE || ordered[i].parent < i);
    }
    free(keys);
    free(number);
}

/* Overwrites the nodes' provisional numbers in maps by those of the unified tree. */
static void
map_to(const hd_calltree *tree, const node_set *set, size_t n_trees, const hd_process_tree *trees, uint32_t **maps)
{
    uint32_t *number = HD_NEW_ARRAY(uint32_t, set->n + 1);
    hd_table  index;

    hd_table_init(&index);
    for (uint32_t i = 0; i < tree->n; i++)
        hd_table_add(&index, key_of(tree->nodes[i].parent, tree->nodes[i].region), i);
    for (size_t i = 0; i < set->n; i++) {
        const unified_node *node = &set->nodes[i];

        number[i] = hd_table_get(&index,
                                 key_of(node->parent == HD_NONE ? HD_NONE : number[node->parent], node->region));
        HD_ASSERT(number[i] != HD_NONE);
    }
    for (size_t i = 0; i < n_trees; i++)
        for (uint32_t j = 0; j < trees[i].n; j++)
            maps[i][j] = number[maps[i][j]];
    hd_table_fini(&index);
    free(number);
}

void
hd_calltree_unify(hd_analysis_comm *analysis_comm, const hd_process_tree *trees, size_t n_trees, hd_calltree *tree,
                  uint32_t **maps)
{
    node_set local  = { 0 };
    hd_bytes folded = { 0 };
    uint64_t n      = 0;

    hd_table_init(&local.index);
    for (size_t i = 0; i < n_trees; i++) {
        maps[i] = HD_NEW_ARRAY(uint32_t, (size_t)trees[i].n + 1);
        add_process(&local, &trees[i], maps[i]);
    }

    hd_bytes_put(&folded, local.nodes, local.n * sizeof(unified_node));
    hd_analysis_comm_fold(analysis_comm, &folded, merge_trees, NULL);
    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        n = folded.n / sizeof(unified_node);
    hd_analysis_comm_broadcast(analysis_comm, &n, sizeof n, (hd_arank){ 0 });
    tree->n     = (uint32_t)n;
    tree->nodes = HD_NEW_ARRAY(hd_call_path, n + 1);
    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        put_in_order((const unified_node *)(const void *)folded.data, tree->n, tree->nodes);
    hd_analysis_comm_broadcast(analysis_comm, tree->nodes, n * sizeof *tree->nodes, (hd_arank){ 0 });

    map_to(tree, &local, n_trees, trees, maps);
    node_set_fini(&local);
    free(folded.data);
}

void
hd_calltree_fini(hd_calltree *tree)
{
    free(tree->nodes);
    *tree = (hd_calltree){ 0 };
}
