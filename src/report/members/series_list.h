/* src/report/members/series_list.h: waiting time over time, as two tables that a report carries.
 *
 *   heddle.slices.tsv   slice · kind · from · to        kind: before, window, after; from, to: seconds since the begin of the trace
 *   heddle.series.tsv   metric · process · processes · slice · value
 *
 * A head line names the columns; times in seconds; places without waiting time are omitted. Definition:
 * docs/metrics.md#time-series. Read tables are taken for damaged until checked. Uses: cube_reader, profile. MT: one
 * thread. Ranks: local.
 */
#ifndef HD_SERIES_LIST_H
#define HD_SERIES_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "wait_series.h"

#define HD_SLICES_MEMBER "heddle.slices.tsv"
#define HD_SERIES_MEMBER "heddle.series.tsv"

/* begin: of the trace; length: of it [ticks]; resolution: ticks of a second. Errors of writing stay with the stream. */
void hd_slices_write(FILE *file, const hd_windows *windows, hd_time begin, uint64_t length, uint64_t resolution);
void hd_series_write(FILE *file, const hd_series *series, uint64_t resolution);

/* The name in tables: of the metric, or "duration". */
const char *hd_series_metric_id(uint32_t metric);
/* The lines of a table of series. */
void hd_series_write_rows(FILE *file, const hd_series *series, uint64_t resolution);

typedef struct hd_slice_entry { /* [s] since the begin of the trace */
    double from, to;
} hd_slice_entry;

typedef struct hd_series_entry {
    uint32_t metric;              /* hd_metric */
    uint32_t process, n_processes; /* the first one, and how many from it on */
    uint32_t slice;
    double   value;               /* [s] */
} hd_series_entry;

typedef struct hd_series_list {
    hd_slice_entry  *slices;  /* [n_slices] at least 3: the first one is before all windows, the last one after them */
    hd_series_entry *entries; /* [n] as in the report */
    uint32_t         n_slices;
    size_t           n;
    bool             is_there; /* the report has such tables */
} hd_series_list;

/* hd_series_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty then. */
hd_status hd_series_list_read(hd_cube *cube, hd_series_list *list);
void      hd_series_list_fini(hd_series_list *list);

#endif
