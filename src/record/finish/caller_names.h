/* src/record/finish/caller_names.h: which function an address of a process belongs to. Inside of finish only.
 * Uses: run_model, symbols. MT: main thread only. Grows with: functions of the programs and libraries. */
#ifndef HD_CALLER_NAMES_H
#define HD_CALLER_NAMES_H

#include "run_model.h"

/* Sets the regions of the callers of the process, and of its OpenMP constructs. Errors: what was loaded cannot be
 * read. */
hd_status hd_caller_names_set(hd_recorded_run *run, hd_run_process *process);

/* Behind all processes: calls of one MPI function that a function makes at several lines get regions of their own. */
void hd_call_places_set(hd_recorded_run *run);

#endif
