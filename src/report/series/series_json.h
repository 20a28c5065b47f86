/* src/report/series/series_json.h: time series in JSON documents (docs/json.md#series). Uses: json, series_view. MT: one
 * thread. Ranks: local.
 */
#ifndef HD_SERIES_JSON_H
#define HD_SERIES_JSON_H

#include "json.h"
#include "series_paths.h"
#include "series_view.h"

/* An object of the slices and the rows that are not zero. paths: its rows by call path, those of the metric of the view;
 * null if the report has none. */
void hd_json_series(hd_json *json, const char *key, const hd_cube *cube, const hd_series_view *view,
                    const hd_series_paths *paths);

#endif
