/* replay/simulate/sim_order.h: receives whose messages the new times send in another order. The order of matching stays
 * as recorded; had such a receive taken a message of any sender (MPI_ANY_SOURCE, MPI_Waitany), it could be another one
 * now. An archive does not say which did.
 *
 *   recorded    message of 1 sent, message of 2 sent     Recv: of 1     Recv: of 2, at the same call path
 *   simulated   message of 2 sent, message of 1 sent     their order could change
 *
 * A call counts, and the call before it at its call path, if the earliest message that it gets is sent before the
 * latest one of the call before, by another process, and was not in the recorded run. Calls that complete all of their
 * requests (MPI_Waitall) do not, nor do those of call paths where the recorded run shows that the program names the
 * sender: at least 3 times a message that had arrived before another one was sent was received after it.
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local, where nothing is said. Memory: a byte per call, 4 per call
 * path, 80 per call path that receives.
 */
#ifndef HD_SIM_ORDER_H
#define HD_SIM_ORDER_H

#include "sim_state.h"

/* Once transfers are known: flags calls that may get messages in another order; which call paths name senders, in
 * sw->n_directed. */
void hd_sim_order_find(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
/* The same of all. Ranks: all, together. MT: main thread only. */
void hd_sim_order_learn(hd_sim *sim);
/* Then: calls of these call paths are not flagged. */
void hd_sim_order_mark(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
void hd_sim_order_fini(hd_sim_location *location);

/* A pass begins. */
void hd_sim_order_start(const hd_sim *sim, hd_sim_location *location);
/* The call, which is flagged, has got its n dependencies. */
void hd_sim_order_see(hd_sim_worker *sw, hd_sim_location *location, size_t n);

/* Lanes in which the call waits for nobody: in the variant for that, calls whose order could change. */
static inline uint8_t
hd_sim_order_lanes(const hd_sim *sim, const hd_sim_location *location)
{
    return sim->variant != HD_SIM_ORDER || location->reordered == NULL ? 0 : location->reordered[location->i_call];
}

/* There they leave alone. */
static inline void
hd_sim_order_leave(const hd_sim *sim, const hd_sim_location *location, const hd_span *alone, hd_span *leave)
{
    uint8_t lanes = hd_sim_order_lanes(sim, location);

    for (uint32_t k = 0; lanes >> k != 0; k++)
        if ((lanes >> k & 1) != 0)
            leave[k] = alone[k];
}

#endif
