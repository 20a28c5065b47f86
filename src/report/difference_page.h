/* src/report/difference_page.h: what has changed from one report to another, in a page of text for a terminal.
 *
 * What each metric is in both, where the time has changed most, which wait states have changed, and where.
 * Names are untrusted: control characters come out as \xNN. Uses: comparison, summary. MT: one thread. Ranks: local.
 */
#ifndef HD_DIFFERENCE_PAGE_H
#define HD_DIFFERENCE_PAGE_H

#include <stdio.h>

#include "comparison.h"
#include "summary.h"

typedef struct hd_difference_options {
    hd_summary_options look; /* n_top: wait states, call paths and processes to name */
    bool               all;  /* metrics that have hardly changed, too */
} hd_difference_options;

/* Errors: those of hd_alignment_row(); HD_EWRITE. */
hd_status hd_difference_print(const hd_comparison *comparison, FILE *file, const hd_difference_options *options);

#endif
