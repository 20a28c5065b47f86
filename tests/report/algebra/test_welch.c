/* tests/report/algebra/test_welch.c: Welch's t test and the incomplete beta function, against closed forms and
 * published values. */
#include "welch.h"

#include <math.h>

#include "check.h"

#define CHECK_NEAR(a, b, tolerance) CHECK(fabs((a) - (b)) <= (tolerance))

static const double PI = 3.14159265358979323846;

/* p of |t| or more with so many degrees of freedom. */
static double
p_of(double t, double freedom)
{
    return hd_incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

TEST(the_incomplete_beta_function_is_that_of_closed_forms)
{
    for (int i = 0; i <= 100; i++) {
        double x = i / 100.0;

        CHECK_NEAR(hd_incomplete_beta(x, 1, 1), x, 1e-14);
        CHECK_NEAR(hd_incomplete_beta(x, 3, 1), x * x * x, 1e-14);
        CHECK_NEAR(hd_incomplete_beta(x, 1, 4), 1 - pow(1 - x, 4), 1e-14);
        CHECK_NEAR(hd_incomplete_beta(x, 0.5, 0.5), 2 / PI * asin(sqrt(x)), 1e-14);
        CHECK_NEAR(hd_incomplete_beta(x, 2.5, 7) + hd_incomplete_beta(1 - x, 7, 2.5), 1, 1e-14);
        CHECK_NEAR(hd_incomplete_beta(x, 2, 3), x * x * (6 - 8 * x + 3 * x * x), 1e-14);
    }
    CHECK_NEAR(hd_incomplete_beta(0.5, 40, 40), 0.5, 1e-13);
}

TEST(p_is_that_of_students_distribution)
{
    for (int i = -50; i <= 50; i++) {
        double t = i / 5.0;

        CHECK_NEAR(p_of(t, 1), 1 - 2 / PI * atan(fabs(t)), 1e-14);
        CHECK_NEAR(p_of(t, 2), 1 - fabs(t) / sqrt(2 + t * t), 1e-14);
    }
    /* tables of the quantiles for p = 0.05 and 0.01 */
    CHECK_NEAR(p_of(2.776445, 4), 0.05, 1e-7);
    CHECK_NEAR(p_of(2.228139, 10), 0.05, 1e-7);
    CHECK_NEAR(p_of(2.750, 30), 0.01, 1e-5);
    CHECK_NEAR(p_of(1.984, 100), 0.05, 2e-5);
    CHECK_NEAR(p_of(1.959963985, 1e9), 0.05, 1e-6);
}

/* Mean 20.82, variance 7.90 and 22.99, 3.83: t = -2.46, 25.0 degrees of freedom, p = 0.021 (from A to B +2.46). */
TEST(a_published_example_with_unequal_variances_comes_out)
{
    const double a[] = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4 };
    const double b[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4 };
    hd_welch     test = hd_welch_test(a, 15, b, 15), back = hd_welch_test(b, 15, a, 15);

    CHECK_NEAR(test.mean[0], 20.82, 1e-12);
    CHECK_NEAR(test.deviation[0] * test.deviation[0], 7.9, 0.05);
    CHECK_NEAR(test.t, 2.46, 0.005);
    CHECK_NEAR(test.freedom, 25.0, 0.05);
    CHECK_NEAR(test.p, 0.021, 0.0005);
    CHECK(hd_is_significant(test.p) && back.p == test.p && back.t == -test.t);
}

/* Means 2 and 6, variance 1 each of three: t = 4/sqrt(2/3), freedom 4. */
TEST(equal_variances_and_sizes_have_the_freedom_of_both)
{
    hd_welch test = hd_welch_test((double[]){ 1, 2, 3 }, 3, (double[]){ 5, 6, 7 }, 3);

    CHECK_NEAR(test.t, 4 / sqrt(2.0 / 3), 1e-14);
    CHECK_NEAR(test.freedom, 4, 1e-14);
    CHECK_NEAR(test.p, 0.008049893100837702, 1e-14); /* 1 - sin x (1 + cos² x / 2), x = atan(t / 2) */
}

TEST(without_two_values_of_each_nothing_is_tested)
{
    hd_welch test = hd_welch_test((double[]){ 1 }, 1, (double[]){ 5, 6 }, 2);

    CHECK(isnan(test.p) && isnan(test.t) && isnan(test.deviation[0]) && !hd_is_significant(test.p));
    CHECK(test.mean[0] == 1 && test.mean[1] == 5.5);
    CHECK_NEAR(test.deviation[1], sqrt(0.5), 1e-15);
}

TEST(values_without_noise_differ_or_do_not)
{
    CHECK(hd_welch_test((double[]){ 0.1, 0.1, 0.1 }, 3, (double[]){ 0.1, 0.1 }, 2).p == 1);
    CHECK(hd_welch_test((double[]){ 0.1, 0.1, 0.1 }, 3, (double[]){ 0.2, 0.2 }, 2).p == 0);
    CHECK(hd_welch_test((double[]){ 0.1, 0.1, 0.1 }, 3, (double[]){ 0.1, 0.1 }, 2).mean[0] == 0.1);
}

TEST_MAIN
