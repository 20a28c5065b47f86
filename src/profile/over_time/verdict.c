/* src/profile/over_time/verdict.c: figures of a series, and the limits at which they become words. */
#include "verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sort.h"

typedef struct ranked {
    uint64_t value;
    uint32_t at;
} ranked;

/* The largest one first. */
static inline uint64_t
key_of(const ranked *row)
{
    return ~row->value;
}

/* The fewest iterations with 80 % of the sum. */
static double
share_of(const ranked *rows, uint32_t n)
{
    uint64_t sum = 0, part = 0;
    uint32_t k   = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += rows[i].value;
    while (k < n && part < sum - sum / 5)
        part += rows[k++].value;
    return (double)k / n;
}

/* Spearman's, equal values with the mean of their ranks: Pearson's of ranks and iterations. Twice how far these are
 * from the middle are integers. */
static double
rank_correlation_of(const ranked *rows, uint32_t n)
{
    double both = 0, of_ranks = 0, of_places = (double)n * ((double)n * n - 1) / 3;

    for (uint32_t i = 0, end; i < n; i = end) {
        int64_t place = 2 * (int64_t)rows[i].at + 1 - n; /* sum of equal ones */
        double  rank;

        for (end = i + 1; HD_UNLIKELY(end < n && rows[end].value == rows[i].value); end++)
            place += 2 * (int64_t)rows[end].at + 1 - n;
        rank = (double)((int64_t)n - i - end);
        both += rank * (double)place;
        of_ranks += rank * rank * (end - i);
    }
    return of_ranks > 0 ? both / sqrt(of_ranks * of_places) : 0;
}

static double
sum_of(const uint64_t *values, uint32_t n)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += values[i];
    return (double)sum;
}

static double
change_of(const uint64_t *values, uint32_t n)
{
    uint32_t quarter = n / 4;

    return (sum_of(&values[n - quarter], quarter) - sum_of(values, quarter)) / quarter / (sum_of(values, n) / n);
}

/* What is left of the values without their mean and their slope, and `more` zeros. */
static double *
detrended(const uint64_t *values, uint32_t n, uint32_t more)
{
    double *rest = HD_NEW_ARRAY(double, (size_t)n + more), mean = sum_of(values, n) / n, middle = (n - 1) / 2.0;
    double  both = 0, squares = 0;

    for (uint32_t i = 0; i < n; i++) {
        both += ((double)values[i] - mean) * (i - middle);
        squares += (i - middle) * (i - middle);
    }
    for (uint32_t i = 0; i < n; i++)
        rest[i] = (double)values[i] - mean - both / squares * (i - middle);
    return rest;
}

enum { LAGS = 8, ROUGH_LAGS = 16 }; /* at a time: sums that do not wait for each other */

typedef double pair __attribute__((vector_size(2 * sizeof(double))));
typedef float four __attribute__((vector_size(4 * sizeof(float))));

/* Sums of products of the values with those `lag` to lag + LAGS - 1 behind them; these may be behind the end. */
static void
add_products(const double *rest, uint32_t n, uint32_t lag, double sums[LAGS])
{
    pair all[LAGS / 2] = { { 0 } }, later;

    for (const double *at = rest, *behind = rest + lag, *end = rest + (n - lag); at < end; at++, behind++)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < LAGS / 2; k++) {
            memcpy(&later, &behind[2 * k], sizeof later);
            all[k] += later * *at;
        }
    memcpy(sums, all, sizeof all);
}

/* The same, with a part of the precision. */
static void
add_rough_products(const float *rest, uint32_t n, uint32_t lag, float sums[ROUGH_LAGS])
{
    four all[ROUGH_LAGS / 4] = { { 0 } }, later;

    for (const float *at = rest, *behind = rest + lag, *end = rest + (n - lag); at < end; at++, behind++)
#pragma GCC unroll 4
        for (uint32_t k = 0; k < ROUGH_LAGS / 4; k++) {
            memcpy(&later, &behind[4 * k], sizeof later);
            all[k] += later * *at;
        }
    memcpy(sums, all, sizeof all);
}

#define PERIOD_CORRELATION 0.5
#define ROUGHLY 0.01

