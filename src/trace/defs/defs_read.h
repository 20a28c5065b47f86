/* src/trace/defs/defs_read.h: reads the global definitions of an archive, and puts them in order (defs.h).
 *
 * Uses: archive, raw_defs, comm_group, region_class. MT: main thread only. Ranks: local; rank 0 reads them, the others
 * get them by hd_analysis_comm_share().
 */
#ifndef HD_DEFS_READ_H
#define HD_DEFS_READ_H

#include "defs.h"
#include "status.h"

/* Reads and checks the global definitions. Owner: the caller, free() it. Cost: linear in the definitions.
 * Errors: HD_EOPEN, HD_EFORMAT (not an OTF2 archive, or nothing in it to analyse). */
hd_status hd_defs_read(const char *anchor, hd_defs **defs);
/* Likewise, with regions for clusters of iterations, at most HD_DEFS_CLUSTERS. */
hd_status hd_defs_read_for_clusters(const char *anchor, uint32_t n_clusters, hd_defs **defs);

#endif
