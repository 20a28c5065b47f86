/* src/profile/series/delay_series.h: delay costs of all processes over time: per metric, process that delays and slice,
 * and per metric, call path and slice, of windows and of iterations. Definition:
 * docs/metrics.md#delay-costs-over-time.
 *
 * In place of ticks rows have parts of a tick. Call paths are kept that have the largest costs, of all metrics, at and
 * below them.
 * Uses: wait_series, path_series, path_fold. Owner: hd_delay_series_fini(). MT: one thread at a time. Ranks: local,
 * unless a line says otherwise. Grows with: what path_series.h and wait_series.h say.
 */
#ifndef HD_DELAY_SERIES_H
#define HD_DELAY_SERIES_H

#include "path_fold.h"
#include "path_series.h"

enum { HD_DELAY_TRACKS = 2 /* windows, iterations */ };

typedef struct hd_delay_track {
    hd_series      of_processes; /* packed, once gathered */
    hd_path_series of_paths;
} hd_delay_track;

typedef struct hd_delay_series {
    hd_delay_track tracks[HD_DELAY_TRACKS]; /* [n_tracks] */
    uint32_t       n_tracks; /* 0: not wanted; the same on all ranks */
    hd_path_fold   fold;     /* of the call paths */
    double         fraction; /* parts of a tick */
} hd_delay_series;

/* n_slices: of the track. */
void hd_delay_track_init(hd_delay_track *track, uint32_t n_slices);
/* Adds entries [n] of a process: place and slice of each as hd_severity.call_path of wait_rows.h has them; values are
 * above 0. Processes ascend. */
void hd_delay_track_add(hd_delay_track *track, const hd_severity *entries, size_t n, uint32_t process,
                        uint32_t n_processes);
/* Adds what another one has, of other processes, which is empty then. */
void hd_delay_track_join(hd_delay_track *track, hd_delay_track *more, uint32_t n_processes);
/* All ranks' on rank 0, nothing on the others. Ranks: all, together. MT: main thread only. */
void hd_delay_series_gather(hd_delay_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes);
void hd_delay_series_fini(hd_delay_series *series);

#endif
