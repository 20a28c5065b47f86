/* src/report/members/lag_list.h: causes over time, as tables that a report carries.
 *
 *   heddle.lags.tsv         by · wait state · what · from · to · value
 *   heddle.lag-slices.tsv   wait state · what · resolution · first · values
 *
 * by: slices are "iterations" or "windows". what: "lag", from and to are the first and the last lag of a bin; "pair",
 * they are the slice of the delay and that of the wait; value: direct costs in seconds. In the other table: "delays"
 * and "waits", values are the direct costs of delays, or of waits, in slice `first` and those behind it, separated by
 * commas, an empty one is 0; resolution: so many are a second, a real number. Definition:
 * docs/metrics.md#causes-over-time. Read tables are taken for damaged until checked. Uses: cube_reader, profile. MT: one
 * thread. Ranks: local.
 */
#ifndef HD_LAG_LIST_H
#define HD_LAG_LIST_H

#include <stdio.h>

#include "cause_lags.h"
#include "cube_reader.h"

#define HD_LAGS_MEMBER "heddle.lags.tsv"
#define HD_LAG_SLICES_MEMBER "heddle.lag-slices.tsv"

/* per_second: of the units of values. Errors of writing stay with the stream. */
void hd_lags_write(FILE *file, const hd_cause_lags *lags, bool by_iterations, double per_second);
/* fraction: a power of two, of which values are parts of a tick. */
void hd_lag_slices_write(FILE *file, const hd_cause_lags *lags, double fraction, uint64_t resolution);

typedef struct hd_lag_entry {
    uint32_t    delay;    /* hd_delay */
    hd_lag_what what;
    int32_t     from, to; /* as in hd_cause_lag */
    double      value;    /* [s] */
} hd_lag_entry;

typedef struct hd_lag_list {
    hd_lag_entry *entries; /* [n] as in the report: bins and pairs, then delays and waits; */
    size_t        n;       /* values of slices that are 0 are left out */
    bool          is_there, by_iterations;
} hd_lag_list;

/* hd_lag_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty then. */
hd_status hd_lag_list_read(hd_cube *cube, hd_lag_list *list);
void      hd_lag_list_fini(hd_lag_list *list);

#endif
