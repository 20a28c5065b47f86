/* src/report/series/series_view.h: sums of time series, of windows or of iterations, for what shows them.
 *
 * Slices 1 to n are the windows or (joined) iterations; 0 is before them, n + 1 after them, n + 2 between iterations.
 * Uses: series_list, iteration_list, summary_page. Owner: hd_series_view_fini(); lists stay the caller's. MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_VIEW_H
#define HD_SERIES_VIEW_H

#include "iteration_list.h"

typedef struct hd_series_view {
    const hd_series_list    *windows;    /* one of both is NULL */
    const hd_iteration_list *iterations;
    const hd_series_entry   *entries;    /* [n_entries] */
    size_t                   n_entries;
    uint32_t                 n;          /* windows or iterations that are shown */
    uint32_t                 n_slices;   /* n + 2 or n + 3 */
    uint32_t                 metric;     /* rows are its processes; HD_NONE: rows are metrics, the last one the duration */
    uint32_t                 n_rows;
    double                  *values;     /* [n_rows][n_slices]; of the duration as a metric: of the longest process */
    double                  *sums;       /* [n_rows] of slices 1 to n */
    uint32_t                *n_together; /* [n_rows] processes of the row */
} hd_series_view;

/* iterations: NULL: of windows. */
void hd_series_view_make(hd_series_view *view, const hd_series_list *windows, const hd_iteration_list *iterations,
                         uint32_t metric);
void hd_series_view_fini(hd_series_view *view);

/* from, to: out; NAN: the slice is of no time of its own. */
void hd_series_view_times(const hd_series_view *view, uint32_t slice, double *from, double *to);

/* "window 3", "iteration 5", "iterations 1 to 4"; "before iteration 1" and "after iteration 60" of slices out of 1 to n.
 * iterations: NULL: n windows. free() it. */
char *hd_series_slice_name(const hd_iteration_list *iterations, uint32_t n, uint32_t slice);

const char *hd_series_metric_name(uint32_t metric); /* or "Duration of iterations" */
char       *hd_series_metric_title(uint32_t metric); /* the same with its interface (metric.h); free() it */

/* HD_EUSAGE, with an error that the report has none of this metric, and what to do. has_such: it has others of its
 * kind, which heddle analyze --series all collects with it. */
hd_status hd_series_lack(hd_cube *cube, const char *id, bool has_such);
/* The same of the metric of a view. has_delays: as of hd_series_read(). */
hd_status hd_series_view_lack(hd_cube *cube, const hd_series_view *view, bool has_delays);

#endif
