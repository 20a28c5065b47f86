/* src/report/algebra/welch.c: Welch's t test; the incomplete beta function by its continued fraction. */
#include "welch.h"

#include <float.h>
#include <math.h>

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. Converges fast for x < (a +
 * 1)/(a + b + 2). */
static double
beta_fraction(double x, double a, double b)
{
    enum { MOST_STEPS = 100000 };
    const double tiny = DBL_MIN / DBL_EPSILON;
    double       c = 1, d = 1 - (a + b) * x / (a + 1), product;

    d       = 1 / (fabs(d) < tiny ? tiny : d);
    product = d;
    for (int m = 1; m < MOST_STEPS; m++) {
        const double terms[] = { m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                                 -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)) };
        double       change  = 1;

        for (int i = 0; i < 2; i++) {
            d      = 1 + terms[i] * d;
            c      = 1 + terms[i] / c;
            d      = 1 / (fabs(d) < tiny ? tiny : d);
            c      = fabs(c) < tiny ? tiny : c;
            change = c * d;
            product *= change;
        }
        if (fabs(change - 1) < 4 * DBL_EPSILON)
            break;
    }
    return product;
}

/* lgamma() writes signgam, which threads share. */
static double
log_gamma(double x)
{
    int sign;

    return lgamma_r(x, &sign);
}

double
hd_incomplete_beta(double x, double a, double b)
{
    double front;

    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a : 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* Equal values have exactly their mean, and no deviation. */
static void
describe(const double *values, uint32_t n, double *mean, double *deviation)
{
    double sum = 0, squares = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += values[i] - values[0];
    *mean = values[0] + sum / n;
    for (uint32_t i = 0; i < n; i++)
        squares += (values[i] - *mean) * (values[i] - *mean);
    *deviation = n > 1 ? sqrt(squares / (n - 1)) : NAN;
}

hd_welch
hd_welch_test(const double *a, uint32_t n_a, const double *b, uint32_t n_b)
{
    hd_welch test = { .t = NAN, .freedom = NAN, .p = NAN };
    double   error_a, error_b, error;

    describe(a, n_a, &test.mean[0], &test.deviation[0]);
    describe(b, n_b, &test.mean[1], &test.deviation[1]);
    if (n_a < 2 || n_b < 2)
        return test;
    error_a = test.deviation[0] * test.deviation[0] / n_a;
    error_b = test.deviation[1] * test.deviation[1] / n_b;
    error   = error_a + error_b;
    if (!(error > 0)) {
        test.p = test.mean[0] == test.mean[1] ? 1 : 0;
        return test;
    }
    test.t       = (test.mean[1] - test.mean[0]) / sqrt(error);
    test.freedom = error * error / (error_a * error_a / (n_a - 1) + error_b * error_b / (n_b - 1));
    test.p       = hd_incomplete_beta(test.freedom / (test.freedom + test.t * test.t), test.freedom / 2, 0.5);
    return test;
}
