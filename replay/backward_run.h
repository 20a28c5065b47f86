/* replay/backward_run.h: the backward replay, from the points of the forward replay to delay costs and the critical
 * path. Inside of the replay only. Uses: backward, sync, core; forward_run. MT: main thread only. Ranks: all, together.
 */
#ifndef HD_BACKWARD_RUN_H
#define HD_BACKWARD_RUN_H

#include "vproc.h"

/* After hd_forward_run(). False: it was stopped. */
bool hd_backward_replay(hd_replay *replay, hd_engine *engine);

#endif
