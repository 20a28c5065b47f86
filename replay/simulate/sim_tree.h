/* replay/simulate/sim_tree.h: whom members of operations with a root wait for besides the root, learned of the archive.
 *
 * MPI libraries move data along trees, so inner members wait for their children. A pair of ranks relative to the root
 * is a dependency if the first one, in operations of the same kind, number of members and size class, entered earlier
 * at LEAST_LATER instances or more, and never left before the other one entered. With more than HD_SIM_TREE_ALL members
 * only pairs are looked at that differ by a power of two.
 *
 * Uses: analysis_comm. Memory: 32 bytes per pair and worker, 8 per dependency then.
 */
#ifndef HD_SIM_TREE_H
#define HD_SIM_TREE_H

#include "analysis_comm.h"
#include "map.h"
#include "sim_fit.h"

enum { HD_SIM_TREE_ALL = 64, HD_SIM_RANK_BITS = 20 };

typedef struct hd_sim_pair { /* of members of an operation */
    uint32_t operation, n_members, size; /* size: power of two of the bytes for each member */
    uint32_t waiter, other;              /* ranks relative to the root */
} hd_sim_pair;

typedef struct hd_sim_tree { /* of a worker; zeros: empty */
    hd_map later, left; /* key of a pair -> instances in which the other one entered later; of them, in which the first
                         * one had left */
} hd_sim_tree;

/* What distinguishes the other one, below 64: its rank, or how far it is, log2 << 1 | whether it is below. False: the
 * pair is none that is looked at. */
static inline bool
hd_sim_pair_other(const hd_sim_pair *pair, uint32_t *other)
{
    uint32_t distance = pair->other > pair->waiter ? pair->other - pair->waiter : pair->waiter - pair->other;

    *other = pair->other;
    if (pair->n_members <= HD_SIM_TREE_ALL)
        return true;
    if (distance == 0 || (distance & (distance - 1)) != 0) /* 0: a rank is there twice, as in damaged archives */
        return false;
    *other = (hd_sim_power(distance) - 1) << 1 | (pair->other < pair->waiter);
    return pair->n_members < 1u << HD_SIM_RANK_BITS;
}
/* An instance in which the other member entered later. */
void hd_sim_tree_add(hd_sim_tree *tree, const hd_sim_pair *pair, bool had_left);
void hd_sim_tree_fini(hd_sim_tree *tree);

typedef struct hd_sim_learned {
    uint64_t *keys; /* [n] of pairs that are dependencies, ascending */
    size_t    n;
} hd_sim_learned;

/* trees: [n] of this rank. Ranks: all, together. MT: main thread only. */
void hd_sim_learned_of(hd_sim_learned *learned, hd_analysis_comm *analysis_comm, hd_sim_tree *const *trees, uint32_t n);
void hd_sim_learned_fini(hd_sim_learned *learned);
/* On whom the waiter of the pair depends, in operations like it: bits by hd_sim_pair_other(). */
uint64_t hd_sim_learned_others(const hd_sim_learned *learned, const hd_sim_pair *pair);

/* The operation of a key; its ranks are not set. */
hd_sim_pair hd_sim_pair_operation(uint64_t key);

#endif
