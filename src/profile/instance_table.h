/* src/profile/instance_table.h: how long the instances of each wait state were, and which were the worst.
 *
 * An instance is a call that waited, or a blocking collective operation, or a barrier of threads, with all its members. Per metric and call
 * path: count, sum, sum of squares, extremes, a histogram and the worst instance; per metric the worst N. Everything is an integer and
 * every choice has one outcome, so that nothing depends on who added what when. What it means: docs/metrics.md#statistics.
 * Uses: metric, base, group. MT: one thread at a time. Ranks: local, unless a line says otherwise.
 * Grows with: metrics and call paths that have instances, 400 bytes each, and buckets of their histograms that are not empty, 32 to 64 bytes
 * each; 304 bytes per instance that is kept, at most N for each metric.
 */
#ifndef HD_INSTANCE_TABLE_H
#define HD_INSTANCE_TABLE_H

#include "group.h"
#include "map.h"
#include "metric.h"

enum { HD_MOST_WAITERS = 8 }; /* of an instance that are told */

typedef struct hd_waiter {
    uint32_t process, thread;
    uint32_t call_path; /* of the unified tree, where it waited */
    uint32_t unused;
    hd_time  from;      /* when it began to wait; */
    hd_span  wait;      /* > 0, less than the time until it ended where it did something else meanwhile */
} hd_waiter;

typedef struct hd_instance {
    uint32_t  metric;            /* hd_metric */
    uint32_t  n_waiters;         /* kept here */
    hd_span   waiting;           /* of all who waited */
    hd_time   enter, leave;      /* of the first waiter's call */
    uint32_t  peer, peer_thread; /* whom it waited for, HD_NONE: nobody knows */
    hd_waiter waiters[HD_MOST_WAITERS]; /* the longest first, of equals that of the lowest process, then thread, then the earliest */
} hd_instance;

/* Adds a part of the same operation, of other members. into->n_waiters == 0: there was none yet. */
void hd_instance_add_part(hd_instance *into, const hd_instance *part);

/* The order of instances of a metric: the longest first, of equals that of the lowest process, then thread, then the earliest. */
bool hd_instance_precedes(const hd_instance *a, const hd_instance *b);

__extension__ typedef unsigned __int128 hd_square_sum; /* [ticks^2] */

typedef struct hd_wait_statistic { /* of the instances of a metric at a call path */
    uint32_t      metric, call_path; /* call path of the unified tree; HD_NONE: all of them */
    uint64_t      count;             /* > 0 */
    hd_span       minimum, maximum, sum; /* [ticks] */
    hd_square_sum squares;
    double        lower_quartile, median, upper_quartile; /* [ticks]; 0 until hd_instance_table_gather() */
    hd_instance   worst;
} hd_wait_statistic;

double hd_wait_statistic_mean(const hd_wait_statistic *statistic);     /* [ticks] */
double hd_wait_statistic_variance(const hd_wait_statistic *statistic); /* [ticks^2] the mean of the squares minus the square of the mean */

typedef struct hd_instance_heap { /* the worst of a metric, the one that goes first on top */
    hd_instance *instances; /* [n] */
    size_t       n, capacity;
} hd_instance_heap;

typedef struct hd_instance_table {
    hd_map             index;      /* metric << 32 | call path -> place in statistics */
    hd_wait_statistic *statistics; /* [n] */
    size_t             n, capacity;
    hd_map             buckets;    /* place in statistics << 16 | bucket -> count */
    hd_instance_heap   heaps[HD_N_METRICS];
    uint32_t           n_worst;    /* of each metric that are kept; 0: only the worst of each call path */
} hd_instance_table;

hd_instance_table *hd_instance_table_new(uint32_t n_worst);
void               hd_instance_table_free(hd_instance_table *table);

/* An instance, with one waiter at least. O(1), O(log N) where it is one of the worst N; memory is taken only where something grows. */
void hd_instance_table_add(hd_instance_table *table, const hd_instance *instance);
void hd_instance_table_merge(hd_instance_table *table, const hd_instance_table *from); /* n_worst equal */

typedef struct hd_wait_statistics {
    hd_wait_statistic *rows;      /* [n] by metric; of each first all of it, then by call path */
    hd_instance       *instances; /* [n_instances] by metric, in the order of hd_instance_precedes() */
    size_t             n, n_instances;
} hd_wait_statistics;

/* What all ranks have found, on rank 0; nothing on the others. Without n_worst the instances are the worst one of each call path.
 * Ranks: all, together; n_worst equal on all. MT: main thread only. */
hd_wait_statistics hd_instance_table_gather(hd_instance_table *table, hd_group *group);
void               hd_wait_statistics_fini(hd_wait_statistics *statistics);

/* The buckets of histograms: 64 for each power of two, of one tick below 128. */
enum { HD_BUCKETS_OF_OCTAVE_BITS = 6, HD_N_BUCKETS = (63 - HD_BUCKETS_OF_OCTAVE_BITS + 1) << HD_BUCKETS_OF_OCTAVE_BITS };

static inline uint32_t
hd_bucket_of(hd_span wait) /* wait >= 0 */
{
    uint64_t value  = (uint64_t)wait;
    uint32_t octave = value >> HD_BUCKETS_OF_OCTAVE_BITS == 0 ? HD_BUCKETS_OF_OCTAVE_BITS : 63 - (uint32_t)__builtin_clzll(value);
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
