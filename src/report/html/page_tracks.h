/* src/report/html/page_tracks.h: metrics recorded over time in the head of the HTML report (docs/formats.md#page), by
 * window: at most 64 of them. Uses: json, series_list, track_list. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_PAGE_TRACKS_H
#define HD_PAGE_TRACKS_H

#include "cube_reader.h"
#include "json.h"

/* An object; null where the report has none. Errors: those of hd_series_list_read() and hd_track_list_read(). */
hd_status hd_page_put_tracks(hd_json *json, const char *key, hd_cube *cube);

#endif
