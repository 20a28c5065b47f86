/* src/report/members/computation_drift.h: whether computation grows or shrinks over the iterations of a report, where it
 * does so most, and what counters counted there. Definition: docs/metrics.md#computation-drift. Uses: iteration_list,
 * path_series_list, counter_series_list, work_list. MT: one thread.
 * Ranks: local.
 */
#ifndef HD_COMPUTATION_DRIFT_H
#define HD_COMPUTATION_DRIFT_H

#include "iteration_list.h"
#include "work_list.h"

typedef struct hd_drift_part { /* [s] of an iteration, mean of all processes together, in the first and last quarter,
                               * the first and the last iteration left out */
    double first, last;
} hd_drift_part;

typedef struct hd_computation_drift {
    bool          is_there, grows; /* grows: else it shrinks */
    hd_drift_part all, most;
    uint32_t      path;            /* where it grows (shrinks) most, which is `most`; HD_NONE: not known */
    char          *names[HD_COMPARED_MAX]; /* [n_counters] of counters; 0: none are known */
    uint32_t       n_counters;
    hd_work_values first, last;    /* of `most`, or of all where the path is not known; of an iteration */
} hd_computation_drift;

/* hd_computation_drift_fini() it. Errors: those of hd_path_series_list_read() and hd_counter_series_list_read(). */
hd_status hd_computation_drift_read(hd_cube *cube, const hd_iteration_list *list, hd_computation_drift *drift);
void      hd_computation_drift_fini(hd_computation_drift *drift);

#endif
