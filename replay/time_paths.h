/* replay/time_paths.h: computation, time in MPI and time in OpenMP of all processes over time by call path: in which
 * functions and calls, in which windows and iterations (docs/metrics.md#time-by-call-path).
 *
 * The interval log of a location says how long it was in each call path between two boundaries, but not when; its state
 * log says when it computed, and when it was in MPI or OpenMP. Where an interval lies in one slice, both agree on where
 * its time belongs. One that a bound divides is divided where all its time of one kind is on one side of the bound, or
 * in one call path; else that time has no call path. Forks and joins are known to be of their parallel regions. So the
 * call paths of a slice add up to the series of time (openmp-patterns/thread_use.h), in ticks.
 *
 *   interval   [ foo ·········· bar ······· MPI ]       how long foo and bar took is known, in which order is not
 *   slices     ────────────────────|────────────        computation before the bound: known, of foo or bar is not
 *
 * Inside of the replay only. Uses: core, collect_results. MT: main thread only, while the engine does not run. Ranks:
 * all, together. Cost: of each kind, both logs are read once; of OpenMP the logs of threads four times. Memory: while
 * a process is read, 16 bytes for each of its call paths and slices, and for each fork and join; 32 for each call path
 * and slice of each replay thread.
 */
#ifndef HD_TIME_PATHS_H
#define HD_TIME_PATHS_H

#include "collect_results.h"

/* Where they are wanted; else of computation alone where it grows or shrinks over the iterations, or over those between
 * the first and the last one. After hd_collect_forward(), while there are logs and tables of waits. */
void hd_collect_time_paths(hd_collection *collection, hd_engine *engine);
/* Those of all ranks. */
void hd_gather_time_paths(hd_collection *collection);

#endif
