/* replay/sync/sync_vectors.h: time per call path from each point of a location to the next, from its interval log.
 *
 * The entries of the log become the vectors as they are, and points say where each begins: boundaries are the only
 * thing that is read. Time that is moved is put between them. Where many intervals lie between two points they are
 * added up. Not so where time has no call path, is moved on several sides of an interval, or is counted as scout 2.6
 * does it: then all are added up.
 * Inside of the replay only. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_SYNC_VECTORS_H
#define HD_SYNC_VECTORS_H

#include "vproc.h"
#include "sync_store.h"

/* The points of the location are in order, and not in the unified tree yet. limit: of elements in a vector, see
 * sync_time.h; 0: none. takes_log: the log's entries are not needed any more. */
void hd_sync_vectors_make(hd_replay_worker *rh, hd_vproc *vproc, uint32_t limit, bool takes_log);

#endif
