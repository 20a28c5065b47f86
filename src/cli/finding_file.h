/* src/cli/finding_file.h: all findings as a table, one row for each kind and place.
 *
 * Columns, separated by tabs: kind, count, process, thread, call path (regions joined by ";"), peer, communicator, tag, time
 * of the first one [s since the archive's first event]; "-" where there is none. Uses: profile, trace.
 * MT: main thread only. Ranks: local.
 */
#ifndef HD_FINDING_FILE_H
#define HD_FINDING_FILE_H

#include "bytes.h"
#include "calltree.h"
#include "defs.h"
#include "finding.h"

/* Puts heading and rows into bytes. findings: sorted, call paths of the unified tree. */
void hd_finding_file_put(hd_bytes *bytes, const hd_findings *findings, const hd_defs *defs, const hd_calltree *tree);

#endif
