/* src/profile/series/cause_lags.h: how long after a delay others wait for it, in slices: a histogram for each kind of
 * wait state, and the pairs of slices with the largest costs. Definition: docs/metrics.md#causes-over-time.
 * Uses: cause_table. Owner: free() rows. MT: any thread. Ranks: local. Memory: 32 bytes per row, at most HD_LAG_BINS +
 * HD_LAG_PAIRS for each kind.
 */
#ifndef HD_CAUSE_LAGS_H
#define HD_CAUSE_LAGS_H

#include "cause_table.h"

enum { HD_LAG_BINS = 64, HD_LAG_PAIRS = 16 };

typedef struct hd_cause_lag {
    uint32_t delay;   /* hd_delay */
    bool     is_pair; /* false: a bin */
    int32_t  from, to; /* bin: lags from the first to the last of them, the slice of the wait less that of the delay;
                        * pair: slice of the delay, slice of the wait */
    int64_t  value;   /* [fractions of a tick] direct costs, > 0 */
} hd_cause_lag;

typedef struct hd_cause_lags {
    hd_cause_lag *rows; /* [n] by kind; its bins, the lowest first, then its pairs, the largest first */
    size_t        n, capacity;
} hd_cause_lags;

/* Of rows of slice of the delay, hd_effect() of kind and slice of the wait: those of hd_cause_table_gather(). Bins have
 * a width of one lag, or, where lags reach further, the smallest with which HD_LAG_BINS are enough; one begins at 0. */
hd_cause_lags hd_cause_lags_of(const hd_causes *slices);

#endif
