/* src/report/findings_tsv.h: findings as a table for people and scripts.
 *
 * One line per row: id, count, process, thread, call path (names joined by ';'), peer, communicator name, tag, time of the
 * first in seconds since the archive's first event; a head line names the columns; what is not known is empty. Names are
 * written by hd_write_cell(). Uses: profile, trace. MT: any thread. Ranks: local.
 */
#ifndef HD_FINDINGS_TSV_H
#define HD_FINDINGS_TSV_H

#include <stdio.h>

#include "calltree.h"
#include "defs.h"
#include "finding.h"

/* call_path of the findings: of the unified tree. Errors of writing stay with the stream: ask ferror(). */
void hd_findings_write_tsv(FILE *file, const hd_findings *findings, const hd_defs *defs, const hd_calltree *tree);

/* Text with backslashes, and with all that text.h calls unsafe, as \xNN, byte by byte. */
void hd_write_escaped(FILE *file, const char *text);

/* A name in a table for scripts: likewise, and what spreadsheets take for the begin of a formula (=, +, -, @) as \xNN. Undone by reading
 * each \xNN as a byte, so different names stay different. Of several names in a cell, joined by ';', that character is escaped, too. */
typedef enum hd_cell_part { HD_CELL_WHOLE, HD_CELL_FIRST, HD_CELL_NEXT } hd_cell_part;
void hd_write_cell(FILE *file, const char *text, hd_cell_part part);

/* The same as a text; free() it. */
char *hd_escaped(const char *text);

#endif
