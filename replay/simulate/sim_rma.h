/* replay/simulate/sim_rma.h: what calls of one-sided communication depend on; fences and windows are collective
 * operations (sim_collectives.h).
 *
 *   MPI_Win_wait      the enter of MPI_Win_complete of each origin
 *   access epoch      the enter of MPI_Win_post of each target: the call of the epoch that waited for it, else
 *                     MPI_Win_complete
 *   lock epoch        the enter of the unlock of the epoch that held the lock before, if one of them is exclusive: the
 *                     first call of the epoch that was left after its release
 *   access, flush, lock, unlock of a lock epoch
 *                     the next enter of the target into MPI, where it was not in a call, unless the archive shows that
 *                     it needs not be there
 *
 *   exchange   notifications go to the other side, epochs and calls to the target
 *   match      notifications are matched; targets put epochs in order, and look up when they entered MPI
 *   settle     what targets found goes to the origins
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local, where nothing is said; items go to other workers.
 * Memory: while the model is made 64 bytes per notification, 48 per lock epoch with its target, 40 per call there.
 */
#ifndef HD_SIM_RMA_H
#define HD_SIM_RMA_H

#include "sim_state.h"

/* Which windows have exclusive locks; before the exchange. Ranks: all, together. MT: main thread only. */
void hd_sim_rma_prepare(hd_sim *sim);

/* A record of the location, once all calls of its process are known. */
void hd_sim_rma_found(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location,
                      const hd_sim_record *record);
/* kind: HD_SIM_ITEM_LOCK_EPOCH, HD_SIM_ITEM_ACCESS, HD_SIM_ITEM_OWNER. */
void hd_sim_rma_deliver(hd_sim_worker *sw, uint32_t kind, const void *data);

/* Once all has arrived: for each location, then for the worker. */
void hd_sim_rma_match(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
void hd_sim_rma_look_up(hd_sim_worker *sw);

/* Whether calls wait for targets. Ranks: all, together. MT: main thread only. */
void hd_sim_rma_learn(hd_sim *sim);

void hd_sim_rma_settle(hd_sim_worker *sw, hd_worker *worker);

#endif
