/* replay/collect_counts.h: visits, messages, collective operations and bytes of all processes over windows and
 * iterations, of the count logs of all locations (docs/metrics.md#counts-over-time).
 *
 * Inside of the replay only. Uses: core, collect_results. MT: main thread only, while the engine does not run. Ranks:
 * all, together. Cost: count logs are read once. Memory: while a process is read, 16 bytes for each metric, call path
 * and slice in which something is counted, for windows and for iterations; 32 KB for each replay thread.
 */
#ifndef HD_COLLECT_COUNTS_H
#define HD_COLLECT_COUNTS_H

#include "collect_results.h"

/* Where hd_replay_counts_over_time(); the logs are empty then. After hd_collect_forward(), while there are tables of
 * waits. */
void hd_collect_counts(hd_collection *collection, hd_engine *engine);
/* Those of all ranks. */
void hd_gather_counts(hd_collection *collection);

#endif
