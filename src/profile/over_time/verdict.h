/* src/profile/over_time/verdict.h: what a series of values over iterations looks like, in figures and words.
 *
 * Definition: docs/metrics.md#verdicts. Uses: base. MT: any thread. Ranks: local. Cost: O(n log n), and n times the
 * lags that are tried for a period. The same figures for the same values on any machine with IEEE arithmetic.
 */
#ifndef HD_VERDICT_H
#define HD_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HD_VERDICT_LEAST        = 8,     /* iterations for a verdict */
    HD_VERDICT_PERIOD_LEAST = 24,    /* for a period; */
    HD_VERDICT_PERIOD_MOST  = 65536, /* of more none is looked for */
    HD_VERDICT_MAX_LAG      = 1024   /* the longest period that is looked for */
};

#define HD_DRIFT_CORRELATION 0.5  /* it grows, or shrinks: at least these, or at most their negatives */
#define HD_DRIFT_CHANGE      0.25

typedef enum hd_verdict_spread {
    HD_SPREAD_UNKNOWN, HD_SPREAD_CHRONIC, HD_SPREAD_UNEVEN, HD_SPREAD_TRANSIENT
} hd_verdict_spread;

typedef struct hd_verdict {
    uint32_t n;           /* iterations */
    uint32_t n_with;      /* in which the value is not zero; 0: nothing else is known */
    uint32_t first, worst; /* iterations, from 0: the first that is not zero, the first of the largest ones */
    uint32_t every;       /* >= 2: not zero in every such iteration, from the first one to the last, and in no other;
                           * 0: not so */
    double   share;       /* of the iterations that hold 80 % of the sum, 0 to 1 */
    double   rank_correlation; /* Spearman's, of value and iteration */
    double   change;           /* last quarter less first quarter, of the mean */
    uint32_t period;      /* 0: none */
    hd_verdict_spread spread; /* HD_SPREAD_UNKNOWN: too few iterations */
    bool     grows, shrinks;
    uint32_t cluster;     /* from 1, of few iterations, which has most of the sum; 0: none, or not known: the
                           * caller's */
} hd_verdict;

/* values: [n], n > 0; sums below 2^63 */
hd_verdict hd_verdict_of(const uint64_t *values, uint32_t n);

/* Whether it grows or shrinks, as in the verdict. Cost: O(n log n) */
bool hd_verdict_has_drift(const uint64_t *values, uint32_t n);

enum { HD_VERDICT_BYTES = 96 };
/* "transient, growing, repeats every 10 iterations, in cluster 2"; "" if there is nothing to say. words: out,
 * [HD_VERDICT_BYTES], which is returned. */
const char *hd_verdict_words(char *words, const hd_verdict *verdict);

const char *hd_verdict_spread_id(hd_verdict_spread spread); /* "chronic", ...; "-": unknown */

#endif
