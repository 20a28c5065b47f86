/* replay/sync_time.h: time per call path between two synchronisation points of a location.
 * Definition: docs/metrics.md#time-vectors. Inside of the room only. MT: the host's thread. Ranks: local.
 * Cost: of hd_sync_time_add() the points between the two, of the others their logarithm, times the call paths.
 */
#ifndef HD_SYNC_TIME_H
#define HD_SYNC_TIME_H

#include "sync.h"
#include "time_vector.h"

/* Makes the sums over many points, once the vectors are there. */
void hd_sync_time_index(hd_time_vector *vector, hd_syncs *syncs);

/* Adds the time from the enter of point `from` to that of `to`. With `limit` > 0 as scout 2.6 does it: whenever a call path is
 * one too many, the smallest element is left out (D23). */
void hd_sync_time_add(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit);
typedef struct hd_sync_rules {
    uint32_t limit;    /* as above */
    bool     extended; /* WAITED points inside count as waiting */
} hd_sync_rules;

/* That time alone without the waits at the points inside, none negative. Returns the sum of the waits. */
hd_span hd_sync_time_net(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules);
/* That, with the completion time alone of the call of `from`: what the location can be blamed for. */
hd_span hd_sync_time_pruned(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules);

#endif
