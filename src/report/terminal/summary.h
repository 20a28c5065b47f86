/* src/report/terminal/summary.h: what a report says, in a page of text for a terminal.
 *
 * Where the time went, how even the work is, the worst wait states with the call paths and processes that carry them, when, where on topologies
 * and nodes, their causes, the critical path, what was wrong with the trace, and what the analysis itself took. Works on reports of scout, too; what
 * a report lacks is left out.
 * Names are untrusted: control characters come out as \xNN. Uses: cube_reader, dump, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_H
#define HD_SUMMARY_H

#include <stdio.h>

#include "completeness.h"

typedef struct hd_summary_options {
    bool     has_colour;
    uint32_t width; /* columns of the terminal; 0: 80 */
    uint32_t n_top; /* wait states and call paths to name; 0: 3 */
    uint32_t n_instances; /* of each wait state to list, where the report has them; 0: as many as n_top */
} hd_summary_options;

/* Errors: those of hd_cube_row() and hd_cube_misc(); HD_EWRITE. Cost: one pass over the values of the time metrics. */
hd_status hd_summary_print(hd_cube *cube, FILE *file, const hd_summary_options *options);

#endif
