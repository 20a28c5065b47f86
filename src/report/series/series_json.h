/* src/report/series/series_json.h: time series in JSON documents (docs/json.md#series). Uses: json, series_view. MT: one
 * thread. Ranks: local.
 */
#ifndef HD_SERIES_JSON_H
#define HD_SERIES_JSON_H

#include "json.h"
#include "series_counters.h"
#include "series_paths.h"
#include "series_view.h"

typedef struct hd_series_to_put {
    const hd_series_view     *view;
    const hd_series_paths    *paths;    /* rows by call path; those of the metric of the view count */
    const hd_series_counters *counters; /* all, where the view is of all metrics */
    const char               *counter;  /* id: only of this one, and no series and paths; NULL: of all */
} hd_series_to_put;

/* An object of the slices, of the rows that are not zero, of rows by call path, null if the report has none, and of
 * counters. */
void hd_json_series(hd_json *json, const char *key, const hd_cube *cube, const hd_series_to_put *put);

#endif
