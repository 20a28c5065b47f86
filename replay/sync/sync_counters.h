/* replay/sync/sync_counters.h: what counters counted in a call path between two synchronization points of a location,
 * from its counter log. Inside of the replay only. MT: the thread of the vproc, as each look-up leaves a hint for the
 * next one. Ranks: local. */
#ifndef HD_SYNC_COUNTERS_H
#define HD_SYNC_COUNTERS_H

#include "vproc.h"
#include "sync_store.h"

/* The points of the location are in order. */
void hd_sync_counters_make(hd_vproc *vproc);

/* Between the enters of two points (from HD_NONE: since the begin), in a call path of the unified tree: counted
 * [HD_COMPARED_MAX] out. False: nothing is known of it. Cost: O(log) of the call paths, and of the intervals with this
 * one. */
bool hd_sync_counters_get(const hd_vproc *vproc, uint32_t from, uint32_t to, uint32_t call_path, uint64_t *counted);

#endif
