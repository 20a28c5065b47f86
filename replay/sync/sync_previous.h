/* replay/sync/sync_previous.h: the previous common synchronization point of a location and the peers of each of its
 * points.
 *
 *   pairs, members      the latest point with the process
 *   delayer of a        one for each member that waited for it: points after the one in common with all members are
 *                       kept
 *   collective          as hd_sync_intermediate of the collective
 *   threads             the latest point of the team; of idle time the last join
 *
 * Definition: docs/metrics.md#delay-costs. Inside of the replay only. Uses: core. MT: the worker's thread. Ranks:
 * local.
 */
#ifndef HD_SYNC_PREVIOUS_H
#define HD_SYNC_PREVIOUS_H

#include "vproc.h"
#include "sync_store.h"

/* Around all vprocs of a worker. Memory in between: 12 bytes per process of the application, 32 per communicator. */
void hd_sync_previous_begin(hd_replay_worker *rh);
void hd_sync_previous_end(hd_replay_worker *rh);

/* Points are in order, waiters are sorted. */
void hd_sync_find_previous(hd_replay_worker *rh, hd_vproc *vproc);

void hd_sync_waiters_sort(hd_syncs *syncs);
/* Processes that waited for this root in this collective, once points are built. They wrote to the root's process, so
 * they stand with its first thread. Lent: [n]. */
const hd_sync_waiter *hd_sync_waiters(const hd_vproc *vproc, const hd_sync *sync, size_t *n);

#endif
