/* src/report/members/startup_impact.h: the imbalance impact of the critical path in the main window.
 *
 * A report stores that of the whole run, in which time outside of the main window is work, too: a long MPI_Finalize
 * hides that the work before it is not balanced. That of the window follows from what a report has of the window, by the
 * definition of the run's (docs/metrics.md#critical_imbalance_impact): the activities are the work of a location.
 *
 * Uses: cube_values. MT: one thread. Ranks: local. Memory: 24 bytes per location, 24 per call path; 24 for each value
 * that differs. Cost: three passes over the values of three metrics.
 */
#ifndef HD_STARTUP_IMPACT_H
#define HD_STARTUP_IMPACT_H

#include "cube_reader.h"

/* Start-up is skipped already (cube->skipped, cube->taken_off). Adds to what is taken off, so that the impact, the
 * metrics that it is made of and those that it is part of are those of the window. A report that lacks any of the metrics
 * is left as it is. Errors: those of hd_cube_row(); nothing is added then. */
hd_status hd_startup_impact_take_off(hd_cube *cube);

#endif
