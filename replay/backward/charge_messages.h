/* replay/backward/charge_messages.h: several waits for one point are charged together, to intervals back to where each of the waiting locations
 * was met before. Inside of the replay only. Uses: sync, core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_CHARGE_MESSAGES_H
#define HD_CHARGE_MESSAGES_H

#include "backward_message.h"

/* Where the vproc met each sender before, into the messages; n_intermediates of the vproc goes down. compat:
 * --compat=scout26 (D3) */
void hd_charge_find_previous(hd_vproc *vproc, uint32_t point, hd_backward_messages *all, bool compat);
/* Charges all messages, whose `previous` and `until` are known, and takes the critical path in if it comes with one of
 * them. */
void hd_charge_messages(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_backward_messages *all);

#endif
