/* replay/backward/pass_pair.h: points of messages, and of waits at windows (pass_point.h). */
#ifndef HD_PASS_PAIR_H
#define HD_PASS_PAIR_H

#include "sync_store.h"
#include "vproc.h"

/* A receive that waited for its sender, or a call at a window for another one's. */
bool hd_pass_receive(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                     const hd_sync *sync);
/* The completion of a send that waited for its receiver. */
bool hd_pass_sent(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                  const hd_sync *sync);
/* The other side of one of these. False: the vproc waits for the message. */
bool hd_pass_pair(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                  const hd_sync *sync);

#endif
