/* replay/forward/rma.h: one-sided communication: one operation of the op log.
 *
 *   fences and the like           collectives on the window (coll.h); rma_fence.h
 *   post, start, complete, wait   rma_active.h
 *   locks, progress               rma_passive.h at the origin, rma_target.h at the target, rma_messages.h between them
 *   of all                        rma_window.h
 *
 * Definitions: docs/metrics.md#one-sided. Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local.
 * Errors: none; epochs without a counterpart, or not begun, are findings. Cost: O(1) per operation and notification; in
 * lock epochs O(locks held).
 */
#ifndef HD_RMA_H
#define HD_RMA_H

#include "rma_active.h"

/* Whether an operation receives a notification, for which it may have to wait: hd_rma_receive_notification(). */
static inline bool
hd_rma_is_receive(const hd_op *op)
{
    return op->operation == HD_RMA_RECEIVE || op->operation == HD_RMA_NO_RECEIVE;
}

/* The current operation of the vproc, if it is another one. */
void hd_rma_op(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);

#endif
