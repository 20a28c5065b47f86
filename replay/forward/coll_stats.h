/* replay/forward/coll_stats.h: collective operations as instances of wait states, for the statistics (rh->statistics is
 * not NULL).
 *
 * An instance of a wait state is the whole operation. The parts of a worker's members are summed up, sent up the tree
 * of the communicator when those of the workers below are there, and counted at its root.
 *
 * Inside of the replay only. Uses: coll_rules, rma. MT: the worker's thread. Ranks: local. Memory: one sum for each
 * operation of which some worker below has not sent its part.
 */
#ifndef HD_COLL_STATS_H
#define HD_COLL_STATS_H

#include "coll_rules.h"
#include "rma_fence.h"

void hd_coll_stats_init(hd_coll_worker *coll);
void hd_coll_stats_fini(hd_coll_worker *coll);

/* Before the members of an operation are booked, and after it. */
void hd_coll_stats_begin(hd_replay_worker *rh);
void hd_coll_stats_end(hd_replay_worker *rh, hd_worker *worker, const hd_coll_instance *instance);

/* The waiting time and the completion time of a member; not of fences. */
void hd_coll_stats_member(const hd_coll_booking *booking);
void hd_coll_stats_fence(const hd_coll_booking *booking, const hd_rma_fence_waits *waits);

/* An item of kind HD_ITEM_COLL_WAITS. */
void hd_coll_stats_deliver(hd_replay_worker *rh, hd_worker *worker, const void *data);

#endif
