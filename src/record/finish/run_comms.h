/* src/record/finish/run_comms.h: the communicators of all processes as those of one archive. Inside of finish only.
 * Uses: run_model. MT: main thread only. */
#ifndef HD_RUN_COMMS_H
#define HD_RUN_COMMS_H

#include "run_model.h"

/* Sets `global` of each communicator, window, file and group, and fills run->comms, windows, io_files and groups. Communicator 0 is
 * MPI_COMM_WORLD, 1 MPI_COMM_SELF. */
void hd_run_comms_unify(hd_recorded_run *run);

#endif
