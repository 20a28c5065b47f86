/* src/report/members/series_list.h: waiting time over time, as two tables that a report carries.
 *
 *   heddle.slices.tsv   slice · kind · from · to        kind: before, window, after; from, to: seconds since the begin of the trace
 *   heddle.series.tsv   metric · process · processes · slice · value
 *
 * A head line names the columns; times in seconds; places without waiting time are omitted. Definition:
 * docs/metrics.md#time-series. Uses: profile. MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_LIST_H
#define HD_SERIES_LIST_H

#include <stdio.h>

#include "wait_series.h"

#define HD_SLICES_MEMBER "heddle.slices.tsv"
#define HD_SERIES_MEMBER "heddle.series.tsv"

/* begin: of the trace; length: of it [ticks]; resolution: ticks of a second. Errors of writing stay with the stream. */
void hd_slices_write(FILE *file, const hd_windows *windows, hd_time begin, uint64_t length, uint64_t resolution);
void hd_series_write(FILE *file, const hd_series *series, uint64_t resolution);

#endif
