/* src/record/launch/recorded_program.h: whether a program can be recorded, and with which MPI library.
 *
 * The dynamic loader of the program is asked what it would load (its --list); nothing of the program runs.
 * Uses: base, symbols. MT: main thread only. Ranks: local.
 */
#ifndef HD_RECORDED_PROGRAM_H
#define HD_RECORDED_PROGRAM_H

#include "status.h"

typedef enum hd_mpi_flavour { HD_MPI_UNKNOWN, HD_MPI_NONE, HD_MPI_OPENMPI, HD_MPI_MPICH } hd_mpi_flavour;

/* HD_MPI_UNKNOWN: it does not say: a script, or a program that may open an MPI library later (Python).
 *   path   of the file
 * Errors: HD_EUSAGE, with what to do: linked statically, or with a static MPI library; for another architecture; with
 * an MPI library that heddle does not know; it ignores what is preloaded, as it runs with the rights of another user.
 */
hd_status hd_recorded_program_check(const char *path, hd_mpi_flavour *flavour);

/* What the environment of a process says that a launcher has started. HD_MPI_UNKNOWN: nothing. */
hd_mpi_flavour hd_mpi_flavour_of_environment(void);
/* What a launcher is known to start. path: of its file. HD_MPI_UNKNOWN: both. */
hd_mpi_flavour hd_mpi_flavour_of_launcher(const char *path);

/* The library that is preloaded; free() it. Errors: HD_EOPEN, heddle was built without it, or
 * its path cannot stand in LD_PRELOAD. */
hd_status hd_record_library(hd_mpi_flavour flavour, char **path);

#endif
