/* replay/forward/coll.h: collective operations, MPI_Init and MPI_Finalize, non-blocking collectives, fences.
 *
 * An instance is (communicator, blocking or not, number in it). Members never wait: each worker combines the values of
 * its own members, values go up the communicator's tree of workers and the result comes back down (reduction.h), and
 * then every member's waiting time is booked.
 *
 *   COLLECTING ──all members below──▶ up to the parent ──root: all of them──▶ DECIDED, down to all
 *                                           └──the earliest end of the members that synchronise is needed: what is
 *                                              known goes down, that end comes up (a second round), then DECIDED
 *
 *   coll_instance   what is combined        coll_book    what is booked of a member
 *   coll_rules      who waits for whom      coll_stats   instances for the statistics
 *
 * Definitions: docs/metrics.md#barrier and the sections after it. Inside of the replay only. Uses: scheduler, profile.
 * MT: the worker's thread. Ranks: local. Cost: O(1) per member, O(height of the tree) messages per instance.
 */
#ifndef HD_COLL_H
#define HD_COLL_H

#include "vproc.h"

/* Sets rh->coll; rh->replay and rh->scratch are set. hd_coll_finish() frees it. */
void hd_coll_init(hd_replay_worker *rh, hd_worker *worker);
/* The vproc's operation vproc->op: collective, non-blocking collective, MPI_Init or MPI_Finalize. */
void hd_coll_member(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
/* The vproc's process has no MPI_Init in its trace: it takes part from the beginning of the trace. */
void hd_coll_without_init(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
/* All records of the call are done, of a vproc that has an nbc_call. */
void hd_coll_leave(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
/* An item from HD_ITEM_COLL_UP to HD_ITEM_ACCESS_NOTIFICATION. */
void hd_coll_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data);
/* The forward replay is over: instances that lack members become findings. */
void hd_coll_finish(hd_replay_worker *rh);

#endif
