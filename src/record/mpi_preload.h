/* src/record/mpi_preload.h: a program that a script starts, and that is linked with an MPI library.
 *
 * What is loaded before a program is chosen by heddle record, which sees a script, and not what that starts. So the
 * recorder without MPI looks what it has been loaded with, and executes the program once more, with the recorder for
 * its MPI library: before main(), and before anything is recorded. The process stays the same.
 * Uses: mpi_libraries. MT: the constructor. Ranks: local.
 */
#ifndef HD_MPI_PRELOAD_H
#define HD_MPI_PRELOAD_H

/* Returns if there is nothing to change, or if it cannot be. HEDDLE_RECORD_MPI=auto: the user has not chosen. */
void hd_mpi_preload_settle(char **arguments);

#endif
