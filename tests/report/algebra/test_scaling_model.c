/* tests/report/algebra/test_scaling_model.c: terms are found again in values made from them, with and without noise. */
#include "scaling_model.h"

#include <math.h>
#include <string.h>

#include "check.h"

enum { MAX_SIZES = 7, N_CASES = 100, MANY_CASES = 2000 };
static const double powers[MAX_SIZES] = { 2, 4, 8, 16, 32, 64, 128 };

/* Uniform in (0, 1), the same in every run (xorshift64*). */
static double
random_part(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)(*state * UINT64_C(2685821657736338717) >> 11) + 0.5) / 9007199254740992.0;
}

/* Normal with standard deviation 1 (Box and Muller). */
static double
random_normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(random_part(state)));

    return radius * cos(6.283185307179586 * random_part(state));
}

static double
term(double size, double exponent, int logs)
{
    double value = pow(size, exponent);

    while (logs-- > 0)
        value *= log2(size);
    return value;
}

/* How often of n_cases a term is found; constant: in terms at the smallest size. */
static int
found_at(const double *sizes, uint32_t n, double exponent, int logs, double constant, double noise, int n_cases)
{
    uint64_t state = UINT64_C(88172645463325252);
    int      found = 0;

    for (int k = 0; k < n_cases; k++) {
        double           values[MAX_SIZES];
        hd_scaling_model model;

        for (uint32_t i = 0; i < n; i++)
            values[i] = (constant * term(sizes[0], exponent, logs) + term(sizes[i], exponent, logs)) *
                        (1 + noise * random_normal(&state));
        model = hd_scaling_model_fit(sizes, values, n);
        found += model.term != NULL && fabs(hd_scaling_term_exponent(model.term) - exponent) < 1e-12 &&
                 model.term->log_exponent == logs;
    }
    return found;
}

static int
found_of(uint32_t n, double exponent, int logs, double constant)
{
    return found_at(powers, n, exponent, logs, constant, 0.05, N_CASES);
}

/* The table of docs/metrics.md#scaling-models: of 100 series so many are found at least. */
TEST(terms_are_found_as_often_as_the_documentation_says)
{
    static const double wide[] = { 4, 16, 64, 256 };
    static const struct {
        const double *sizes;
        uint32_t      n;
        double        constant;
        double        percent[4]; /* p, log p, p log p, p^2 */
    } rows[] = {
        { powers, 4, 0, { 97, 99, 99, 99 } }, { powers, 4, 1, { 83, 96, 98, 98 } }, { wide, 4, 0, { 99, 99, 99, 99 } },
        { wide, 4, 1, { 97, 99, 92, 78 } }, { powers, 5, 0, { 99, 99, 99, 99 } }, { powers, 5, 1, { 93, 98, 94, 98 } },
        { powers, 6, 0, { 99, 99, 99, 99 } }, { powers, 6, 1, { 98, 99, 98, 99 } },
    };
    static const double exponents[] = { 1, 0, 1, 2 };
    static const int    logs[]      = { 0, 1, 1, 0 };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < 4; k++) {
            int found = found_at(rows[i].sizes, rows[i].n, exponents[k], logs[k], rows[i].constant, 0.05, MANY_CASES);

            CHECK(found >= rows[i].percent[k] / 100 * MANY_CASES);
        }
}

TEST(p_log_p_p_log_p_and_p_squared_are_found_in_95_of_100_series)
{
    for (uint32_t n = 5; n <= 7; n++)
        for (int constant = 0; constant < (n > 5 ? 2 : 1); constant++) {
            CHECK(found_of(n, 1, 0, constant) >= 95);
            CHECK(found_of(n, 0, 1, constant) >= 95);
            CHECK(found_of(n, 1, 1, constant) >= 95);
            CHECK(found_of(n, 2, 0, constant) >= 95);
        }
}

TEST(what_shrinks_and_what_stays_is_found_too)
{
    CHECK(found_of(6, -1, 0, 0) >= 95);
    CHECK(found_of(6, 0, 0, 0) >= 90);
}

TEST(without_noise_every_term_is_found_with_its_numbers)
{
    static const double exponents[] = { -0.75, -0.5, -0.25, 0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1.25, 4.0 / 3, 1.5, 2.5,
                                        3 };

    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
        double           values[6];
        hd_scaling_model model;

        for (uint32_t i = 0; i < 6; i++)
            values[i] = 3 + 0.25 * pow(powers[i], exponents[k]);
        model = hd_scaling_model_fit(powers, values, 6);
        CHECK(model.term != NULL && fabs(hd_scaling_term_exponent(model.term) - exponents[k]) < 1e-12);
        CHECK(model.term->log_exponent == 0);
        CHECK(fabs(model.constant - 3) < 1e-6 && fabs(model.factor - 0.25) < 1e-6 && model.error < 1e-6);
        CHECK(fabs(hd_scaling_model_at(&model, 1024) / (3 + 0.25 * pow(1024, exponents[k])) - 1) < 1e-6);
    }
}

TEST(few_sizes_and_values_without_an_order_have_no_model)
{
    CHECK(hd_scaling_model_fit(powers, (double[]){ 1, 2, 4 }, 3).term == NULL);
    CHECK(hd_scaling_model_fit(powers, (double[]){ 1, 2, 4, 8 }, 4).term != NULL);
    CHECK(hd_scaling_model_fit(powers, (double[]){ 1, 50, 2, 70, 1 }, 5).term == NULL);
    CHECK(hd_scaling_model_fit(powers, (double[]){ 1, 2, NAN, 8, 16 }, 5).term == NULL);
    CHECK(hd_scaling_model_fit(powers, (double[]){ 1, 2, -4, 8, 16 }, 5).term == NULL);
    CHECK(hd_scaling_model_fit(powers, NULL, 0).term == NULL);
}

TEST(zeros_count_only_behind_values)
{
    CHECK(hd_scaling_model_fit(powers, (double[]){ 0, 4, 8, 16, 32 }, 5).term != NULL);
    CHECK(hd_scaling_model_fit(powers, (double[]){ 0, 0, 8, 16, 32 }, 5).term == NULL);
    CHECK(hd_scaling_model_fit(powers, (double[]){ 4, 8, 16, 32, 0 }, 5).term == NULL);
    CHECK(hd_scaling_model_fit(powers, (double[]){ 0, 0, 0, 0, 0 }, 5).term == NULL);
}

TEST(the_same_values_in_another_unit_have_the_same_model)
{
    double           small[6], large[6];
    hd_scaling_model a, b;

    for (uint32_t i = 0; i < 6; i++) {
        small[i] = 1e-9 * (1 + log2(powers[i]));
        large[i] = 1e18 * small[i];
    }
    a = hd_scaling_model_fit(powers, small, 6);
    b = hd_scaling_model_fit(powers, large, 6);
    CHECK(a.term != NULL && strcmp(a.term->text, "log p") == 0 && a.term == b.term);
    CHECK(fabs(b.factor / a.factor / 1e18 - 1) < 1e-9);
}

TEST_MAIN
