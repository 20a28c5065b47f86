/* replay/forward/rma.h: one-sided communication: epochs of windows, and who waits in them.
 *
 *   fences and the like   collectives on the window, see coll.h. An origin leaves what it did at each target since the fence before with the
 *                         target's host: a deposit. Combined values say how many deposits each host has to wait for.
 *   post, start, complete, wait   rma_active.h
 *   locks, progress       rma_passive.h, rma_target.h
 *
 * Definitions: docs/metrics.md#one-sided. Inside of the room only. Uses: scheduler, profile. Owner: the agent. MT: the
 * host's thread.
 * Ranks: local. Errors: none; epochs without a counterpart, or not begun, are findings.
 * Memory: 56 bytes per target of a window that a location uses, 40 per operation of an open access epoch, 24 per
 * deposit under way; 4 per host, once a location ends a lock epoch on all processes. Cost: O(1) per operation and
 * notice; in lock epochs O(locks held).
 */
#ifndef HD_RMA_H
#define HD_RMA_H

#include "agent.h"

/* The agent's operation at hand; false: it has to wait for a notice. */
bool hd_rma_op(hd_replay_host *rh, hd_host *host, hd_agent *agent);

#endif
