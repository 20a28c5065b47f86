/* src/report/terminal/summary.h: what a report says, in a page of text for a terminal.
 *
 * Its sections are those of summary_sections.h. It works on reports of Scalasca's analyser as well; a section that a
 * report has no data for is omitted. Names are untrusted: control characters come out as \xNN. Uses: cube_reader, dump,
 * profile. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_H
#define HD_SUMMARY_H

#include <stdio.h>

#include "completeness.h"
#include "headings.h"
#include "summary_options.h"

/* The lines of one section as in the summary, without its heading and without a limit of width.
 * Only for sections that need no sums of the time metrics, as that of unfinished operations.
 *   text   out: free() it; NULL: the section has nothing to say
 * Errors: those of hd_cube_row() and hd_cube_misc(); *text is NULL then. */
hd_status hd_summary_section_text(hd_cube *cube, hd_heading heading, const hd_summary_options *options, char **text);

/* Errors: those of hd_cube_row() and hd_cube_misc(); HD_EWRITE. Cost: one pass over the values of the time metrics. */
hd_status hd_summary_print(hd_cube *cube, FILE *file, const hd_summary_options *options);

/* The same as a JSON document (docs/json.md). Errors: likewise; what was written before is no document then. */
hd_status hd_summary_write_json(hd_cube *cube, FILE *file, const hd_summary_options *options);

#endif
