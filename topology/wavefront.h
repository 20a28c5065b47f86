/* topology/wavefront.h: what messages say on a topology of processes: distances, directions, and where the pipeline of
 * a sweep fills again.
 *
 * Definitions: docs/metrics.md#topologies. The state of a location is a sweep: per axis which way it goes and the wait
 * of the first message received on it, 16 bytes per axis. Uses: cartesian, replay. MT: the worker's thread. Ranks:
 * local.
 */
#ifndef HD_WAVEFRONT_H
#define HD_WAVEFRONT_H

#include "cartesian.h"
#include "pattern.h"

/* For hd_replay_request. */
hd_message_patterns hd_wavefront_patterns(hd_cartesian *cartesian);

#endif
