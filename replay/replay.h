/* replay/replay.h: the replay of a trace: from op logs to wait states, delay costs and the critical path.
 *
 * Every hosted location is a vproc of the engine: a cursor over its op log that runs until it needs a message that is
 * not there yet. Sends and collectives never wait: what a collective's members and a message's sender have to learn
 * comes back by messages and is booked when it comes. All values are sums of integers, so they do not depend on the
 * order in which vprocs ran.
 *
 *   forward    forward_run.h      both ends of a channel compare counts: what has no partner is known before the replay
 *                                 starts; then all vprocs
 *                                 to their ends
 *   backward   backward_run.h     from the ends to the begins, from waits to their causes
 *   results    collect_results.h  severities of profile and replay, per location, on the unified call tree
 *
 * Definitions of all metrics: docs/metrics.md. Uses: scheduler, profile. Owner: the program.
 * Memory: 24 bytes per channel of a vproc, 96 per message under way; what patterns need stands in their headers.
 */
#ifndef HD_REPLAY_H
#define HD_REPLAY_H

#include "replay_request.h"
#include "replay_result.h"

/* Ranks: all, together; defs, placement, compat, delays and critical_path equal on all. MT: main thread only. Errors:
 * none. */
void hd_replay_run(const hd_replay_request *request, hd_replay_result *result);

#endif
