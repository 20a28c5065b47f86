/* src/profile/wait_statistic.h: instances of wait states, and what is said of many of them.
 * Uses: metric, base. Owner: plain data. MT: any thread. Ranks: local.
 */
#ifndef HD_WAIT_STATISTIC_H
#define HD_WAIT_STATISTIC_H

#include "metric.h"
#include "types.h"

enum { HD_MAX_WAITERS = 8 }; /* of an instance that are reported */

typedef struct hd_waiter {
    uint32_t process, thread;
    uint32_t call_path; /* of the unified tree, where it waited */
    uint32_t unused;
    hd_time  from;      /* begin of the wait */
    hd_span  wait;      /* > 0, less than the time until it ended where it did something else meanwhile */
} hd_waiter;

typedef struct hd_instance {
    uint32_t  metric;            /* hd_metric */
    uint32_t  n_waiters;         /* kept here */
    hd_span   waiting;           /* of all who waited */
    hd_time   enter, leave;      /* of the first waiter's call */
    uint32_t  peer, peer_thread; /* whom it waited for, HD_NONE: unknown */
    hd_waiter waiters[HD_MAX_WAITERS]; /* the longest first, of equals that of the lowest process, then thread, then the
                                        * earliest */
} hd_instance;

/* Adds a part of the same operation, of other members. into->n_waiters == 0: there was none yet. */
void hd_instance_add_part(hd_instance *into, const hd_instance *part);

/* The order of instances of a metric: the longest first, of equals that of the lowest process, then thread, then the
 * earliest. */
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
double hd_wait_statistic_variance(const hd_wait_statistic *statistic); /* [ticks^2] the mean of the squares minus the
                                                                        * square of the mean */

typedef struct hd_wait_statistics {
    hd_wait_statistic *rows;      /* [n] by metric; of each first all of it, then by call path */
    hd_instance       *instances; /* [n_instances] by metric, in the order of hd_instance_precedes() */
    size_t             n, n_instances;
} hd_wait_statistics;

void hd_wait_statistics_fini(hd_wait_statistics *statistics);

#endif
