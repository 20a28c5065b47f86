/* src/report/series/series_delays.h: delay costs over time, among the other time series: entries of the same lists.
 *
 * Uses: delay_series_list, iteration_list. MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_DELAYS_H
#define HD_SERIES_DELAYS_H

#include "delay_series_list.h"
#include "iteration_list.h"

/* Adds those of both kinds of slices that the report has; sums of them: derived_series.h. has: out, the report has such
 * tables. Errors: those of hd_delay_series_add(). */
hd_status hd_series_delays_read(hd_cube *cube, hd_series_list *windows, hd_iteration_list *iterations, bool *has);
/* The same by call path, of windows, if iterations is NULL. Errors: those of hd_delay_path_series_add(). */
hd_status hd_series_delays_read_paths(hd_cube *cube, const hd_series_list *windows,
                                      const hd_iteration_list *iterations, hd_path_series_list *list);
/* "Late Sender, long-term", of a sum its name; free() it. */
char *hd_series_delay_name(uint32_t metric);

#endif
