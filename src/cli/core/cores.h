/* src/cli/core/cores.h: how many replay threads a rank gets where the user does not say.
 * Uses: analysis_comm. MT: main thread only. Ranks: all, together.
 */
#ifndef HD_CORES_H
#define HD_CORES_H

#include "analysis_comm.h"

/* OMP_NUM_THREADS if it is set (the first level of a list); else the cores that the launcher gave this rank, divided by the
 * ranks of the node that were given the same ones. The smallest over all ranks, at least 1; the same on all of them. */
uint32_t hd_cores_n_threads(hd_analysis_comm *analysis_comm);

#endif
