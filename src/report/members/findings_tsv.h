/* src/report/members/findings_tsv.h: findings as a table for people and scripts.
 *
 * One line per row: id, count, process, thread, call path (names joined by ';'), peer, communicator name, tag, time of
 * the first in seconds since the archive's first event; a head line names the columns; what is not known is empty.
 * Names are written by hd_write_cell(). Uses: escape, profile, trace. MT: any thread. Ranks: local.
 */
#ifndef HD_FINDINGS_TSV_H
#define HD_FINDINGS_TSV_H

#include <stdio.h>

#include "calltree.h"
#include "defs.h"
#include "finding.h"

/* call_path of the findings: of the unified tree. Errors of writing stay with the stream: ask ferror(). */
void hd_findings_write_tsv(FILE *file, const hd_findings *findings, const hd_defs *defs, const hd_calltree *tree);

#endif
