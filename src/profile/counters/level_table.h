/* src/profile/counters/level_table.h: what counters were that are no sums per call path: levels, and metrics recorded
 * over time.
 *
 * Definition: docs/metrics.md#counters-over-time. Uses: trace, analysis_comm. Owner: hd_level_table_fini(). MT: main
 * thread. Grows with: locations that recorded such values, 96 bytes for each counter.
 */
#ifndef HD_LEVEL_TABLE_H
#define HD_LEVEL_TABLE_H

#include "analysis_comm.h"
#include "trace.h"

typedef struct hd_level_row {
    hd_level level;
    uint32_t location; /* index in the definitions: who recorded it */
} hd_level_row;

typedef struct hd_level_table {
    hd_level_row *rows; /* [n] on rank 0, by counter, then location */
    size_t        n;
} hd_level_table;

/* Those of all ranks. Ranks: all, together. */
hd_level_table hd_level_table_gather(hd_analysis_comm *analysis_comm, const hd_trace *trace);
void           hd_level_table_fini(hd_level_table *table);

/* Whether its values are levels: as declared, or since they fall. Else it is a sum. */
bool hd_level_is_level(const hd_defs *defs, const hd_level *level);

#endif
