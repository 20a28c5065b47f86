/* src/record/finish/archive_topologies.h: writes topologies: those that the program defines, and grids of MPI.
 * Uses: archive_writing. MT: main thread only. Ranks: local.
 */
#ifndef HD_ARCHIVE_TOPOLOGIES_H
#define HD_ARCHIVE_TOPOLOGIES_H

#include "archive_writing.h"

/* comm: number of the communicator that those of the program are on, behind all others. */
void hd_archive_topologies_write(writing *to, uint32_t comm);

#endif
