/* src/cli/core/launcher.h: which launcher started this process, by what it writes into the environment.
 *
 * It decides whether MPI is needed at all. And it tells when a launcher and an MPI library do not fit (srun without
 * --mpi=pmix, mpirun of another library): these start N processes of which each is alone, N analyses of one archive
 * that write the same report.
 * Uses: analysis_comm. MT: main thread only. Ranks: local, no communication.
 */
#ifndef HD_LAUNCHER_H
#define HD_LAUNCHER_H

#include "analysis_comm.h"
#include "status.h"

/* Of --mpi. auto: where a launcher started this process; as the index of a choice. */
#define HD_MPI_CHOICES "auto|yes|no"
typedef enum hd_mpi_choice { HD_MPI_AUTO, HD_MPI_YES, HD_MPI_NO } hd_mpi_choice;

#define HD_OPTION_MPI(field) { "mpi", 0, HD_CHOICE, "auto", HD_MPI_CHOICES, "use the MPI library: auto: where a launcher started heddle", field }

/* The name of the launcher that started this process ("Open MPI's mpirun"); NULL: none. A Slurm step of one task is
 * none: the script of a batch job is such a step, too. */
const char *hd_launcher_name(void);

/* The rank that an MPI launcher gave this process, as it says it to the MPI library; NULL: it was started without a
 * launcher, or by one that starts programs without MPI as well (Slurm, Flux). */
const char *hd_launched_as(void);

/* Whether a launcher passes on what this process, or the heddle that has started it, writes. Then lines to standard
 * output and to standard error may change their order. */
bool hd_launcher_passes_on(void);

/* Unsets their variables: a heddle that this process starts is none of the launcher's processes, and analyses alone. */
void hd_launcher_forget(void);

/* Opens the analysis communicator: over MPI or, where that is not needed, of a single process.
 * Errors: those of hd_mpi_part(); HD_EUSAGE: a launcher started several processes of which each is alone. Each of them
 * gets it that can know; speaks: out, true for the first of them. The communicator is NULL then, or to be closed. */
hd_status hd_launcher_open(hd_mpi_choice choice, int *argc, char ***argv, hd_analysis_comm **analysis_comm,
                           bool *speaks);

#endif
