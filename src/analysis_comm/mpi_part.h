/* src/analysis_comm/mpi_part.h: the implementation over the MPI library that heddle was built with.
 *
 * A program links one of: mpi_part_loaded.c, which loads it when it is asked for (most runs need no MPI, and MPI
 * libraries take time and memory before they do anything); mpi_part_linked.c, where nothing can be loaded (static
 * programs); mpi_part_none.c.
 * MT: main thread only. Ranks: local.
 */
#ifndef HD_MPI_PART_H
#define HD_MPI_PART_H

#include "analysis_comm.h"

/* NULL: there is none. Errors: HD_EUSAGE: heddle was built without MPI; HD_EOPEN: it cannot be loaded. */
const hd_analysis_comm_calls *hd_mpi_part(void);

#endif
