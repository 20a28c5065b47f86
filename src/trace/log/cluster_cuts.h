/* src/trace/log/cluster_cuts.h: to which clusters of iterations the time of each process belongs, for loading: call
 * paths at which iterations are get a node for each cluster (docs/metrics.md#clusters-in-the-call-tree).
 *
 * Uses: defs. Owner: who makes them; loading looks at them. MT: read only. Ranks: local; the way is the same on all.
 * Memory: 24 bytes per iteration and process.
 */
#ifndef HD_CLUSTER_CUTS_H
#define HD_CLUSTER_CUTS_H

#include "types.h"

typedef struct hd_cluster_piece { /* of time: an iteration, [enter, leave) */
    hd_time  enter, leave;
    uint32_t cluster; /* from 0 */
} hd_cluster_piece;

typedef struct hd_process_cuts {
    uint32_t                process;
    uint32_t                thread; /* of the process: whose call paths are cut */
    const hd_cluster_piece *pieces; /* [n] ascending, none begins before the one before it ends */
    size_t                  n;
} hd_process_cuts;

typedef struct hd_cluster_cuts {
    const uint32_t        *way; /* [n_way] regions of the call path below which clusters are, the root first; */
    uint32_t               n_way;
    uint32_t               region; /* or else its region: outermost instances of this one; HD_NONE: it is the way */
    const hd_process_cuts *of;     /* [n] ascending */
    size_t                 n;
} hd_cluster_cuts;

/* Those of a thread; NULL: it has none. cuts: NULL is fine. */
static inline const hd_process_cuts *
hd_cluster_cuts_find(const hd_cluster_cuts *cuts, uint32_t process, uint32_t thread)
{
    size_t low = 0, high = cuts != NULL ? cuts->n : 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (cuts->of[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    return cuts != NULL && low < cuts->n && cuts->of[low].process == process && cuts->of[low].thread == thread &&
           cuts->of[low].n > 0 ? &cuts->of[low] : NULL;
}

#endif
