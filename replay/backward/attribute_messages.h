/* replay/backward/attribute_messages.h: several waits for one point are attributed together, to intervals from the
 * point back to the last common synchronization point with each waiting location. Inside of the replay only. Uses:
 * sync, core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_ATTRIBUTE_MESSAGES_H
#define HD_ATTRIBUTE_MESSAGES_H

#include "backward_message.h"
#include "sync_store.h"

/* Finds the last common synchronization point with each sender, for the messages; n_intermediates of the vproc goes
 * down. compat:
 * --compat=scout26 (D3) */
void hd_attribution_find_previous(hd_vproc *vproc, uint32_t point, hd_backward_messages *all, bool compat);
/* Attributes the waits of all messages, whose `previous` and `until` are known, and takes the critical path in if it
 * comes with one of them. */
void hd_attribute_messages(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                           const hd_sync *sync, const hd_backward_messages *all);

#endif
