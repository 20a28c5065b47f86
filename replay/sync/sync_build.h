/* replay/sync/sync_build.h: the points of a location in order, where each met its peer before, and the time per call path between them.
 * Inside of the replay only. Uses: core. MT: the host's thread. Ranks: local.
 */
#ifndef HD_SYNC_BUILD_H
#define HD_SYNC_BUILD_H

#include "agent.h"

/* Around hd_sync_build() of all agents of a host. Memory in between: 4 bytes per process of the application. */
void hd_sync_build_begin(hd_replay_host *rh);
void hd_sync_build_end(hd_replay_host *rh);

/* Takes all that was collected, and reads the interval log. limit: of elements in a vector, see sync_time.h; 0: none. */
void hd_sync_build(hd_replay_host *rh, hd_agent *agent, uint32_t limit);

/* Processes that waited for this root in this collective, once points are built. They wrote to the root's process, so they stand with its
 * first thread. Lent: [n]. */
const hd_sync_waiter *hd_sync_waiters(const hd_agent *agent, const hd_sync *sync, size_t *n);

#endif
