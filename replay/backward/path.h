/* replay/backward/path.h: the critical path on its way back over the points of a location.
 *
 * It is on one location at a time, but for --compat=scout26 (D19). Where it leaves, its time since it came in is
 * booked.
 * Definition: docs/metrics.md#critical-path. Inside of the replay only. Uses: profile. MT: the worker's thread. Ranks:
 * local.
 */
#ifndef HD_PATH_H
#define HD_PATH_H

#include "backward_vproc.h"

/* It is there once only, but for scout's several paths. */
void hd_path_enter(hd_vproc *vproc, uint32_t point);
/* From a wait at a window, which ended at this time inside of the call of the point, or before: it goes on from
 * there. */
void hd_path_enter_at(hd_vproc *vproc, uint32_t point, hd_time time);
/* From a barrier in which tasks were run. left: when the thread left it from which the path comes. */
void hd_path_enter_after(hd_vproc *vproc, uint32_t point, hd_time left);
/* It leaves at the current point, or goes on from there elsewhere. */
void hd_path_book(hd_replay_worker *rh, hd_vproc *vproc, uint32_t point);
/* A barrier in which tasks were run: what a thread did in it before the last one came is not known apart from what it
 * did then, so the path goes to the last thread at the excerpt at which this one leaves the barrier. False: it stays,
 * as it came in meanwhile. */
bool hd_path_book_behind(hd_replay_worker *rh, hd_vproc *vproc, uint32_t point);

#endif
