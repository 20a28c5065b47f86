/* src/report/series/count_sums.h: sums of what was counted over time, such as all bytes, which a report does not have:
 * of the counts below them in the tree of metrics.
 * Definition: docs/metrics.md#counts-over-time. Uses: counter_series_list. MT: one thread. Ranks: local. Cost:
 * O(entries) for each sum.
 */
#ifndef HD_COUNT_SUMS_H
#define HD_COUNT_SUMS_H

#include "counter_series_list.h"

/* Adds those of which the list has a count: names, and an entry for each process, or call path, and slice. The list has
 * been read with counts, and has no sums yet. */
void hd_count_sums_add(hd_counter_series_list *list);

/* Whether a metric is such a sum. id: of any metric */
bool hd_count_sums_have(const char *id);

#endif
