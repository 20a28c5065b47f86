/* replay/forward/coll.h: collective operations, MPI_Init and MPI_Finalize, non-blocking collectives.
 *
 * An instance is (communicator, blocking or not, number in it). Members never wait: each host collects its own, combined values
 * go up the communicator's tree of hosts and the result comes back down, and then every member's waiting time is booked.
 *
 *   COLLECTING ──all members below──▶ up to the parent ──root: all of them──▶ DECIDED, down to all
 *                                           └──N-to-N that overlaps in part: T goes down, the earliest end among those who
 *                                              synchronise comes up (a second round), then DECIDED
 *
 * Only combined values are sent; their size does not depend on the size of the communicator, but for prefix reductions, where
 * the steps at which the latest begin grows with the rank are kept (sorted begins: as many as members), and fences, where each host that
 * deposits are left with has a number (as many as hosts).
 * Definitions: docs/metrics.md#barrier and the sections after it. Inside of the room only. Uses: scheduler, profile.
 * MT: the host's thread. Ranks: local. Cost: O(1) per member, O(height of the tree) mail per instance.
 */
#ifndef HD_COLL_H
#define HD_COLL_H

#include "agent.h"

/* The agent's operation at hand (collective, non-blocking collective, init, finalize). */
void hd_coll_member(hd_replay_host *rh, hd_host *host, hd_agent *agent);
/* The agent's process has no MPI_Init in its trace: it takes part from the beginning of the trace. */
void hd_coll_without_init(hd_replay_host *rh, hd_host *host, hd_agent *agent);
/* All records of the call at hand are done. */
void hd_coll_leave(hd_replay_host *rh, hd_host *host, hd_agent *agent);
void hd_coll_deliver(hd_replay_host *rh, hd_host *host, uint32_t kind, const void *data);
/* Nothing comes any more: instances that miss members become findings; everything is freed. */
void hd_coll_finish(hd_replay_host *rh);

#endif
