/* src/trace/load/archive_visibility.h: whether all ranks see the same archive.
 *
 * A file of events that is nowhere is a finding, and the analysis goes on. One that is there on some nodes only would
 * be taken for that: results would depend on who hosts which process.
 * Uses: log, analysis_comm. MT: main thread only. Ranks: all, together.
 */
#ifndef HD_ARCHIVE_VISIBILITY_H
#define HD_ARCHIVE_VISIBILITY_H

#include "analysis_comm.h"
#include "trace.h"

/* Looks for the event files of the locations in which this rank found no events, and for the files of local
 * definitions, without which events are read with other numbers and clocks. trace: of this rank; anchor: equal on all.
 * Cost: a look at a file per location and a reduction; what is missing is looked for once per node.
 * Errors, the same on all ranks: HD_EOPEN, with the file and the nodes. */
hd_status hd_check_archive_visibility(hd_analysis_comm *analysis_comm, const char *anchor, const hd_trace *trace);

#endif
