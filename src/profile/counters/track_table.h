/* src/profile/counters/track_table.h: metrics recorded over time, by window (wait_series.h): what a sum grew by, and
 * what a level was.
 *
 * A difference belongs to the slice of its later value, so that slices add up to the sum. A level lasts until its next
 * value and is cut at the bounds of windows: its mean is over time. Definition: docs/metrics.md#counters-over-time.
 * Uses: trace, wait_series, analysis_comm. Owner: hd_track_table_fini(). MT: main thread. Grows with: metrics over
 * time, 64 bytes for each window.
 */
#ifndef HD_TRACK_TABLE_H
#define HD_TRACK_TABLE_H

#include "analysis_comm.h"
#include "trace.h"
#include "wait_series.h"

typedef struct hd_track_row {
    uint32_t counter, location; /* indices in the definitions; location: who recorded it */
    uint32_t slice, is_level;
    uint64_t n;                 /* values in the slice */
    double   sum;               /* of a sum: what it grew by */
    double   least, mean, most; /* of a level, also of one that began earlier; mean over time */
} hd_track_row;

typedef struct hd_track_table {
    hd_track_row *rows; /* [n] on rank 0, by counter, location and slice; where there is nothing there is none */
    size_t        n, capacity;
} hd_track_table;

/* Those of all ranks, whose values are kept (hd_load_request.level_values). windows->n 0: none. Ranks: all,
 * together. */
hd_track_table hd_track_table_gather(hd_analysis_comm *analysis_comm, const hd_trace *trace, const hd_windows *windows);
void           hd_track_table_fini(hd_track_table *table);

#endif
