/* replay/backward/backward.h: the backward replay: from waiting times to the delays that caused them, and the critical
 * path.
 *
 * Every location goes back over its synchronisation points. Where it waited, it notifies its delayer: how
 * long, its time per call path since their last common synchronization point, and what that wait cost others later on.
 * The delayer stops there until the messages of all waiting locations are there, and then attributes the waiting time:
 * to its own excess time per call path, and to its own waits before.
 *
 *   waiting side    ─ point ──item: wait, vector, costs──▶  delayer's messages
 *   delayer         ─ point: all items there? ──no──▶ blocked ──item──▶ ready
 *                        └──yes: attributes; reply: the indirect and the unattributed part──▶ waiting side
 *
 * backward_message.h is the messages, attribution.h what is done with a wait, path.h the critical path; here are the
 * points, kind by kind.
 * Definitions: docs/metrics.md#delay-costs, #critical-path. Inside of the replay only. Uses: profile, scheduler.
 * MT: the worker's thread. Ranks: local unless said otherwise.
 * Memory: messages under way and intervals in force, see there.
 */
#ifndef HD_BACKWARD_H
#define HD_BACKWARD_H

#include "backward_vproc.h"

void hd_backward_worker_init(hd_replay_worker *rh);
void hd_backward_worker_end(hd_replay_worker *rh); /* when all its vprocs are done; its vectors stay */
void hd_backward_worker_fini(hd_replay_worker *rh); /* nothing if it was not made */
/* Once, when hd_sync_build() is done with all vprocs of the worker. */
void hd_backward_start(hd_replay_worker *rh, hd_vproc *vproc);
hd_run hd_backward_run(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now);
void hd_backward_deliver(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes);

/* Whose point waits in vain, while the engine is not running: time of the point. */
bool hd_backward_waits(const hd_vproc *vproc, hd_time *time);
/* The point is passed with what has come. */
void hd_backward_release(hd_worker *worker, hd_vproc *vproc);
void hd_backward_fini(hd_replay_worker *rh, hd_vproc *vproc);

#endif
