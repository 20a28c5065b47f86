/* src/profile/calltree.h: the unified call tree.
 *
 * Nodes are numbered in the order "everything of process 0 in order of first occurrence, then what process 1 adds,
 * ..."; a parent's number is smaller than its children's. A report keeps this order among siblings. Definition:
 * docs/metrics.md#call-paths. Uses: analysis_comm. Grows with: distinct call paths of the whole trace; every rank has a
 * copy.
 * MT: read only, any thread, except where a line says otherwise. Ranks: local unless it says otherwise.
 */
#ifndef HD_CALLTREE_H
#define HD_CALLTREE_H

#include "call_path.h"
#include "analysis_comm.h"
#include "types.h"

typedef struct hd_calltree {
    hd_call_path *nodes; /* [n] */
    uint32_t      n;
} hd_calltree;

/* One process's call paths, numbered in the order of their first occurrence in it, parents before children. */
typedef struct hd_process_tree {
    hd_process          process;
    const hd_call_path *nodes; /* [n], parent: index in the same array */
    uint32_t            n;
} hd_process_tree;

/* Unifies the trees of all processes.
 *   trees   [n_trees], those that this rank hosts, ascending by process; each process is on one rank
 *   tree    out: the unified tree, the same on all ranks; hd_calltree_fini() it
 *   maps    [n_trees] out: maps[i][j] is the unified number of node j of trees[i]; free() each
 * Ranks: all, together. MT: main thread only. Cost: linear in the nodes handed in, plus the unified tree per rank. */
void hd_calltree_unify(hd_analysis_comm *analysis_comm, const hd_process_tree *trees, size_t n_trees, hd_calltree *tree,
                       uint32_t **maps);
void hd_calltree_fini(hd_calltree *tree);

#endif
