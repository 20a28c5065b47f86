/* tests/profile/test_verdict.c: series with known shapes, each beside one that is just not so
 * (docs/metrics.md#verdicts). */
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { N = 48 };

static bool
says(const uint64_t *values, uint32_t n, const char *words)
{
    hd_verdict verdict = hd_verdict_of(values, n);
    char        buffer[HD_VERDICT_BYTES];
    const char *text   = hd_verdict_words(buffer, &verdict);
    bool        same   = strcmp(text, words) == 0;

    if (!same)
        fprintf(stderr, "\"%s\", not \"%s\"\n", text, words);
    return same;
}

TEST(half_of_the_iterations_with_80_percent_are_chronic_a_quarter_is_transient)
{
    uint64_t values[N];

    for (uint32_t k = 1; k <= N; k++) {
        for (uint32_t i = 0; i < N; i++)
            values[i] = (i * 29) % N < k ? 1000 + (i * 7) % 3 : 0; /* k of them, scattered */
        double share = hd_verdict_of(values, N).share;

        CHECK(share * N >= 0.8 * k - 1e-9 && share * N < 0.8 * k + 1);
        CHECK_EQ(hd_verdict_of(values, N).spread,
                 share >= 0.5 ? HD_SPREAD_CHRONIC : share <= 0.25 ? HD_SPREAD_TRANSIENT : HD_SPREAD_UNEVEN);
        CHECK_EQ(hd_verdict_of(values, N).n_with, k);
    }
}

TEST(what_grows_by_a_quarter_of_the_mean_is_growing)
{
    uint64_t values[N];

    for (uint32_t i = 0; i < N; i++)
        values[i] = 1000 + i * 10;
    CHECK(says(values, N, "chronic, growing"));
    CHECK(hd_verdict_has_drift(values, N));
    for (uint32_t i = 0; i < N / 2; i++) {
        uint64_t value = values[i];

        values[i]         = values[N - 1 - i];
        values[N - 1 - i] = value;
    }
    CHECK(says(values, N, "chronic, shrinking"));
    CHECK(hd_verdict_has_drift(values, N));
    CHECK(hd_verdict_of(values, N).rank_correlation == -1);
    for (uint32_t i = 0; i < N; i++) /* 36 of 1141 */
        values[i] = 1100 + i;
    CHECK(says(values, N, "chronic"));
    CHECK(!hd_verdict_has_drift(values, N));
}

TEST(equal_values_have_the_mean_of_their_ranks)
{
    const uint64_t steps[] = { 1, 1, 1, 1, 2, 2, 2, 2 }, flat[] = { 3, 3, 3, 3, 3, 3, 3, 3 };

    /* ranks 2.5 and 6.5: covariance 32, variances 32 and 42 */
    CHECK(hd_verdict_of(steps, 8).rank_correlation > 0.87286 && hd_verdict_of(steps, 8).rank_correlation < 0.87288);
    CHECK(hd_verdict_of(steps, 8).change == 1 / 1.5);
    CHECK(hd_verdict_of(flat, 8).rank_correlation == 0);
    CHECK(says(flat, 8, "chronic"));
}

TEST(only_every_tenth_is_not_repeated_every_tenth)
{
    uint64_t values[N] = { 0 };

    for (uint32_t i = 3; i < N; i += 10)
        values[i] = 500;
    CHECK(says(values, N, "transient, only every 10 iterations"));
    CHECK_EQ(hd_verdict_of(values, N).first, 3);
    values[5] = 1;
    CHECK_EQ(hd_verdict_of(values, N).every, 0);
    CHECK_EQ(hd_verdict_of(values, N).period, 10);
    for (uint32_t i = 0; i < N; i++)
        values[i] = i % 6 == 1 ? 900 : 600;
    CHECK(says(values, N, "chronic, repeats every 6 iterations"));
    CHECK(says(values, 23, "chronic")); /* too short for a period */
}

