/* src/report/algebra/welch.h: whether the means of two series of measurements differ by more than the noise in them:
 * Welch's t test.
 *
 *     t = (mean B - mean A) / sqrt(sA²/nA + sB²/nB),  freedom = (sA²/nA + sB²/nB)² / ((sA²/nA)²/(nA - 1) +
 *     (sB²/nB)²/(nB - 1)) p = probability of |t| or more if both means are equal = I(freedom/(freedom + t²); freedom/2,
 *     1/2)
 *
 * s: standard deviation of the sample, divided by n - 1; I: regularized incomplete beta function. Source: B. L. Welch:
 * The generalization of "Student's" problem when several different population variances are involved. Biometrika 34,
 * 1947.
 * Uses: nothing. MT: any thread. Ranks: local.
 */
#ifndef HD_WELCH_H
#define HD_WELCH_H

#include "types.h"

#define HD_SIGNIFICANT 0.05 /* a difference whose p is below is more than noise */

typedef struct hd_welch {
    double mean[2], deviation[2]; /* of A and B; deviation: NaN of one value, or none */
    double t, freedom, p;         /* NaN: not tested, as one of them has less than two values */
} hd_welch;

/* a: [n_a], b: [n_b], finite; n_a, n_b > 0. Where no value differs from its mean, p is 1 if the means are equal, else
 * 0. */
hd_welch hd_welch_test(const double *a, uint32_t n_a, const double *b, uint32_t n_b);

static inline bool
hd_is_significant(double p) /* false where nothing was tested */
{
    return p < HD_SIGNIFICANT;
}

/* The regularized incomplete beta function, 0 <= x <= 1, a, b > 0. Relative error below 1e-12 where a, b < 100. */
double hd_incomplete_beta(double x, double a, double b);

#endif
