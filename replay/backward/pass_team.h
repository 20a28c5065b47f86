/* replay/backward/pass_team.h: points of teams of threads (pass_point.h). */
#ifndef HD_PASS_TEAM_H
#define HD_PASS_TEAM_H

#include "sync_store.h"
#include "vproc.h"

/* A barrier. False: the last thread waits for messages, or with --compat=scout26 another one for a reply. */
bool hd_pass_barrier(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                     const hd_sync *sync);
/* A parallel region: the critical path goes on on the thread that forked. False: that one waits for messages. */
bool hd_pass_parallel(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                      const hd_sync *sync);
/* Since the last join other threads had nothing to do: what this one did made them wait. */
bool hd_pass_idle(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                  const hd_sync *sync);

#endif
