/* src/record/finish/recorded_run.h: reads what a run has recorded, and surveys it. Inside of finish only.
 * Uses: run_model. MT: main thread only. Ranks: local. */
#ifndef HD_RECORDED_RUN_H
#define HD_RECORDED_RUN_H

#include "run_model.h"

/* Reads definitions and surveys the records. Nothing was recorded: run->files.n is 0. Errors: those of
 * hd_raw_files_read() and hd_raw_log_open(). Owner: hd_recorded_run_fini(), also on error. */
hd_status hd_recorded_run_read(const char *folder, hd_recorded_run *run);

#endif
