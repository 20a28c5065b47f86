/* src/report/algebra/scaling_model.h: how a value grows with the number of processes: value = constant + factor * p^i *
 * log2(p)^j.
 *
 * One term of Extra-P's normal form (PMNF) and a constant, neither negative. Definition:
 * docs/metrics.md#scaling-models.
 * Fit: least squares of relative deviations. Choice: each term, with and without the constant, is fitted as often as
 * there are sizes, each time without one of them, which it then predicts; its error is the mean of 200 % * |predicted -
 * value| / (predicted + value) over the sizes (leave-one-out SMAPE). Of the basic terms (p^-1, log p, p, p log p, p^2)
 * the one with the least error; a further one only with HD_MODEL_MORE_SIZES sizes and less than 1 / HD_MODEL_MORE_GAIN
 * of that error (1 / HD_MODEL_BAD_GAIN, if that error is above HD_MODEL_BAD_ERROR); the constant alone wherever its
 * error is at most HD_MODEL_CONSTANT_GAIN times as large, or at most HD_MODEL_SMALL_ERROR.
 * Uses: nothing. MT: any thread. Ranks: local. Cost: O(terms * n^2).
 */
#ifndef HD_SCALING_MODEL_H
#define HD_SCALING_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_MODEL_MIN_SIZES = 4, HD_MODEL_MORE_SIZES = 5 };
#define HD_MODEL_MAX_ERROR     0.2
#define HD_MODEL_MORE_GAIN     3.0
#define HD_MODEL_BAD_ERROR     0.12
#define HD_MODEL_BAD_GAIN      1.5
#define HD_MODEL_CONSTANT_GAIN 1.5
#define HD_MODEL_SMALL_ERROR   0.01

typedef struct hd_scaling_term {
    int         numerator, denominator; /* i */
    int         log_exponent;           /* j; all of them 0: the constant alone */
    const char *text;                   /* "p log p"; "constant" */
} hd_scaling_term;

typedef struct hd_scaling_model {
    const hd_scaling_term *term; /* NULL: there is no model */
    double constant, factor;     /* in the unit of the values; factor 0 of the constant alone */
    double error;                /* 0 to HD_MODEL_MAX_ERROR */
} hd_scaling_model;

/* sizes: [n] ascending, none twice, from 1 on; values: [n]. Sizes at the begin where the value is 0 do not count.
 * No model: fewer than HD_MODEL_MIN_SIZES sizes count; a value is 0 behind one that is not, negative or not finite;
 * every term's error is above HD_MODEL_MAX_ERROR. */
hd_scaling_model hd_scaling_model_fit(const double *sizes, const double *values, uint32_t n);

/* Its value at a size, in the unit of the values. The model is there. */
double hd_scaling_model_at(const hd_scaling_model *model, double size);

static inline double
hd_scaling_term_exponent(const hd_scaling_term *term)
{
    return (double)term->numerator / term->denominator;
}

#endif
