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

enum { HD_SIM_TREE_ALL = 64 };

typedef struct hd_sim_pair { /* of members of an operation */
    uint32_t operation, n_members, size; /* size: power of two of the bytes for each member */
    uint32_t waiter, other;              /* ranks relative to the root */
} hd_sim_pair;

typedef struct hd_sim_tree { /* of a worker; zeros: empty */
    hd_map later, left; /* key of a pair -> instances in which the other one entered later; of them, in which the first
                         * one had left */
} hd_sim_tree;

/* False: the pair is none that is looked at. */
bool hd_sim_pair_key(const hd_sim_pair *pair, uint64_t *key);
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
bool hd_sim_learned_has(const hd_sim_learned *learned, const hd_sim_pair *pair);

/* The operation of a key; its ranks are not set. */
hd_sim_pair hd_sim_pair_operation(uint64_t key);

#endif
