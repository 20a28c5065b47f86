/* replay/forward_run.h: the forward replay, from the set-up of channels to the last wait state.
 * Inside of the replay only. Uses: forward, sync, core. MT: main thread only. Ranks: all, together.
 */
#ifndef HD_FORWARD_RUN_H
#define HD_FORWARD_RUN_H

#include "vproc.h"

/* To the end of all op logs. False: it was stopped. */
bool hd_forward_run(hd_replay *replay, hd_engine *engine);
/* Completes the synchronization points; op logs are freed then. Before the backward replay. */
void hd_forward_complete(hd_replay *replay, hd_engine *engine);

#endif
