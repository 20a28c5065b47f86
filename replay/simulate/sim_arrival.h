/* replay/simulate/sim_arrival.h: new times that dependencies get before their calls can be left.
 *
 * A dependency is known by its location and number. Times that arrive early stay with the worker.
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local; items go to other workers. Memory: 80 bytes per dependency
 * that has arrived and is not used yet.
 */
#ifndef HD_SIM_ARRIVAL_H
#define HD_SIM_ARRIVAL_H

#include "sim_state.h"

static inline void
hd_sim_times_later(hd_sim_times *times, const hd_sim_times *other)
{
    for (int k = 0; k < HD_SIM_LANES; k++)
        times->lane[k] = times->lane[k] > other->lane[k] ? times->lane[k] : other->lane[k];
}

/* The times for the dependency that the notice is of. */
void hd_sim_notify(hd_sim_worker *sw, hd_worker *worker, const hd_sim_notice *notice, const hd_sim_times *times);
void hd_sim_times_deliver(hd_sim_worker *sw, hd_worker *worker, const void *data);

/* The times for a dependency of a location of this worker. */
void hd_sim_arrive(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t dependency,
                   const hd_sim_times *times);

/* What has arrived for a dependency, NULL: nothing yet. Lent until hd_sim_take_back(). */
const hd_sim_times *hd_sim_arrived(const hd_sim_worker *sw, const hd_sim_location *location, uint32_t dependency);
void                hd_sim_take_back(hd_sim_worker *sw, const hd_sim_location *location, uint32_t dependency);

#endif
