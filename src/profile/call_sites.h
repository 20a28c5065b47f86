/* src/profile/call_sites.h: where the call paths of the unified tree are called, from those of each process.
 * Uses: analysis_comm, calltree, defs. Grows with: the unified tree, on rank 0.
 */
#ifndef HD_CALL_SITES_H
#define HD_CALL_SITES_H

#include "analysis_comm.h"
#include "calltree.h"
#include "defs.h"

typedef struct hd_process_sites { /* of a process, its maps as hd_calltree_unify() makes them */
    const uint32_t *sites;        /* [n] of its nodes, as hd_site_of_both() combines them; NULL: none is known */
    const uint32_t *map;          /* [n] its node -> that of the unified tree */
    uint32_t        n;
} hd_process_sites;

/* Ranks: all, together; n_paths, of the unified tree, is equal. MT: main thread only.
 * Result: rank 0: [n_paths], free() it; NULL on the others, and where no rank knows any. */
uint32_t *hd_call_sites_unify(hd_analysis_comm *analysis_comm, const hd_process_sites *processes, size_t n_processes,
                              uint32_t n_paths);

/* Of call paths of which the events say nothing: where all calling contexts of their region, in one of the region
 * around it, have one place, they are called there. sites: [tree->n], NULL: none is known; Result: the same, or made
 * where any is known now. Ranks: any. */
uint32_t *hd_call_sites_add_defined(uint32_t *sites, const hd_defs *defs, const hd_calltree *tree);

#endif
