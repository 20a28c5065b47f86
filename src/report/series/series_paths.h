/* src/report/series/series_paths.h: time series by wait state (delay costs, ...) and call path, for what shows them.
 *
 * Uses: path_series_list, iteration_list. Owner: hd_series_paths_fini(). MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_PATHS_H
#define HD_SERIES_PATHS_H

#include "iteration_list.h"
#include "path_series_list.h"

typedef struct hd_series_path_row {
    uint32_t metric, path;         /* hd_metric; of the report, HD_NONE: of none that is known */
    const hd_path_entry *entries;  /* [n] ascending by slice */
    size_t   n;
    double   sum;                  /* [s] of the windows or iterations, without what is before, after and between */
} hd_series_path_row;

typedef struct hd_series_paths {
    hd_path_series_list list;
    hd_series_path_row *rows;      /* [n] as in the table */
    size_t              n;
    uint32_t            n_shown;   /* slices 1 to n_shown are windows or iterations, */
    uint32_t            n_slices;  /* of so many */
} hd_series_paths;

/* Over windows, if iterations is NULL. metric: one that is asked for, which may have no table of its own
 * (derived_series.h); HD_NONE: all that are stored. Errors: those of hd_path_series_list_read() and
 * hd_delay_path_series_add(). hd_series_paths_fini() it, also then. */
hd_status hd_series_paths_read(hd_cube *cube, const hd_series_list *windows, const hd_iteration_list *iterations,
                               uint32_t metric, hd_series_paths *paths);
void      hd_series_paths_fini(hd_series_paths *paths);

/* Of a row, by slice: values [paths->n_slices]. */
void hd_series_path_values(const hd_series_paths *paths, const hd_series_path_row *row, double *values);

#endif
