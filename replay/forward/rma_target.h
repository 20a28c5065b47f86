/* replay/forward/rma_target.h: the target of passive target synchronization replies to origins whom they waited for.
 *
 * When the forward replay is over, a target puts the lock epochs that were left for it in the order of their releases,
 * looks where it was in MPI, and replies. Definitions: docs/metrics.md#rma-lock-contention,
 * #mpi_rma_sync_wait_for_progress. Inside of the replay only. Uses: core.
 * MT: the worker's thread. Ranks: local. Memory: one target at a time, 16 bytes per epoch, then 16 per call.
 */
#ifndef HD_RMA_TARGET_H
#define HD_RMA_TARGET_H

#include "vproc.h"

/* targets [n]: all of the worker, of each process the first thread. */
void hd_rma_target_reply(hd_replay_worker *rh, hd_worker *worker, hd_vproc *const *targets, size_t n);

#endif
