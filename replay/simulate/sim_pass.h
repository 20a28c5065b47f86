/* replay/simulate/sim_pass.h: new times of all calls, for HD_SIM_LANES hypotheses at a time.
 *
 *   READY ──▶ enter: tell dependencies ──▶ all dependencies arrived? ──▶ leave ──▶ next call
 *                                              │ no: BLOCKED until hd_sim_arrive()
 *
 * At quiescence calls wait for each other in a circle: clocks or logs are damaged. The earliest one drops the
 * dependencies that have not arrived, in all lanes, and keeps its recorded length.
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local; items go to other workers.
 */
#ifndef HD_SIM_PASS_H
#define HD_SIM_PASS_H

#include "sim_state.h"

static inline void
hd_sim_times_later(hd_sim_times *times, const hd_sim_times *other)
{
    for (int k = 0; k < HD_SIM_LANES; k++)
        times->lane[k] = times->lane[k] > other->lane[k] ? times->lane[k] : other->lane[k];
}

void hd_sim_pass_start(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
/* Members that contribute nothing to an operation are there from the start; after all locations have started. */
void hd_sim_pass_contribute(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);

/* Of hd_analysis. context: the hd_sim. */
hd_run hd_sim_pass_run(void *context, hd_worker *worker, uint32_t location, hd_time until, hd_time *now);

/* The times that a dependency of a location of this worker is for. */
void hd_sim_arrive(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t dependency,
                   const hd_sim_times *times);
void hd_sim_times_deliver(hd_sim_worker *sw, hd_worker *worker, const void *data);

bool hd_sim_blocked_at(const void *sim, uint32_t location, hd_blocked *at);
void hd_sim_release(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
void hd_sim_pass_end(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);

#endif
