/* replay/replay.h: the forward replay: from op logs to wait states.
 *
 * Every hosted location is an agent of the engine: a cursor over its op log that runs until it needs a message that is
 * not there yet. Sends and collectives never wait: what a collective's members and a message's sender have to learn
 * comes back by mail and is booked when it comes. All values are sums of integers, so they do not depend on who ran
 * when.
 *
 *   set-up    channels meet: how many sends, how many receives; what has no partner is known before the replay starts
 *   replay    all agents to the end; at quiescence the parked ones, if any, are told that nothing will come, and go on
 *   take      severities of the profile and the replay, per location, on the unified call tree
 *
 * Definitions of all metrics: docs/metrics.md. Uses: scheduler, profile. Owner: the program.
 * Memory: 24 bytes per channel of an agent, 96 per message under way, 72 per member of a collective under way, 24 per
 * pending Late Sender (wrong order), 16 per MPI_Waitall or MPI_Waitsome that completes sends.
 */
#ifndef HD_REPLAY_H
#define HD_REPLAY_H

#include "replay_request.h"
#include "replay_result.h"

/* Ranks: all, together; defs, placement, compat, delays and critical_path equal on all. MT: main thread only. Errors:
 * none. */
void hd_replay_run(const hd_replay_request *request, hd_replay_result *result);

#endif
