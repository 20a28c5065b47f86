/* replay/simulate/sim_arrival.h: new times that dependencies get before their calls can be left.
 *
 * A dependency knows where its new times are: a place in the worker's chunks, used again once its call is left.
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local; items go to other workers. Memory: 8 bytes per lane and
 * dependency that has arrived and is not used yet.
 */
#ifndef HD_SIM_ARRIVAL_H
#define HD_SIM_ARRIVAL_H

#include "sim_state.h"

enum { HD_SIM_CHUNK = 256 };

void hd_sim_arrived_init(hd_sim_worker *sw);
void hd_sim_arrived_fini(hd_sim_worker *sw);

/* The times for the dependency that the notice is of. */
void hd_sim_notify(hd_sim_worker *sw, hd_worker *worker, const hd_sim_notice *notice, const hd_span *times);
void hd_sim_times_deliver(hd_sim_worker *sw, hd_worker *worker, const void *data);

/* The times for a dependency of a location of this worker. */
void hd_sim_arrive(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t dependency,
                   const hd_span *times);

/* place: not HD_NONE. */
static inline hd_span *
hd_sim_arrived_at(const hd_sim_worker *sw, uint32_t place)
{
    return &sw->arrived[place / HD_SIM_CHUNK][place % HD_SIM_CHUNK * sw->sim->width];
}

/* What has arrived for a dependency, NULL: nothing yet. Lent until hd_sim_take_back(). */
static inline hd_span *
hd_sim_arrived(const hd_sim_worker *sw, const hd_sim_dependency *dependency)
{
    return dependency->arrived == HD_NONE ? NULL : hd_sim_arrived_at(sw, dependency->arrived);
}

static inline void
hd_sim_take_back(hd_sim_worker *sw, hd_sim_dependency *dependency)
{
    if (dependency->arrived == HD_NONE)
        return;
    *hd_sim_arrived_at(sw, dependency->arrived) = sw->unused;

    sw->unused          = dependency->arrived;
    dependency->arrived = HD_NONE;
}

#endif
