/* src/report/series/series_page.h: waiting time over time, as lines of block characters for a terminal or as CSV.
 * Uses: series_list, summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_PAGE_H
#define HD_SERIES_PAGE_H

#include <stdio.h>

#include "series_list.h"
#include "summary_options.h"

typedef struct hd_series_options {
    uint32_t           metric; /* hd_metric: of this one, by process; HD_NONE: of all wait states */
    bool               is_csv;
    hd_summary_options look;   /* n_top: processes of a metric; 0: 10 */
} hd_series_options;

/* Those with the largest sums first. Errors: HD_EFORMAT, the report has no time series; HD_EUSAGE, it has none of this
 * metric; those of hd_series_list_read(); HD_EWRITE. */
hd_status hd_series_print(hd_cube *cube, FILE *file, const hd_series_options *options);

#endif
