/* src/report/terminal/difference_page.h: what has changed from one report to another, in a page of text for a terminal.
 *
 * What each metric is in both, where the time has changed most, which wait states have changed, and where.
 * Names are untrusted: control characters come out as \xNN. Uses: comparison, summary. MT: one thread. Ranks: local.
 */
#ifndef HD_DIFFERENCE_PAGE_H
#define HD_DIFFERENCE_PAGE_H

#include <stdio.h>

#include "comparison.h"
#include "summary.h"

enum { HD_DIFFERENCE_TEXT = 32 }; /* bytes of a text below */

typedef struct hd_difference_options {
    hd_summary_options look; /* n_top: wait states, call paths and processes to name */
    bool               all;  /* metrics that have hardly changed, too */
} hd_difference_options;

/* Errors: those of hd_alignment_row(); HD_EWRITE. */
hd_status hd_difference_print(const hd_comparison *comparison, FILE *file, const hd_difference_options *options);

/* The same for a merge request, as tables in Markdown: the metrics that are worth a line, those first whose time has changed most, and the call
 * paths of the wait states and of the time that have changed most. */
hd_status hd_difference_print_markdown(const hd_comparison *comparison, FILE *file, const hd_difference_options *options);

/* "+12.3 %" of what A has; "new" where that is nothing, "" where B has nothing either. text: [HD_DIFFERENCE_TEXT] may be used */
const char *hd_difference_percent(char *text, const double *of);

/* "+0.50 pp", the change of the share of all the time, of a metric that is a time; else "". */
const char *hd_difference_share(char *text, const hd_comparison *comparison, const hd_cube_metric *metric, const double *of);

#endif
