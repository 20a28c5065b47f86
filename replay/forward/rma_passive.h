/* replay/forward/rma_passive.h: locks of windows, and targets that do not enter MPI: who waits for them.
 *
 * While the replay runs, lock epochs, and calls on locked targets, are left with the target's worker. Once all are
 * there, each target puts its epochs in the order of their releases, goes through its MPI calls, and replies to origins
 * what they waited for. Then each origin finds in its op log which call it was.
 *
 *   origin   ─ unlock ──lock epoch──▶ target ··end of the replay·· ──release before it──▶ origin: v, its call, waiting
 *            time
 *            ─ call ──enter, leave──▶ target ····················· ──next MPI call─────▶ origin: waiting time
 *
 * Definitions: docs/metrics.md#rma-lock-contention, #mpi_rma_sync_wait_for_progress. Inside of the replay only.
 * Uses: scheduler, profile. Owner: the replay. MT: the worker's thread. Ranks: local. Errors: none; an epoch that was
 * not begun is a finding of rma.c.
 * Memory: until the end about 23 bytes per lock epoch and 8 per call on a locked target, then, one target at a time, 16
 * per lock epoch and 16 per MPI call of the target. An epoch on all processes is left with each of their workers;
 * epochs at all only if a process locks the window exclusively.
 * Cost: O(1) per epoch and call, sorting at the end; of epochs on all processes those that overlap an exclusive one.
 */
#ifndef HD_RMA_PASSIVE_H
#define HD_RMA_PASSIVE_H

#include "rma_window.h"

/* The current operation is on a locked target: does its call wait for the target to enter MPI? is_access: it is a put,
 * get or atomic one */
void hd_rma_passive_call(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window,
                         bool is_access);
/* The current operation begins a lock epoch; ends one (a finding if there is none). */
void hd_rma_passive_lock(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window);
void hd_rma_passive_unlock(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window);
/* All replies of targets are there: the origin books its waits. */
void hd_rma_passive_book(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);

#endif
