/* replay/simulate/sim_transfer.h: the equation of each call: how long it takes alone, and from each dependency to its
 * leave.
 *
 *   leave = max(enter + local, enter of each dependency + transfer)
 *
 * The recorded times show the one term that decided, which is taken exactly; the others come from fits, and are such
 * that they do not decide. So without a hypothesis every time is as recorded, to the tick.
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_SIM_TRANSFER_H
#define HD_SIM_TRANSFER_H

#include "sim_state.h"

static inline hd_sim_class
hd_sim_class_of(const hd_sim_dependency *dependency)
{
    return (hd_sim_class){ .kind = (hd_sim_kind)dependency->kind, .what = dependency->operation,
                           .is_same_node = dependency->is_same_node, .bytes = dependency->bytes,
                           .n_members = dependency->n_members };
}

/* A fit in the variant of the pass. */
hd_span hd_sim_varied(const hd_sim *sim, hd_span fit);

/* Calls that waited show a transfer. */
void hd_sim_observe_transfers(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
/* Calls that surely did not wait, by the fits of transfers, show how long they take alone. */
void hd_sim_observe_locals(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
/* With all fits: local and transfer of all calls, in the variant of the pass. */
void hd_sim_set_transfers(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);

#endif