/* Whether some autocorrelation may be as high as that of a period. `rest` divided by the root of its squares has sums
 * of products of at most 1, whose rounding errors are n 2^-24 at most, 2^-8; divided by n - lag, not by n, half as much
 * again. */
static bool
may_repeat(const double *rest, uint32_t n, uint32_t most, double squares)
{
    float *rough = HD_NEW_ARRAY(float, (size_t)n + ROUGH_LAGS), sums[ROUGH_LAGS];
    double root  = sqrt(squares);
    bool   may   = false;

    for (uint32_t i = 0; i < n; i++)
        rough[i] = (float)(rest[i] / root);
    for (uint32_t lag = 1; lag <= most && !may; lag += ROUGH_LAGS) {
        add_rough_products(rough, n, lag, sums);
        for (uint32_t k = 0; k < ROUGH_LAGS && lag + k <= most; k++)
            may = may || (lag + k >= 2 && (double)sums[k] * n / (n - lag - k) > PERIOD_CORRELATION - ROUGHLY);
    }
    free(rough);
    return may;
}

/* The shortest lag at a local maximum of the autocorrelation that is nearly the highest of them. */
static uint32_t
period_of(const uint64_t *values, uint32_t n)
{
    uint32_t most = n / 3 < HD_VERDICT_MAX_LAG ? n / 3 : HD_VERDICT_MAX_LAG, period = 0;
    double  *rest, *correlations, squares = 0, highest = 0;

    if (n < HD_VERDICT_PERIOD_LEAST || n > HD_VERDICT_PERIOD_MOST)
        return 0;
    rest         = detrended(values, n, LAGS);
    correlations = HD_NEW_ARRAY(double, (size_t)most + 1 + LAGS);
    for (uint32_t i = 0; i < n; i++)
        squares += rest[i] * rest[i];
    if (squares > 0 && !may_repeat(rest, n, most, squares))
        most = 0;
    for (uint32_t lag = 1; lag <= most && squares > 0; lag += LAGS) {
        double sums[LAGS];

        add_products(rest, n, lag, sums);
        for (uint32_t k = 0; k < LAGS; k++)
            correlations[lag + k] = sums[k] / squares * n / (n - lag - k);
    }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t lag = 2; lag <= most && period == 0; lag++) {
            double c = correlations[lag];

            if (c < PERIOD_CORRELATION || c < correlations[lag - 1] || (lag < most && c < correlations[lag + 1]))
                continue;
            if (pass == 0)
                highest = c > highest ? c : highest;
            else if (c >= 0.9 * highest)
                period = lag;
        }
    free(rest);
    free(correlations);
    return period;
}

/* The distance of those that are not zero, if it is always the same. */
static uint32_t
every_of(const uint64_t *values, uint32_t n, uint32_t first, uint32_t n_with)
{
    uint32_t gap = 0, last = first;

    if (2 * (uint64_t)(n_with - 1) > n - 1 - first) /* some are one behind the other */
        return 0;
    for (uint32_t i = first + 1; i < n; i++) {
        if (values[i] == 0)
            continue;
        if (gap != 0 && i - last != gap)
            return 0;
        gap  = i - last;
        last = i;
    }
    return gap >= 2 && n_with >= 3 ? gap : 0;
}

enum { FEW = 8, MERGED_MOST = 1024 /* of more a counting sort is faster */ };

