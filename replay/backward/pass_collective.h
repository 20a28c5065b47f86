/* replay/backward/pass_collective.h: points of collective operations (pass_point.h). */
#ifndef HD_PASS_COLLECTIVE_H
#define HD_PASS_COLLECTIVE_H

#include "sync_store.h"
#include "vproc.h"

/* A member. False: it is the one that was waited for, and waits for the messages of the others. */
bool hd_pass_collective(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                        const hd_sync *sync);
/* Others waited for this in a prefix reduction, for its part of a non-blocking collective, or for a lock. False: it
 * waits for their messages. */
bool hd_pass_awaited(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                     const hd_sync *sync);
/* Such a wait. */
bool hd_pass_waited(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                    const hd_sync *sync);

#endif
