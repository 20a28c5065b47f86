/* src/record/finish/run_cut.h: where the archive begins, if only the last part of a run is wanted.
 *
 * All locations begin at one time: so long before the last record of the run, or as soon as no location lacks records
 * that were given back.
 * Uses: raw_log, run_clock. MT: main thread only. Ranks: local.
 */
#ifndef HD_RUN_CUT_H
#define HD_RUN_CUT_H

#include "run_model.h"

/* If the archive begins later than the run: sets cut of all processes, kept_ticks, has_pauses. Before the survey. */
hd_status hd_run_cut_set(hd_recorded_run *run);

#endif
