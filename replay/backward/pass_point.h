/* replay/backward/pass_point.h: what happens at a synchronization point when the backward replay comes to it, by kind
 * of point.
 *
 *   pass_pair.c         messages, and waits at windows
 *   pass_collective.c   collective operations, and what others waited for in them
 *   pass_team.c         teams of threads, and locks
 *   pass_point.c        the table
 *
 * Inside of the replay only. Uses: sync, core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_PASS_POINT_H
#define HD_PASS_POINT_H

#include "sync_store.h"
#include "vproc.h"

/* False: the vproc has to wait at this point. */
bool hd_pass_point(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                   const hd_sync *sync);

#endif
