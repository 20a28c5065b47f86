/* src/report/series/derived_series.h: series that a report does not store: sums of classes of MPI calls, such as all
 * communication, sums of delay costs, and imbalance, which are made of those that it has.
 *
 * Definition: docs/metrics.md#mpi-classes-over-time, #delay-costs-over-time, #imbalance-over-time. Uses: entry_sums,
 * iteration_list. MT: one thread. Ranks: local. Cost: O(entries log entries).
 */
#ifndef HD_DERIVED_SERIES_H
#define HD_DERIVED_SERIES_H

#include "iteration_list.h"
#include "path_series_list.h"

/* Of computation of processes; no call path has any. */
bool hd_metric_is_imbalance_over_time(uint32_t metric);

/* Adds those of the metric, of each process and slice; nothing if it is none of these, or the lists have nothing that
 * it is made of. n_processes: of the program. */
void hd_derived_series_add(hd_series_list *windows, hd_iteration_list *iterations, uint32_t metric,
                           uint32_t n_processes);
/* Likewise by call path: of a sum, one in each slice. Of a call path with several classes, as what is not kept apart,
 * `most` is NAN and process HD_NONE. */
void hd_derived_series_add_paths(hd_path_series_list *paths, uint32_t metric);

#endif
