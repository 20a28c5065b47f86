/* replay/forward/p2p.h: point-to-point messages: matches sends and receives, and counts them. What else is found there:
 * pattern_table.h.
 *
 * Inside of the replay only. Uses: scheduler, profile.
 * MT: the worker's thread. Ranks: local. Cost: O(1) per message, amortised; no allocation but where something grows.
 */
#ifndef HD_P2P_H
#define HD_P2P_H

#include "vproc.h"
#include "p2p_message.h"

/* Set-up, in this order, with the engine run to quiescence after each: every vproc's channels are announced; what is
 * announced but not expected is reported to the senders. */
void hd_p2p_announce(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
void hd_p2p_notify_of_unclaimed(hd_replay_worker *rh, hd_worker *worker);

void hd_p2p_send(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
/* False: the message is not there yet, the vproc waits. */
bool hd_p2p_receive(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
/* A message of our own on the channel of the current operation; false: it has no receive. */
bool hd_p2p_put(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_message *message);
/* The message for the current operation; hd_channel_queues_drop() it. NULL: it has none. False: it is not there yet,
 * the vproc waits. */
bool hd_p2p_take(hd_replay_worker *rh, hd_vproc *vproc, hd_queued_message **queued);
void hd_p2p_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data);

#endif
