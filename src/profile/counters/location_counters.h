/* src/profile/counters/location_counters.h: what the counters of an archive counted on a location, by call path.
 *
 * Definition: docs/metrics.md#counters. Uses: trace. Owner: the caller. MT: one thread at a time. Ranks: local. Grows
 * with: call paths at which something was counted, 4 bytes and 8 per counter each.
 */
#ifndef HD_LOCATION_COUNTERS_H
#define HD_LOCATION_COUNTERS_H

#include "trace.h"

typedef struct hd_location_counters {
    uint32_t *call_paths; /* [n] of the unified tree, ascending */
    uint64_t *values;     /* [n][counters of the definitions] as their types say */
    size_t    n;
} hd_location_counters;

/* The rows of call paths in [first, end), less `first`. Rows of zeros are left out.
 *   map        [nodes of the location] call paths; HD_NONE: none
 *   counters   [n_counters] definitions
 * Cost: linear. hd_location_counters_fini() it. */
hd_location_counters hd_location_counters_take(const hd_loaded_location *location, const uint32_t *map,
                                               const hd_counter_def *counters, uint32_t n_counters, uint32_t first,
                                               uint32_t end);
/* Both together. */
hd_location_counters hd_location_counters_sum(const hd_location_counters *a, const hd_location_counters *b,
                                              const hd_counter_def *counters, uint32_t n_counters);
void hd_location_counters_fini(hd_location_counters *rows);

/* The row of a call path, NULL: there is none. Cost: O(log n). */
const uint64_t *hd_location_counters_row(const hd_location_counters *rows, uint32_t n_counters, uint32_t call_path);

#endif
