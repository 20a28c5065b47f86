/* replay/advice/path_cost.h: what an analysis found at each call path, as far as it says what to try.
 * Uses: replay/core. MT: main thread only. Memory: 40 bytes per call path.
 */
#ifndef HD_PATH_COST_H
#define HD_PATH_COST_H

#include "analysis_comm.h"
#include "calltree.h"
#include "defs.h"
#include "pattern.h"

typedef struct hd_path_cost { /* [ticks] */
    uint64_t time;      /* in the call path alone, of all locations */
    uint64_t longest;   /* of the location that is longest in it */
    uint64_t critical;  /* on the critical path, the call path alone */
    uint64_t delay;     /* delay costs, short- and long-term, the call path and what is below it */
    int64_t  imbalance; /* time on the critical path beyond that of the average location, likewise; not below 0 */
} hd_path_cost;

/* Of computation (hd_is_computation()), and the time of all other call paths. [tree->n], free() it; the same on all
 * ranks. locations: [n_locations] of this rank. Ranks: all, together. */
hd_path_cost *hd_path_costs_new(hd_analysis_comm *analysis_comm, const hd_defs *defs, const hd_calltree *tree,
                                const hd_location_result *locations, uint32_t n_locations);

#endif
