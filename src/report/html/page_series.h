/* src/report/html/page_series.h: time series in the head of the HTML report (docs/formats.md#page), for its heat map.
 *
 * Neighbours are added up where there are many: at most 64 rows of processes, and 256 columns of windows or iterations.
 * Uses: json, series_list, iteration_list. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_PAGE_SERIES_H
#define HD_PAGE_SERIES_H

#include "cube_reader.h"
#include "json.h"

/* An object "windows" and "iterations", each null where the report has none. Errors: those of hd_series_list_read() and
 * hd_iteration_list_read(). */
hd_status hd_page_put_series(hd_json *json, const char *key, hd_cube *cube);

/* Causes over time, or null. Errors: those of hd_lag_list_read(). */
hd_status hd_page_put_lags(hd_json *json, const char *key, hd_cube *cube);

#endif
