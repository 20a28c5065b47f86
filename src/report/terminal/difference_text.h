/* src/report/terminal/difference_text.h: numbers and sentences of a comparison, as text: what the page and the tables
 * in Markdown share. Inside of the component only. Uses: comparison. MT: any thread. Ranks: local.
 */
#ifndef HD_DIFFERENCE_TEXT_H
#define HD_DIFFERENCE_TEXT_H

#include <stdio.h>

#include "comparison.h"

enum { HD_DIFFERENCE_TEXT = 48 }; /* bytes of a text below */

/* "B takes 1.75 x as long: 1.56 s -> 2.74 s (main window)", without a newline; free() it. NULL: how long they take is
 * unknown. */
char *hd_difference_wall(const hd_comparison *comparison);

/* Whether that is noise: standard deviations and Welch's t test, or that there are too few runs to tell; free() it. */
char *hd_difference_noise(const hd_comparison *comparison);

/* "processes 0, 2, 4-6", "12 of 64 processes (0-3, 8, ...)", "all 8 processes": those that carry the change; free() it.
 * NULL: nobody can be told apart. Errors: those of hd_alignment_row(). */
hd_status hd_difference_carriers(const hd_comparison *comparison, uint32_t metric, uint32_t path, char **text);

/* Whether the runs of both can be tested. */
static inline bool
hd_difference_is_tested(const hd_comparison *comparison)
{
    return hd_alignment_runs(comparison->alignment, 0).n > 1 && hd_alignment_runs(comparison->alignment, 1).n > 1;
}

/* All of these are of a metric. text: [HD_DIFFERENCE_TEXT] may be used. A value: "57.7 ms" of a time; "983,550", or
 * five digits: "1.2346e+08", "0.53125". */
const char *hd_difference_value(char *text, const hd_cube_metric *metric, double value, bool in_column);
/* with its sign */
const char *hd_difference_change(char *text, const hd_cube_metric *metric, const double *of, bool in_column);

/* "+12.3 %" of what A has; "new" where that is nothing, "" where B has nothing either. */
const char *hd_difference_percent(char *text, const double *of);

/* "+0.50 pp", the change of the share of all the time, of a metric that is a time; else "". */
const char *hd_difference_share(char *text, const hd_comparison *comparison, const hd_cube_metric *metric,
                                const double *of);

/* "0.012 *", "<0.001 *", "0.34": the star says that it is more than noise; "" of what was not tested. */
const char *hd_difference_p(char *text, double p);

#endif
