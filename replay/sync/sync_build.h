/* replay/sync/sync_build.h: the points of a location in order, the previous common point of each with its peer, and the
 * time per call path between them.
 * Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_SYNC_BUILD_H
#define HD_SYNC_BUILD_H

#include "vproc.h"
#include "sync_store.h"

/* Between hd_sync_previous_begin() and _end(). Takes all that was collected, and reads the interval log. limit: of
 * elements in a vector, see sync_time.h; 0: none. */
void hd_sync_build(hd_replay_worker *rh, hd_vproc *vproc, hd_sync_room *room, uint32_t limit);

#endif
