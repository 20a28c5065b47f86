/* src/report/series/series_tracks.h: metrics recorded over time, by window: lines of block characters for a terminal, and
 * JSON. Uses: track_list, series_list, summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_TRACKS_H
#define HD_SERIES_TRACKS_H

#include "json.h"
#include "series_list.h"
#include "summary_page.h"
#include "track_list.h"

/* Below the lines of waiting time; nothing if there are none. windows: of the same report. */
void hd_series_tracks_print(const hd_summary_page *page, const hd_track_list *tracks, const hd_series_list *windows);

/* The member "tracks": an array. */
void hd_json_tracks(hd_json *json, const hd_track_list *tracks, const hd_series_list *windows);

#endif
