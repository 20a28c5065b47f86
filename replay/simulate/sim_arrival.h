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

/* width, here and below: of the pass; callers that know it give a constant. place: not HD_NONE. */
static inline hd_span *
hd_sim_arrived_at(const hd_sim_worker *sw, uint32_t place, uint32_t width)
{
    return &sw->arrived[place / HD_SIM_CHUNK][place % HD_SIM_CHUNK * width];
}

/* What has arrived for a dependency, NULL: nothing yet. Lent until hd_sim_take_back(). */
static inline hd_span *
hd_sim_arrived(const hd_sim_worker *sw, const hd_sim_dependency *dependency, uint32_t width)
{
    return dependency->arrived == HD_NONE ? NULL : hd_sim_arrived_at(sw, dependency->arrived, width);
}

static inline void
hd_sim_take_back(hd_sim_worker *sw, hd_sim_dependency *dependency, uint32_t width)
{
    if (dependency->arrived == HD_NONE)
        return;
    *hd_sim_arrived_at(sw, dependency->arrived, width) = sw->unused;

    sw->unused          = dependency->arrived;
    dependency->arrived = HD_NONE;
}

void hd_sim_arrived_grow(hd_sim_worker *sw); /* all places are in use: some more */

/* The times for a dependency of a location of this worker. */
static inline __attribute__((always_inline)) void
hd_sim_arrive(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t number, const hd_span *times,
              uint32_t width)
{
    hd_sim_dependency *dependency = &location->dependencies[number];
    hd_span           *to;

    if (HD_UNLIKELY(number < location->i_dependency)) /* it was dropped */
        return;
    if (HD_LIKELY(dependency->arrived == HD_NONE)) {
        if (HD_UNLIKELY(sw->unused == HD_NONE))
            hd_sim_arrived_grow(sw);
        dependency->arrived = sw->unused;
        to                  = hd_sim_arrived_at(sw, sw->unused, width);
        sw->unused          = (uint32_t)*to;
        if (location->is_blocked) {
            location->n_missing -= number < location->i_dependency + location->n_current &&
                                   hd_sim_is_needed(sw->sim, dependency);
            if (location->n_missing == 0)
                hd_worker_wake(worker, location->number);
        }
    } else
        to = hd_sim_arrived_at(sw, dependency->arrived, width);
    hd_sim_lanes_copy(to, times, width);
}

/* The same for the dependency that the notice is of, which is of another worker. */
void hd_sim_notify_other(hd_sim_worker *sw, hd_worker *worker, const hd_sim_notice *notice, const hd_span *times);
void hd_sim_times_deliver(hd_sim_worker *sw, hd_worker *worker, const void *data);

/* The same for the dependency that the notice is of. */
static inline __attribute__((always_inline)) void
hd_sim_notify(hd_sim_worker *sw, hd_worker *worker, const hd_sim_notice *notice, const hd_span *times, uint32_t width)
{
    if (HD_LIKELY(notice->process == HD_NONE))
        hd_sim_arrive(sw, worker, &sw->sim->locations[notice->thread_what >> 2], notice->dependency, times, width);
    else
        hd_sim_notify_other(sw, worker, notice, times);
}

#endif
