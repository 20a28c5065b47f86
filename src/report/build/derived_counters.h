/* src/report/build/derived_counters.h: metrics that are computed from counters: instructions per cycle, misses, ...
 * (docs/metrics.md#derived-counters).
 *
 * A table of formulas, one a line; there is one built in, and `heddle analyze --derived FILE` adds to it or replaces rows:
 *
 *   ipc [instructions/cycle] "Instructions per cycle" = {PAPI_TOT_INS|instructions} / {PAPI_TOT_CYC|cycles}
 *
 * {..} names counters by patterns: the first that the archive has counts, with '*' the sum of all that match. Letters of
 * both cases are equal, and so are characters that are no letters or digits. `time` is the time of the call path without
 * idle threads, in seconds. A report has the metrics all of whose counters it has: as formulas of CubePL on sums, so that
 * each tool that opens reports computes them for what it shows.
 * Uses: cube_model, counter_model. Owner: hd_derived_counters_free(). MT: one thread at a time. Ranks: local.
 */
#ifndef HD_DERIVED_COUNTERS_H
#define HD_DERIVED_COUNTERS_H

#include "counter_model.h"
#include "status.h"

typedef struct hd_derived_counters hd_derived_counters;

/* The built-in table, and the file's; path: NULL: no file.
 * Errors: HD_EOPEN, HD_EREAD; HD_EUSAGE: a line is wrong: which, where and why. */
hd_status hd_derived_counters_read(const char *path, hd_derived_counters **table);
void      hd_derived_counters_free(hd_derived_counters *table);

/* How many rows there are: room that metrics need. */
uint32_t hd_derived_counters_n(const hd_derived_counters *table);

/* The ids of the file's rows, separated by ", ", that have counters which the archive lacks; free() it. NULL: none. */
char *hd_derived_counters_lacking(const hd_derived_counters *table, const hd_defs *defs);

/* Those that the archive has counters for.
 *   ids       [counters] of hd_counter_ids()
 *   parent    the number of the metric that they stand below
 *   metrics   [hd_derived_counters_n()] out; texts live as long as the table, expressions are the caller's to free
 * Returns how many. */
uint32_t hd_derived_counters_fill(const hd_derived_counters *table, const hd_defs *defs, char *const *ids,
                                  uint32_t parent, hd_cube_metric *metrics);

#endif
