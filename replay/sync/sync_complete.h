/* replay/sync/sync_complete.h: points from notifications of receives that were posted before, in a call that is not
 * known: it is found in the op log. Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local. Cost:
 * one pass over the op log of a location, up to the last such call.
 */
#ifndef HD_SYNC_COMPLETE_H
#define HD_SYNC_COMPLETE_H

#include "vproc.h"

/* The forward replay is over. Tells senders when the call that posted the receive was left. A request is left out if
 * its call is not on this location: then another thread posted the receive. */
void hd_sync_complete(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);

#endif
