/* src/cli/core/core_count.h: how many replay threads a rank gets where the user does not say.
 * Uses: analysis_comm. MT: main thread only. Ranks: all, together.
 */
#ifndef HD_CORE_COUNT_H
#define HD_CORE_COUNT_H

#include "analysis_comm.h"

/* OMP_NUM_THREADS if it is set (the first level of a list); else the cores that the launcher gave this rank, divided by
 * the ranks of the node that were given the same ones. The smallest over all ranks, at least 1; the same on all of
 * them. */
uint32_t hd_core_count_threads(hd_analysis_comm *analysis_comm);

#endif
