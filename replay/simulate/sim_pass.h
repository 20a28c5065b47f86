/* replay/simulate/sim_pass.h: new times of all calls, for HD_SIM_LANES hypotheses at a time.
 *
 *   READY ──▶ enter: tell dependencies ──▶ all dependencies arrived? ──▶ leave ──▶ next call
 *                                              │ no: BLOCKED until they do (sim_arrival.h)
 *
 * At quiescence calls wait for each other in a circle: clocks or logs are damaged. The earliest one drops the
 * dependencies that have not arrived, in all lanes, and keeps its recorded length.
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local; items go to other workers.
 */
#ifndef HD_SIM_PASS_H
#define HD_SIM_PASS_H

#include "sim_state.h"

void hd_sim_pass_start(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
/* Members that contribute nothing to an operation are there from the start; after all locations have started. */
void hd_sim_pass_contribute(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);

/* Of hd_analysis. context: the hd_sim. */
hd_run hd_sim_pass_run(void *context, hd_worker *worker, uint32_t location, hd_time until, hd_time *now);

bool hd_sim_blocked_at(const void *sim, uint32_t location, hd_blocked *at);
void hd_sim_release(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
void hd_sim_pass_end(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);

#endif
