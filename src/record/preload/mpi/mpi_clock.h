/* src/record/preload/mpi/mpi_clock.h: how the clocks of several nodes differ.
 *
 * In MPI_Init(), when all processes have come out of it, they tell each other their nodes: one MPI_Allgather. Where
 * these are several, the first process of each node exchanges messages with rank 0, and the fastest exchange says how
 * its clock differs, to half of its round trip; the same in MPI_Finalize(), after a barrier. Processes of one node have
 * one clock. Messages are on a communicator of their own. Where the
 * launcher says that all processes are on one node, nothing happens.
 * Uses: mpi_library. MT: the thread that calls MPI_Init(), or MPI_Finalize(). Ranks: collective. Memory: 8 bytes for
 * each process of the world, meanwhile.
 */
#ifndef HD_MPI_CLOCK_H
#define HD_MPI_CLOCK_H

#include "mpi_library.h"

void hd_mpi_clock_begin(void);
void hd_mpi_clock_end(void);

#endif
