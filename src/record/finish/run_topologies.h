/* src/record/finish/run_topologies.h: the topologies that the program defines, as those of one run.
 *
 * Of several definitions with one name that of the lowest process counts, of a process its first; processes that define
 * it otherwise are not on it. Of several coordinates of a thread the first count; those outside are left out.
 * Uses: run_model. MT: main thread only. Ranks: local.
 */
#ifndef HD_RUN_TOPOLOGIES_H
#define HD_RUN_TOPOLOGIES_H

#include "run_model.h"

/* Sets the topologies of the run, and their members. Locations have their references. */
void hd_run_topologies_set(hd_recorded_run *run);

/* What was wrong with them, a line each, ended by a newline; NULL: nothing. free() it. */
char *hd_run_topologies_wrong(const hd_recorded_run *run);

#endif
