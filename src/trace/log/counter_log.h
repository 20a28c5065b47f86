/* src/trace/log/counter_log.h: what some counters had counted in a location's call paths at the end of each interval of
 * the interval log in which they got time.
 *
 *   boundary     MPI_Send        MPI_Recv        MPI_Send
 *   │····main····[ ]····main·····[ ]····foo······[ ]          main 300, 500      foo 50: sums since the begin
 *
 * Sums, not differences: what a call path has between any two boundaries is one subtraction, found by bisection. Calls
 * of MPI are left out: what passes there is no work.
 * Uses: base. Owner: the trace. MT: written by the thread that loads the location, then read only. Ranks: local. Grows
 * with: intervals, 20 bytes for each of their call paths, and 8 per counter.
 */
#ifndef HD_COUNTER_LOG_H
#define HD_COUNTER_LOG_H

#include "scratch.h"
#include "types.h"

#define HD_COMPARED_MAX 8

typedef struct hd_compared_counters { /* those that root causes are compared by (docs/metrics.md#work-or-speed) */
    uint32_t n;
    uint32_t counters[HD_COMPARED_MAX]; /* [n] indices in the definitions: whole numbers that are sums or relative */
} hd_compared_counters;

typedef struct hd_counter_point {
    hd_time  from; /* begin of the interval */
    uint32_t node;
} hd_counter_point;

typedef struct hd_counter_log {
    hd_scratch       *scratch;
    hd_counter_point *points; /* [n] in the order of time */
    uint64_t         *values; /* [n][n_counters] sums until the end of the interval */
    uint32_t         *order;  /* [n] points by node, then time; NULL: it is not closed, or empty */
    uint32_t         *first;  /* [n_nodes + 1] of each node in it */
    size_t            n, capacity;
    uint32_t          n_counters;
} hd_counter_log;

void hd_counter_log_grow(hd_counter_log *log);

/* Returns where the values go. O(1), but where it grows. */
static inline uint64_t *
hd_counter_log_put(hd_counter_log *log, hd_time from, uint32_t node)
{
    size_t at = log->n++;

    if (HD_UNLIKELY(at == log->capacity))
        hd_counter_log_grow(log);
    log->points[at] = (hd_counter_point){ from, node };
    return log->values + at * log->n_counters;
}

/* It is complete. Cost: linear. */
void hd_counter_log_close(hd_counter_log *log, uint32_t n_nodes);
void hd_counter_log_fini(hd_counter_log *log);

/* Whether a node has points; the log is closed. */
bool hd_counter_log_has(const hd_counter_log *log, uint32_t node);
/* Adds to sums [n_counters] what the node has in the intervals that begin in [from, to). *hint: of the node, where it
 * was found last; at first any number. Cost: O(log) of the points between, and of those since there. */
void hd_counter_log_add(const hd_counter_log *log, uint32_t node, hd_time from, hd_time to, uint32_t *hint,
                        uint64_t *sums);

#endif