/* [n] by insertion. */
static inline void
sort_few(ranked *rows, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        ranked   row = rows[i];
        uint32_t at  = i;

        for (; at > 0 && rows[at - 1].value < row.value; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

/* Two sequences, one behind the other, into one; of equal ones those of the first one come first. */
static inline void
merge(const ranked *first, uint32_t n_first, const ranked *second, uint32_t n_second, ranked *to)
{
    const ranked *end = first + n_first, *second_end = second + n_second;

    while (first < end && second < second_end)
        *to++ = first->value >= second->value ? *first++ : *second++;
    memcpy(to, first, (size_t)(end - first) * sizeof *to);
    memcpy(to + (end - first), second, (size_t)(second_end - second) * sizeof *to);
}

/* The largest one first, equal ones in their order. Returns the rows, or other ones in their place. */
static ranked *
sort_by_merging(ranked *rows, uint32_t n)
{
    ranked *other = HD_NEW_UNSET(ranked, n), *swap;

    for (uint32_t i = 0; i < n; i += FEW)
        sort_few(&rows[i], n - i < FEW ? n - i : FEW);
    for (uint32_t length = FEW; length < n; length *= 2) {
        for (uint32_t i = 0; i < n; i += 2 * length) {
            uint32_t n_first = n - i < length ? n - i : length, rest = n - i - n_first;

            merge(&rows[i], n_first, &rows[i + n_first], rest < length ? rest : length, &other[i]);
        }
        swap  = rows;
        rows  = other;
        other = swap;
    }
    free(other);
    return rows;
}

/* [n] the largest first; free() them. */
static ranked *
rank(const uint64_t *values, uint32_t n)
{
    ranked *rows = HD_NEW_UNSET(ranked, n);

    for (uint32_t i = 0; i < n; i++)
        rows[i] = (ranked){ values[i], i };
    if (n <= MERGED_MOST)
        return sort_by_merging(rows, n);
    HD_SORT_BY_KEY(ranked, rows, n, key_of);
    return rows;
}

static void
find_drift(hd_verdict *verdict, const uint64_t *values, const ranked *rows)
{
    verdict->rank_correlation = rank_correlation_of(rows, verdict->n);
    verdict->change           = change_of(values, verdict->n);
    verdict->grows            = verdict->rank_correlation >= HD_DRIFT_CORRELATION && verdict->change >= HD_DRIFT_CHANGE;
    verdict->shrinks          = verdict->rank_correlation <= -HD_DRIFT_CORRELATION &&
                                verdict->change <= -HD_DRIFT_CHANGE;
}

bool
hd_verdict_has_drift(const uint64_t *values, uint32_t n)
{
    hd_verdict verdict = { .n = n };
    ranked    *rows;

    if (n < HD_VERDICT_LEAST || sum_of(values, n) <= 0 || fabs(change_of(values, n)) < HD_DRIFT_CHANGE)
        return false;
    rows = rank(values, n);
    find_drift(&verdict, values, rows);
    free(rows);
    return verdict.grows || verdict.shrinks;
}

static void
judge(hd_verdict *verdict, const uint64_t *values)
{
    uint32_t n    = verdict->n;
    ranked  *rows = rank(values, n);

    verdict->share  = share_of(rows, n);
    find_drift(verdict, values, rows);
    verdict->period = period_of(values, n);
    verdict->spread = verdict->share >= 0.5 ? HD_SPREAD_CHRONIC :
                      verdict->share <= 0.25 ? HD_SPREAD_TRANSIENT : HD_SPREAD_UNEVEN;
    free(rows);
}

hd_verdict
hd_verdict_of(const uint64_t *values, uint32_t n)
{
    hd_verdict verdict = { .n = n };

    for (uint32_t i = 0; i < n; i++) {
        if (values[i] == 0)
            continue;
        if (verdict.n_with++ == 0)
            verdict.first = verdict.worst = i;
        if (values[i] > values[verdict.worst])
            verdict.worst = i;
    }
    if (verdict.n_with == 0)
        return verdict;
    verdict.every = every_of(values, n, verdict.first, verdict.n_with);
    if (n >= HD_VERDICT_LEAST)
        judge(&verdict, values);
    return verdict;
}

const char *
hd_verdict_spread_id(hd_verdict_spread spread)
{
    static const char *const ids[] = { "-", "chronic", "uneven", "transient" };

    return ids[spread];
}

const char *
hd_verdict_words(char *words, const hd_verdict *verdict)
{
    char *at = words, *end = words + HD_VERDICT_BYTES;

    *at = '\0';
    if (verdict->n_with == 0 || verdict->spread == HD_SPREAD_UNKNOWN)
        return words;
    at = stpcpy(at, hd_verdict_spread_id(verdict->spread));
    at = stpcpy(at, verdict->grows ? ", growing" : verdict->shrinks ? ", shrinking" : "");
    if (verdict->every != 0)
        at += snprintf(at, (size_t)(end - at), ", only every %" PRIu32 " iterations", verdict->every);
    else if (verdict->period != 0)
        at += snprintf(at, (size_t)(end - at), ", repeats every %" PRIu32 " iterations", verdict->period);
    if (verdict->cluster != 0)
        snprintf(at, (size_t)(end - at), ", in cluster %" PRIu32, verdict->cluster);
    return words;
}
