/* src/cli/commands/scan/experiment_folder.h: the experiment directory of a measurement, which Score-P writes to.
 * Uses: launch_line. MT: main thread only. Ranks: local.
 */
#ifndef HD_EXPERIMENT_FOLDER_H
#define HD_EXPERIMENT_FOLDER_H

#include "launch_line.h"
#include "status.h"

/* "scorep_lu_8_trace", "scorep_lu_8x4_trace" with 4 threads (OMP_NUM_THREADS), "scorep_lu_O_trace" without a launcher:
 * as Scalasca calls it. free() it. */
char *hd_experiment_folder_name(const hd_launch_line *line);

/* The same folder by a path that does not depend on where a program runs, without "/" at its end; free() it.
 * Errors: HD_EOPEN, the current folder has no name. */
hd_status hd_experiment_folder_absolute(const char *path, char **absolute);

/* Whether a measurement can write there: nothing is there, or, with force, a folder that Score-P made, and that neither
 * holds the current folder nor what the measurement needs.
 *   needed   paths, with NULL at the end
 * Errors: HD_EEXIST. */
hd_status hd_experiment_folder_check(const char *path, bool force, const char *const *needed);

/* Removes it, if it is there; only after hd_experiment_folder_check(). Errors: HD_EWRITE. */
hd_status hd_experiment_folder_remove(const char *path);

#endif
