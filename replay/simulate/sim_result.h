/* replay/simulate/sim_result.h: from locations to the results of all ranks. Inside of the component only. */
#ifndef HD_SIM_RESULT_H
#define HD_SIM_RESULT_H

#include "sim_state.h"

/* Ranks: all, together. MT: main thread only. */
void hd_sim_result_start(hd_sim *sim, size_t n_hypotheses, hd_simulate_result *result);
/* A pass is over, whose first hypothesis is that of the number. */
void hd_sim_result_take(hd_sim *sim, hd_simulate_result *result);
/* How far its run times are off with other fits, of which the pass has lanes; 0: of a pass in another variant. */
void hd_sim_result_vary(const hd_sim *sim, hd_simulate_result *result, uint32_t fits);
void hd_sim_result_finish(hd_sim *sim, hd_simulate_result *result);

#endif