/* As defined. */
static uint32_t
period_of(const uint64_t *values, uint32_t n)
{
    double rest[256], c[256] = { 0 }, mean = 0, middle = (n - 1) / 2.0, both = 0, squares = 0, all = 0, highest = 0;

    for (uint32_t i = 0; i < n; i++)
        mean += (double)values[i] / n;
    for (uint32_t i = 0; i < n; i++) {
        both += ((double)values[i] - mean) * (i - middle);
        squares += (i - middle) * (i - middle);
    }
    for (uint32_t i = 0; i < n; i++) {
        rest[i] = (double)values[i] - mean - both / squares * (i - middle);
        all += rest[i] * rest[i];
    }
    for (uint32_t lag = 1; lag <= n / 3; lag++) {
        for (uint32_t i = lag; i < n; i++)
            c[lag] += rest[i] * rest[i - lag];
        c[lag] *= n / all / (n - lag);
    }
    for (uint32_t lag = 2; lag <= n / 3; lag++)
        if (c[lag] >= 0.5 && c[lag] >= c[lag - 1] && (lag == n / 3 || c[lag] >= c[lag + 1]))
            highest = c[lag] > highest ? c[lag] : highest;
    for (uint32_t lag = 2; lag <= n / 3 && highest > 0; lag++)
        if (c[lag] >= 0.5 && c[lag] >= c[lag - 1] && (lag == n / 3 || c[lag] >= c[lag + 1]) && c[lag] >= 0.9 * highest)
            return lag;
    return 0;
}

/* A period and noise, from all of one to all of the other. */
TEST(a_period_in_noise_is_found_from_an_autocorrelation_of_a_half_on)
{
    uint64_t values[256];
    uint32_t state = 1, n_with = 0, n_without = 0;

    for (uint32_t n = 24; n < 256; n += 7)
        for (uint32_t period = 2; period <= n / 3; period = period * 3 / 2 + 1)
            for (uint32_t noise = 0; noise <= 1000; noise += 20) {
                uint32_t expected, found;

                for (uint32_t i = 0; i < n; i++) {
                    state     = state * 1664525 + 1013904223;
                    values[i] = 100000 + (i % period == 0) * 1000 + (uint64_t)(state >> 16) * noise / 65536;
                }
                expected = period_of(values, n);
                found    = hd_verdict_of(values, n).period;
                CHECK_EQ(found, expected);
                n_with += found > 0;
                n_without += found == 0;
            }
    CHECK(n_with > 1000 && n_without > 1000);
}

TEST(the_worst_is_the_first_of_the_largest)
{
    const uint64_t values[] = { 0, 4, 9, 1, 9, 2, 3, 4 };

    CHECK_EQ(hd_verdict_of(values, 8).first, 1);
    CHECK_EQ(hd_verdict_of(values, 8).worst, 2);
}

TEST(few_iterations_and_nothing_have_no_verdict)
{
    const uint64_t values[8] = { 0, 0, 5, 0, 0, 0, 0, 0 }, none[8] = { 0 };

    CHECK(says(values, 7, ""));
    CHECK_EQ(hd_verdict_of(values, 7).worst, 2);
    CHECK(says(values, 8, "transient"));
    CHECK(says(none, 8, ""));
    CHECK(!hd_verdict_has_drift(none, 8) && !hd_verdict_has_drift(values, 7));
    CHECK_EQ(hd_verdict_of(none, 8).n_with, 0);
    CHECK_EQ(hd_verdict_of(values, 1).n_with, 0);
}

TEST(large_ticks_and_many_iterations_do_not_overflow)
{
    enum { MANY = 70000 };
    uint64_t  *values = calloc(MANY, sizeof *values);
    hd_verdict verdict;

    if (values == NULL)
        abort();
    for (uint32_t i = 0; i < MANY; i++)
        values[i] = (UINT64_C(1) << 46) + i % 7;
    verdict = hd_verdict_of(values, MANY);
    CHECK_EQ(verdict.spread, HD_SPREAD_CHRONIC);
    CHECK_EQ(verdict.period, 0); /* too many */
    CHECK_EQ(hd_verdict_of(values, HD_VERDICT_PERIOD_MOST).period, 7);
    free(values);
}

TEST_MAIN
