/* topology/distance.h: messages, their bytes and what is waited for them, by how near sender and receiver are on the
 * machine, and by hops on a topology of processes.
 *
 * Definitions: docs/metrics.md#machine, #topologies. Without a state. Uses: cartesian, machine, replay. MT: the
 * worker's thread. Ranks: local.
 */
#ifndef HD_DISTANCE_H
#define HD_DISTANCE_H

#include "cartesian.h"
#include "machine.h"
#include "pattern.h"

enum { HD_DISTANCE_CLASSES = 7 }; /* of hops */

/* For hd_replay_request. */
hd_message_patterns hd_distance_on_machine(hd_machine *machine);
hd_message_patterns hd_distance_in_hops(hd_cartesian *cartesian);

/* 0, 1, 2, 3 to 4, 5 to 8, 9 to 16, more: 0 .. 6 */
uint32_t hd_distance_class(uint64_t hops);

/* Which of them messages had, a bit each: of what locations of this rank collected. near: of hd_nearness; hops: of
 * hd_distance_class() */
void hd_distance_seen(const hd_location_result *locations, uint32_t n, uint32_t *near, uint32_t *hops);

#endif
