/* replay/computation_paths.h: computation of all processes over time by call path: in which functions, in which windows
 * and iterations (docs/metrics.md#computation-by-call-path).
 *
 * The interval log of a location says how long it was in each call path between two boundaries, but not when; its state
 * log says when it computed. Where an interval lies in one slice, both agree on where its computation belongs. One that
 * a bound divides is divided where all its computation is on one side of the bound, or in one call path; else what was
 * computed in it has no call path. So the call paths of a slice add up to the computation of series of time
 * (openmp-patterns/thread_use.h), in ticks.
 *
 *   interval   [ foo ·········· bar ······· MPI ]       how long foo and bar took is known, in which order is not
 *   slices     ────────────────────|────────────        computation before the bound: known, of foo or bar is not
 *
 * Inside of the replay only. Uses: core, collect_results. MT: main thread only, while the engine does not run. Ranks:
 * all, together. Cost: both logs are read once for windows and once for iterations. Memory: while a process is read,
 * 16 bytes for each of its call paths and slices; 32 for each call path and slice of each replay thread.
 */
#ifndef HD_COMPUTATION_PATHS_H
#define HD_COMPUTATION_PATHS_H

#include "collect_results.h"

/* Where they are wanted, or computation grows or shrinks over the iterations, or over those between the first and the
 * last one. After hd_collect_forward(), while there
 * are logs and tables of waits. */
void hd_collect_computation_paths(hd_collection *collection, hd_engine *engine);
/* Those of all ranks. */
void hd_gather_computation_paths(hd_collection *collection);

#endif
