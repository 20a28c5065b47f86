/* src/cli/core/launch_check.h: whether a launcher started several processes that do not know of each other.
 *
 * A launcher and an MPI library that do not fit (srun without --mpi=pmix, mpirun of another library) start N
 * processes of which each is alone: N analyses of one archive, which write the same report. The environment says how
 * many there should be.
 * Uses: analysis_comm (the MPI library's name). MT: main thread only.
 */
#ifndef HD_LAUNCH_CHECK_H
#define HD_LAUNCH_CHECK_H

#include "status.h"
#include "types.h"

/* size: number of analysis ranks.
 * Errors: HD_EUSAGE, with what to do. Of the processes that the launcher started each gets it; speaks: out, true for
 * the first of them.
 * Ranks: local, no communication. */
hd_status hd_launch_check(uint32_t size, bool *speaks);

#endif
