/* src/profile/instance_table.h: how long the instances of each wait state were, and which were the worst.
 *
 * An instance is a call that waited, or a blocking collective operation, or a barrier of threads, with all its members.
 * Per metric and call path: count, sum, sum of squares, extremes, the worst instance, and for quartiles the first 1,024
 * values; where there are more, a histogram of all in their place; per metric the worst N. Everything is an integer and
 * every choice has one outcome, so that nothing depends on who added what when. What it means:
 * docs/formats.md#statistics.
 * Uses: wait_statistic, base, analysis_comm. MT: one thread at a time. Ranks: local, unless a line says otherwise.
 * Grows with: metrics and call paths that have instances, 500 bytes each, and 8 to 16 for each of their values, at most
 * 1,024; or, where there are more, buckets of histograms that are not empty, 32 to 64 bytes each; 296 bytes per
 * instance that is kept, at most N for each metric.
 */
#ifndef HD_INSTANCE_TABLE_H
#define HD_INSTANCE_TABLE_H

#include "analysis_comm.h"
#include "map.h"
#include "wait_statistic.h"

typedef struct hd_instance_heap { /* the worst of a metric, the one that goes first on top */
    hd_instance *instances; /* [n] */
    size_t       n, capacity;
} hd_instance_heap;

enum { HD_MAX_VALUES = 1024 }; /* of a metric at a call path that are kept one by one */

typedef struct hd_wait_values { /* of a metric at a call path */
    hd_span *values; /* [n] in any order */
    size_t   n, capacity;
    bool     in_buckets; /* there were too many: n == 0, all are in the histogram */
} hd_wait_values;

typedef struct hd_instance_table {
    hd_map             index;      /* metric << 32 | call path -> place in statistics */
    hd_wait_statistic *statistics; /* [n] */
    size_t             n, capacity;
    hd_wait_values    *values;     /* [n] */
    size_t             capacity_values;
    hd_map             buckets;    /* place in statistics << 16 | bucket -> count */
    hd_instance_heap   heaps[HD_N_METRICS];
    uint32_t           n_worst;    /* of each metric that are kept; 0: only the worst of each call path */
} hd_instance_table;

hd_instance_table *hd_instance_table_new(uint32_t n_worst);
void               hd_instance_table_free(hd_instance_table *table);

/* An instance, with one waiter at least. O(1), O(log N) where it is one of the worst N; memory is taken only where
 * something grows. */
void hd_instance_table_add(hd_instance_table *table, const hd_instance *instance);
void hd_instance_table_merge(hd_instance_table *table, const hd_instance_table *from); /* n_worst equal */

/* What all ranks have found, on rank 0; nothing on the others. Without n_worst the instances are the worst one of each
 * call path.
 * Ranks: all, together; n_worst equal on all. MT: main thread only. */
hd_wait_statistics hd_instance_table_gather(hd_instance_table *table, hd_analysis_comm *analysis_comm);

/* The buckets of histograms: 64 for each power of two, of one tick below 128. */
enum { HD_BUCKETS_OF_OCTAVE_BITS = 6,
       HD_N_BUCKETS = (63 - HD_BUCKETS_OF_OCTAVE_BITS + 1) << HD_BUCKETS_OF_OCTAVE_BITS };

static inline uint32_t
hd_bucket_of(hd_span wait) /* wait >= 0 */
{
    uint64_t value  = (uint64_t)wait;
    uint32_t octave = value >> HD_BUCKETS_OF_OCTAVE_BITS == 0 ? HD_BUCKETS_OF_OCTAVE_BITS :
                      63 - (uint32_t)__builtin_clzll(value);
    uint32_t shift  = octave - HD_BUCKETS_OF_OCTAVE_BITS;

    return (shift << HD_BUCKETS_OF_OCTAVE_BITS) + (uint32_t)(value >> shift);
}

/* The least value of a bucket, and how many values there are in it. */
static inline uint64_t
hd_bucket_values(uint32_t bucket, uint64_t *n)
{
    uint32_t shift = bucket >> HD_BUCKETS_OF_OCTAVE_BITS;

    shift = shift == 0 ? 0 : shift - 1;
    *n    = UINT64_C(1) << shift;
    return (uint64_t)(bucket - (shift << HD_BUCKETS_OF_OCTAVE_BITS)) << shift;
}

#endif
