/* replay/forward/rma_active.h: active target synchronization: access and exposure epochs (post, start, complete, wait).
 *
 * MPI_Win_post and MPI_Win_complete send a notification to each process of the group; MPI_Win_start, MPI_Win_complete
 * and MPI_Win_wait receive those of their group. They travel as messages do (p2p.h). Definitions:
 * docs/metrics.md#one-sided. Inside of the replay only. Uses: core, sync. MT: the worker's thread. Ranks: local.
 * Errors: none; epochs without a counterpart, or not begun, are findings. Cost: O(1) per operation and notification.
 */
#ifndef HD_RMA_ACTIVE_H
#define HD_RMA_ACTIVE_H

#include "rma_window.h"

/* All are about the current operation of the vproc. */
void hd_rma_notify(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
bool hd_rma_receive_notification(hd_replay_worker *rh, hd_vproc *vproc); /* false: it is not there yet, the vproc
                                                                          * waits */
void hd_rma_begin_access(hd_rma_window *window, const hd_vproc *vproc);
void hd_rma_note_access(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window);
void hd_rma_end_access(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window);
void hd_rma_end_exposure(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window);

#endif
