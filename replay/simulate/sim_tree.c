/* replay/simulate/sim_tree.c: pairs of members and how often they entered in which order. */
#include "sim_tree.h"

#include <stdlib.h>

#include "memory.h"
#include "sim_fit.h"

enum { LEAST_LATER = 3, RANK_BITS = HD_SIM_RANK_BITS, OTHER_BITS = 6, SIZE_BITS = 7 };

/* operation | size | members | rank that waits | other; the first four. */
static uint64_t
key_of_waiter(const hd_sim_pair *pair)
{
    return ((((uint64_t)pair->operation << SIZE_BITS | pair->size) << RANK_BITS | pair->n_members) << RANK_BITS |
            pair->waiter) << OTHER_BITS;
}

hd_sim_pair
hd_sim_pair_operation(uint64_t key)
{
    return (hd_sim_pair){ .n_members = (uint32_t)(key >> (RANK_BITS + OTHER_BITS)) & ((1u << RANK_BITS) - 1),
                          .size      = (uint32_t)(key >> (2 * RANK_BITS + OTHER_BITS)) & ((1u << SIZE_BITS) - 1),
                          .operation = (uint32_t)(key >> (2 * RANK_BITS + OTHER_BITS + SIZE_BITS)) };
}

void
hd_sim_tree_add(hd_sim_tree *tree, const hd_sim_pair *pair, bool had_left)
{
    uint32_t other;
    uint64_t key;
    bool     is_new;

    if (!hd_sim_pair_other(pair, &other))
        return;
    key = key_of_waiter(pair) | other;
    ++*hd_map_add(&tree->later, key, &is_new);
    if (had_left)
        ++*hd_map_add(&tree->left, key, &is_new);
}

void
hd_sim_tree_fini(hd_sim_tree *tree)
{
    hd_map_fini(&tree->later);
    hd_map_fini(&tree->left);
    *tree = (hd_sim_tree){ 0 };
}

/* ---- over all ranks ---------------------------------------------------------------------------------------------- */

typedef struct sim_pair_count {
    uint64_t key, n_later, n_left;
} sim_pair_count;

static int
compare_pairs(const void *a_, const void *b_)
{
    const sim_pair_count *a = a_, *b = b_;

    return a->key < b->key ? -1 : a->key > b->key;
}

/* counts: [n] sorted. */
static void
choose(hd_sim_learned *learned, const sim_pair_count *counts, size_t n)
{
    size_t capacity = 0;

    for (size_t i = 0; i < n;) {
        sim_pair_count sum = { .key = counts[i].key };

        for (; i < n && counts[i].key == sum.key; i++) {
            sum.n_later += counts[i].n_later;
            sum.n_left += counts[i].n_left;
        }
        if (sum.n_later >= LEAST_LATER && sum.n_left == 0)
            HD_PUSH(learned->keys, learned->n, capacity, sum.key);
    }
}

void
hd_sim_learned_of(hd_sim_learned *learned, hd_analysis_comm *analysis_comm, hd_sim_tree *const *trees, uint32_t n)
{
    sim_pair_count *own   = NULL;
    size_t          n_own = 0, capacity = 0;
    uint8_t        *all   = NULL;
    uint64_t       *bytes = NULL, n_keys;
    bool            is_first = hd_analysis_comm_rank(analysis_comm).v == 0;

    *learned = (hd_sim_learned){ 0 };
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; trees[i]->later.slots != NULL && k <= trees[i]->later.mask; k++) {
            const hd_map_slot *slot = &trees[i]->later.slots[k];
            const uint64_t    *left;

            if (slot->key == HD_MAP_FREE)
                continue;
            left = hd_map_get(&trees[i]->left, slot->key);
            HD_PUSH(own, n_own, capacity, ((sim_pair_count){ slot->key, slot->value, left != NULL ? *left : 0 }));
        }
    hd_analysis_comm_gather(analysis_comm, own, n_own * sizeof *own, &all, &bytes);
    if (is_first && all != NULL) {
        sim_pair_count *counts = (sim_pair_count *)(void *)all;
        size_t          n_all  = 0;

        for (uint32_t i = 0; i < hd_analysis_comm_size(analysis_comm); i++)
            n_all += bytes[i] / sizeof *counts;
        if (n_all > 0)
            qsort(counts, n_all, sizeof *counts, compare_pairs);
        choose(learned, counts, n_all);
    }
    n_keys = learned->n;
    hd_analysis_comm_broadcast(analysis_comm, &n_keys, sizeof n_keys, (hd_arank){ 0 });
    if (!is_first)
        learned->keys = HD_NEW_ARRAY(uint64_t, n_keys);
    learned->n = n_keys;
    hd_analysis_comm_broadcast(analysis_comm, learned->keys, learned->n * sizeof *learned->keys, (hd_arank){ 0 });
    free(own);
    free(all);
    free(bytes);
}

void
hd_sim_learned_fini(hd_sim_learned *learned)
{
    free(learned->keys);
    *learned = (hd_sim_learned){ 0 };
}

uint64_t
hd_sim_learned_others(const hd_sim_learned *learned, const hd_sim_pair *pair)
{
    uint64_t first = key_of_waiter(pair), others = 0;
    size_t   low = 0, high = learned->n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (learned->keys[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < learned->n && learned->keys[low] >> OTHER_BITS == first >> OTHER_BITS; low++)
        others |= UINT64_C(1) << (learned->keys[low] & ((1u << OTHER_BITS) - 1));
    return others;
}
