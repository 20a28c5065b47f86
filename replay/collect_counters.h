/* replay/collect_counters.h: what counters counted in computation, over windows and iterations, of the counter logs of
 * all locations (docs/metrics.md#counters-of-computation).
 *
 *   intervals    [ foo 300      ][ foo 200  bar 100 ]       what call paths that compute counted in an interval belongs
 *   slices       ────────────────|──────────────|────       to the slice in which it ends; at a bound: to that which
 *                                                           ends there
 *
 * Inside of the replay only. Uses: core, collect_results. MT: main thread only, while the engine does not run. Ranks:
 * all, together. Cost: interval and counter logs are read once for windows and once for iterations. Memory: while a
 * process is read 16 bytes for each of its threads, counters, call paths that are kept, and slices; while a thread is
 * read 20 for each of its call paths.
 */
#ifndef HD_COLLECT_COUNTERS_H
#define HD_COLLECT_COUNTERS_H

#include "collect_results.h"

/* Where counters are compared and series wanted. After hd_collect_forward(), while there are logs. */
void hd_collect_counter_series(hd_collection *collection, hd_engine *engine);
/* Those of all ranks. */
void hd_gather_counter_series(hd_collection *collection);

#endif
