/* src/report/members/computation_drift.h: whether computation grows or shrinks over the iterations of a report, and where
 * it does so most. Definition: docs/metrics.md#computation-drift. Uses: iteration_list, path_series_list. MT: one thread.
 * Ranks: local.
 */
#ifndef HD_COMPUTATION_DRIFT_H
#define HD_COMPUTATION_DRIFT_H

#include "iteration_list.h"

typedef struct hd_drift_part { /* [s] of an iteration, mean of all processes together, in the first and last quarter,
                               * the first and the last iteration left out */
    double first, last;
} hd_drift_part;

typedef struct hd_computation_drift {
    bool          is_there, grows; /* grows: else it shrinks */
    hd_drift_part all, most;
    uint32_t      path;            /* where it grows (shrinks) most, which is `most`; HD_NONE: not known */
} hd_computation_drift;

/* Errors: those of hd_path_series_list_read(). */
hd_status hd_computation_drift_read(hd_cube *cube, const hd_iteration_list *list, hd_computation_drift *drift);

#endif
