/* src/report/terminal/summary.h: what a report says, in a page of text for a terminal.
 *
 * The sections of headings.h: time breakdown, load balance, top wait states with their call paths and processes, instances, topologies and
 * nodes, root causes, critical path, trace diagnostics, analysis run. Works on reports of scout, too; a section that a report has no data
 * for is omitted.
 * Names are untrusted: control characters come out as \xNN. Uses: cube_reader, dump, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_H
#define HD_SUMMARY_H

#include <stdio.h>

#include "completeness.h"
#include "summary_options.h"

/* Errors: those of hd_cube_row() and hd_cube_misc(); HD_EWRITE. Cost: one pass over the values of the time metrics. */
hd_status hd_summary_print(hd_cube *cube, FILE *file, const hd_summary_options *options);

#endif
