/* topology/distance.h: messages, their bytes and what is waited for them, by how near sender and receiver are on the machine.
 *
 * Definitions: docs/metrics.md#machine. Without a state. Uses: machine, replay. MT: the host's thread. Ranks: local.
 */
#ifndef HD_DISTANCE_H
#define HD_DISTANCE_H

#include "machine.h"
#include "replay.h"

/* For hd_replay_request. */
hd_message_patterns hd_distance_patterns(hd_machine *machine);

/* Which kinds of nearness messages had, a bit each: of what locations of this rank collected. */
uint32_t hd_distance_seen(const hd_location_result *locations, uint32_t n);

#endif
