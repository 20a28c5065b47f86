/* replay/booked_times.h: the critical path, and time in each class of MPI calls, of all processes over windows and
 * iterations (docs/metrics.md#critical-path-over-time, #mpi-classes-over-time), of interval logs.
 *
 * An interval of one call path, which lasts as long as it, is divided where a slice begins: with all series each enter
 * and leave bounds one, so that is all but time of tasks, which is booked when these are complete. Any other one counts
 * where it ends. So slices add up to the metric, in ticks.
 *
 *   the path on a location   from the enter of a point, less the wait there, to the enter of another point (path.h)
 *                            point ──wait──[ foo ][ MPI_Send ][ foo ]── point
 *   windows                  ·········|··········|··········|··········
 *
 * Inside of the replay only. Uses: core, backward, replay_result. MT: main thread only, while the engine does not
 * run. Ranks: all, together. Cost: of each kind the interval logs are read once; off the path their boundaries alone.
 * Memory: interval logs stay until the critical path is found; 16 bytes for each metric, process and slice in which
 * there is any, and, while a process is read, call path; 64 KB for each replay thread.
 */
#ifndef HD_BOOKED_TIMES_H
#define HD_BOOKED_TIMES_H

#include "replay_result.h"
#include "vproc.h"

/* Where all series are wanted, and there are interval logs. After hd_collect_series(). */
void hd_collect_class_times(hd_replay *replay, hd_engine *engine, hd_replay_result *result);
/* Where replay->path_times. When the backward replay is over, and the points are still there. lengths: [n_call_paths]
 * ticks of the path, of all ranks. */
void hd_collect_path_times(hd_replay *replay, hd_engine *engine, const double *lengths, hd_replay_result *result);

#endif
