/* replay/forward/coll_book.h: what a decided collective operation is to a member: waiting time and completion time,
 * delay costs and synchronisation points, findings.
 *
 * Inside of the replay only. Uses: coll_rules, coll_stats. MT: the worker's thread. Ranks: local. Cost: that of the
 * rule.
 */
#ifndef HD_COLL_BOOK_H
#define HD_COLL_BOOK_H

#include "coll_stats.h"

/* Books all members of this worker. The instance is decided, its members agree on what it is, and its notifications are
 * sorted. */
void hd_coll_book(hd_replay_worker *rh, hd_worker *worker, hd_coll_instance *instance);

/* One of the collectives that a call completes is booked, or the call itself is over. Takes the call back with the last
 * one. */
void hd_coll_put_back_nbc_call(hd_replay_worker *rh, hd_worker *worker, hd_nbc_call *call);

/* A fence on a window that each process has for itself, in the vproc's call. */
void hd_coll_book_fence_alone(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);

#endif
