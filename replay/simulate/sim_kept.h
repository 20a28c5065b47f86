/* replay/simulate/sim_kept.h: time that keeps its recorded length though others may decide it: what is not simulated.
 * Inside of the component only. */
#ifndef HD_SIM_KEPT_H
#define HD_SIM_KEPT_H

#include "sim_state.h"

/* Adds that of this rank. MT: main thread only. Ranks: local. */
void hd_sim_kept_add(const hd_sim *sim, hd_sim_counts *counts);

#endif
