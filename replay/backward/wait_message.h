/* replay/backward/wait_message.h: a waiting location notifies its delayer: how long, its time per call path since their
 * last common synchronization point before, and what the wait cost others further on. Inside of the replay only. Uses:
 * sync, core. MT: the worker's thread.
 * Ranks: local.
 */
#ifndef HD_WAIT_MESSAGE_H
#define HD_WAIT_MESSAGE_H

#include "backward_message.h"
#include "sync_store.h"

/* Of a wait at a point of the vproc, to this process, for this key (backward_message.h). If the critical path is here
 * it leaves the location. */
void hd_wait_send(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync,
                  uint32_t process, uint64_t key);
/* The message has come, to this worker: it is kept for the delayer, or, if that has passed the point, has no cause. */
void hd_wait_deliver(hd_replay_worker *rh, hd_worker *worker, const hd_wait_item *item,
                     const hd_backward_entry *entries);
/* The location that was waited for has no point that it could be attributed to: the wait has no cause. The critical
 * path stays here. */
void hd_wait_keep(hd_replay_worker *rh, hd_worker *worker, const hd_vproc *vproc, const hd_sync *sync);

#endif
