/* scheduler/mpi_progress.h: sends what threads of this rank have for other ranks, and hands on what came from them.
 * Uses: engine_state, transport. MT: main thread only, while running. Ranks: local, never waits.
 */
#ifndef HD_MPI_PROGRESS_H
#define HD_MPI_PROGRESS_H

#include "engine_state.h"

/* Returns whether there was anything to do. */
bool hd_mpi_progress(hd_engine *engine);

#endif
