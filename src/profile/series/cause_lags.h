/* src/profile/series/cause_lags.h: how long after a delay others wait for it, in slices: a histogram for each kind of
 * wait state, the pairs of slices with the largest costs, and the costs of each slice, as that of the delay and as that
 * of the wait. Definition: docs/metrics.md#causes-over-time.
 * Uses: cause_table. Owner: hd_cause_lags_fini(). MT: any thread. Ranks: local. Memory: for each kind 32 bytes per row,
 * at most HD_LAG_BINS + HD_LAG_PAIRS, and 16 per slice.
 */
#ifndef HD_CAUSE_LAGS_H
#define HD_CAUSE_LAGS_H

#include "cause_table.h"

enum { HD_LAG_BINS = 64, HD_LAG_PAIRS = 16 };

typedef enum hd_lag_what {
    HD_LAG_BIN,    /* lags from the first to the last of them: the slice of the wait less that of the delay */
    HD_LAG_PAIR,   /* from: slice of the delay; to: slice of the wait */
    HD_LAG_DELAYS, /* of delays in slice from = to */
    HD_LAG_WAITS,  /* of waits in slice from = to */
    HD_N_LAG_WHATS
} hd_lag_what;

extern const char *const hd_lag_words[HD_N_LAG_WHATS]; /* in tables */

typedef struct hd_cause_lag {
    uint32_t    delay;   /* hd_delay */
    hd_lag_what what;    /* HD_LAG_BIN or HD_LAG_PAIR */
    int32_t     from, to;
    int64_t     value;   /* [fractions of a tick] direct costs, > 0 */
} hd_cause_lag;

typedef struct hd_cause_lags {
    hd_cause_lag *rows; /* [n] by kind; its bins, the lowest first; its pairs, the largest first */
    size_t        n, capacity;
    int64_t      *delays[HD_N_DELAYS]; /* [n_slices] [fractions of a tick] direct costs of delays in each slice; NULL:
                                        * there are none of the kind; */
    int64_t      *waits[HD_N_DELAYS];  /* [n_slices] likewise of waits; part of delays[] */
    uint32_t      n_slices;            /* the last one has costs */
} hd_cause_lags;

/* Of rows of slice of the delay, hd_effect() of kind and slice of the wait: those of hd_cause_table_gather(). Bins have
 * a width of one lag, or, where lags reach further, the smallest with which HD_LAG_BINS are enough; one begins at 0. */
hd_cause_lags hd_cause_lags_of(const hd_causes *slices);
void          hd_cause_lags_fini(hd_cause_lags *lags);

#endif
