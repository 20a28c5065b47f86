/* src/report/terminal/difference_page.h: what has changed from A to B, in a page of text for a terminal.
 *
 *   B takes 1.75 x as long: 1.56 s -> 2.74 s (main window)
 *   then both, causes that have changed, computation on the critical path, wait states, and metrics
 *
 * A and B are one report each, or several runs, whose means are compared; then each line has standard deviations and
 * the p of Welch's t test. Names are untrusted: control characters come out as \xNN. Uses: comparison, summary. MT: one
 * thread. Ranks: local.
 */
#ifndef HD_DIFFERENCE_PAGE_H
#define HD_DIFFERENCE_PAGE_H

#include <stdio.h>

#include "comparison.h"
#include "summary.h"

typedef struct hd_difference_options {
    hd_summary_options look; /* n_top: wait states and call paths to name */
    bool               all;  /* metrics that have hardly changed, and other views of the same time, too */
} hd_difference_options;

/* Errors: those of hd_alignment_row(); HD_EWRITE. */
hd_status hd_difference_print(const hd_comparison *comparison, FILE *file, const hd_difference_options *options);

/* The same for a merge request, as tables in Markdown: causes, the wait states that have changed most and their call
 * paths, and all metrics that are worth a line. */
hd_status hd_difference_print_markdown(const hd_comparison *comparison, FILE *file,
                                       const hd_difference_options *options);

#endif
