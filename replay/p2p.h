/* replay/p2p.h: point-to-point messages: matching, Late Sender, wrong order, Late Receiver, counts.
 *
 * Definitions: docs/metrics.md#late-sender, #late-receiver, #wrong-order. Inside of the room only. Uses: scheduler, profile.
 * MT: the host's thread. Ranks: local. Cost: O(1) per message, amortised; no allocation but where something grows.
 */
#ifndef HD_P2P_H
#define HD_P2P_H

#include "agent.h"

/* Set-up, in this order, with the engine run to quiescence after each: every agent's channels are announced; what is announced
 * but not expected is told to the senders. */
void hd_p2p_announce(hd_replay_host *rh, hd_host *host, hd_agent *agent);
void hd_p2p_tell_unclaimed(hd_replay_host *rh, hd_host *host);

void hd_p2p_send(hd_replay_host *rh, hd_host *host, hd_agent *agent);
/* False: the message is not there yet, the agent waits. */
bool hd_p2p_receive(hd_replay_host *rh, hd_host *host, hd_agent *agent);
/* All records of the call at hand are done. */
void hd_p2p_leave(hd_replay_host *rh, hd_host *host, hd_agent *agent);
/* Nothing comes any more: what could only be decided at the end is booked. */
void hd_p2p_finish(hd_replay_host *rh, hd_host *host, hd_agent *agent);

void hd_p2p_deliver(hd_replay_host *rh, hd_host *host, uint32_t kind, const void *data);

#endif
