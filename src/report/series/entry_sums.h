/* src/report/series/entry_sums.h: sums of series of several metrics: entries of these, and of one slice, become one.
 *
 * Uses: path_series_list, series_list. MT: one thread. Ranks: local. Cost: O(n + m log m) for m entries of the parts.
 */
#ifndef HD_ENTRY_SUMS_H
#define HD_ENTRY_SUMS_H

#include "path_series_list.h"
#include "series_list.h"

/* Adds to entries [*n], which may move, those of metric `sum`, by process and slice. is_part: of each metric of
 * entries, whether the sum has it. */
void hd_entry_sums_add(hd_series_entry **entries, size_t *n, const bool *is_part, uint32_t sum);
/* Likewise by call path and slice. The most of a process is known where one metric has all of it: else it is NAN, and
 * process HD_NONE. */
void hd_entry_sums_add_paths(hd_path_entry **entries, size_t *n, const bool *is_part, uint32_t sum);

#endif
