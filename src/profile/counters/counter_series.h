/* src/profile/counters/counter_series.h: what counters counted in computation over time: per counter, process and
 * slice, and per counter, call path and slice.
 *
 * In place of a metric rows have the index of a counter in hd_compared_counters, in place of ticks what it counted. The
 * same is used for counts of metrics (visits, messages, bytes), whose rows have the metric.
 * Definition: docs/metrics.md#counters-of-computation. Uses: wait_series, path_series, counter_log. MT: one thread at a
 * time. Ranks: local, unless a line says otherwise. Grows with: processes and slices, 8 bytes each for a counter.
 */
#ifndef HD_COUNTER_SERIES_H
#define HD_COUNTER_SERIES_H

#include "counter_log.h"
#include "path_series.h"

typedef struct hd_counter_series {
    hd_series      of_processes;
    hd_path_series of_paths;
} hd_counter_series;

_Static_assert((int)HD_COMPARED_MAX < (int)HD_N_METRICS, "a counter stands in place of a metric");

/* What is counted at most in a call path and a slice by a location; more is damage, and sums of all have 64 bits. */
static inline uint64_t
hd_counter_series_most(uint32_t n_locations)
{
    uint64_t share = (UINT64_C(1) << 62) / (n_locations + UINT64_C(1));

    return share < UINT64_C(1) << 52 ? share : UINT64_C(1) << 52;
}

/* n_slices: slices are below. */
void hd_counter_series_init(hd_counter_series *series, uint32_t n_slices);
/* Adds entries [n] of a process: place and slice of each as hd_severity.call_path of wait_rows.h has them. They are 0
 * to 2^52, and all of a call path together below 2^63. */
void hd_counter_series_add(hd_counter_series *series, const hd_severity *entries, size_t n, uint32_t process,
                           uint32_t n_processes);
/* Adds what another one has, of other processes, which is empty then. */
void hd_counter_series_join(hd_counter_series *series, hd_counter_series *more, uint32_t n_processes);
/* All ranks' on rank 0, nothing on the others. Ranks: all, together. MT: main thread only. */
void hd_counter_series_gather(hd_counter_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes);
void hd_counter_series_fini(hd_counter_series *series);

#endif
