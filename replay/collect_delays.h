/* replay/collect_delays.h: delay costs of all processes over windows and iterations, of what the backward replay booked
 * (backward/delay_slices.h). Definition: docs/metrics.md#delay-costs-over-time.
 *
 * Inside of the replay only. Uses: backward, core, collect_results. MT: main thread only, while the engine does not
 * run. Ranks: all, together. Memory: while a process is read, 32 bytes for each metric, call path and slice with costs.
 */
#ifndef HD_COLLECT_DELAYS_H
#define HD_COLLECT_DELAYS_H

#include "collect_results.h"

/* When the backward replay is over, or was left out; what it booked is gone then. */
void hd_collect_delays(hd_collection *collection, hd_engine *engine);
/* Those of all ranks. */
void hd_gather_delays(hd_collection *collection);

#endif
