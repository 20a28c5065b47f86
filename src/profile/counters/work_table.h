/* src/profile/counters/work_table.h: what delayers and those that waited for them did in call paths that caused the
 * waiting, over the interval of each delay: time, and some counters.
 *
 * Definition: docs/metrics.md#work-or-speed. Values are integers, so they do not depend on who added them when. Uses:
 * trace, analysis_comm. Owner: hd_work_table_fini(). MT: one thread at a time. Grows with: locations that cause
 * waiting, and their call paths that do, 168 bytes each.
 */
#ifndef HD_WORK_TABLE_H
#define HD_WORK_TABLE_H

#include "analysis_comm.h"
#include "trace.h"

typedef struct hd_work {               /* on one side, summed up over delays */
    hd_span  time;                     /* [ticks] in the call path */
    uint64_t counted[HD_COMPARED_MAX]; /* there, of hd_compared_counters */
} hd_work;

typedef struct hd_work_row {
    uint32_t location;  /* of the delayer, index in the definitions */
    uint32_t call_path; /* of the unified tree */
    uint64_t n;         /* waits of others that it caused there; each has its own interval on both sides */
    hd_work  own, others;
} hd_work_row;

typedef struct hd_work_table {
    hd_work_row *rows; /* [n] */
    size_t       n, capacity;
    hd_table     index; /* location and call path -> row */
} hd_work_table;

void hd_work_table_init(hd_work_table *table);
void hd_work_table_fini(hd_work_table *table);

/* One more wait. Cost: O(1). */
void hd_work_table_add(hd_work_table *table, uint32_t location, uint32_t call_path, const hd_work *own,
                       const hd_work *others);
/* Of tables without rows in common. Takes them: `from` is empty then. */
void hd_work_table_take(hd_work_table *table, hd_work_table *from);
/* Rows of all ranks, on rank 0, by call path, then location; other ranks have none then. Ranks: all, together. */
void hd_work_table_gather(hd_work_table *table, hd_analysis_comm *analysis_comm);

#endif
