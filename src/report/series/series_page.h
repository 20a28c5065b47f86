/* src/report/series/series_page.h: waiting time over iterations or windows, as lines of block characters for a terminal,
 * as CSV or JSON.
 * Uses: series_list, iteration_list, summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_PAGE_H
#define HD_SERIES_PAGE_H

#include <stdio.h>

#include "iteration_list.h"
#include "series_list.h"
#include "summary_options.h"

typedef enum hd_series_by {
    HD_SERIES_BY_BEST, /* by iterations, if the report has them; else by windows */
    HD_SERIES_BY_ITERATIONS,
    HD_SERIES_BY_WINDOWS
} hd_series_by;

typedef enum hd_series_format { HD_SERIES_TEXT, HD_SERIES_CSV, HD_SERIES_JSON } hd_series_format;

typedef struct hd_series_options {
    uint32_t           metric; /* hd_metric, HD_SERIES_DURATION: of this one, by process; HD_NONE: of all */
    const char        *counter; /* in its place: id of a counter, or of a ratio of counters; NULL: none */
    hd_series_by       by;     /* JSON has both if it is BY_BEST */
    hd_series_format   format;
    bool               paths;  /* a row is of a wait state and a call path; JSON has both */
    bool               lags;   /* causes over time instead; JSON has both */
    hd_summary_options look;   /* n_top: processes of a metric, or call paths; 0: 10 */
} hd_series_options;

/* The tables of a report, and entries of a metric that is asked for and that they do not have (derived_series.h).
 * has_delays: out, the report has delay costs over time. Fini both lists, also after an error. Errors: HD_EFORMAT, it has no time series; HD_EUSAGE, none by
 * iterations, which are asked for; those of reading them. */
hd_status hd_series_read(hd_cube *cube, const hd_series_options *options, hd_series_list *windows,
                         hd_iteration_list *iterations, bool *has_delays);

/* Those with the largest sums first. Errors: HD_EFORMAT, the report has no time series; HD_EUSAGE, it has none of this
 * metric, or none by iterations; those of hd_series_list_read() and hd_iteration_list_read(); HD_EWRITE. */
hd_status hd_series_print(hd_cube *cube, FILE *file, const hd_series_options *options);

#endif
