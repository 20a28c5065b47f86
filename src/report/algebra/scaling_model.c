/* src/report/algebra/scaling_model.c: fits a constant and one term to values of several sizes, and chooses the term by
 * predicting each size from the others. Values are divided by the largest, terms by their largest value, so that sums
 * of squares stay within range. */
#include "scaling_model.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "memory.h"

static const hd_scaling_term constant_term = { 0, 1, 0, "constant" };
static const hd_scaling_term basic_terms[] = {
    { -1, 1, 0, "p^-1" }, { 0, 1, 1, "log p" }, { 1, 1, 0, "p" }, { 1, 1, 1, "p log p" }, { 2, 1, 0, "p^2" },
};
static const hd_scaling_term further_terms[] = {
    { -3, 4, 0, "p^-3/4" }, { -2, 3, 0, "p^-2/3" }, { -1, 2, 0, "p^-1/2" }, { -1, 3, 0, "p^-1/3" },
    { -1, 4, 0, "p^-1/4" },
    { 1, 4, 0, "p^1/4" }, { 1, 3, 0, "p^1/3" }, { 1, 2, 0, "p^1/2" }, { 2, 3, 0, "p^2/3" }, { 3, 4, 0, "p^3/4" },
    { 5, 4, 0, "p^5/4" }, { 4, 3, 0, "p^4/3" }, { 3, 2, 0, "p^3/2" }, { 5, 2, 0, "p^5/2" }, { 3, 1, 0, "p^3" },
    { 0, 1, 2, "log^2 p" }, { 1, 2, 1, "p^1/2 log p" }, { 1, 1, 2, "p log^2 p" }, { 3, 2, 1, "p^3/2 log p" },
    { 2, 1, 1, "p^2 log p" },
};
enum { N_BASIC = sizeof basic_terms / sizeof *basic_terms, N_FURTHER = sizeof further_terms / sizeof *further_terms };

typedef struct series { /* sizes that count */
    const double *sizes, *values; /* [n] */
    double       *x;              /* [n] the term at each size, as a part of the largest */
    double        largest;        /* of the values */
    uint32_t      n;
} series;

static double
term_at(const hd_scaling_term *term, double size)
{
    double value = pow(size, hd_scaling_term_exponent(term));

    for (int i = 0; i < term->log_exponent; i++)
        value *= log2(size);
    return value;
}

/* Fills x; returns what the term is divided by. */
static double
scale_term(series *s, const hd_scaling_term *term)
{
    double largest = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        s->x[i] = term_at(term, s->sizes[i]);
        largest = fmax(largest, s->x[i]);
    }
    for (uint32_t i = 0; i < s->n; i++)
        s->x[i] /= largest;
    return largest;
}

typedef enum model_form { CONSTANT, TERM, BOTH } model_form;

/* Least squares of relative deviations; left_out: a size that does not count, s->n: none. Neither result is
 * negative. */
static void
fit(const series *s, model_form form, uint32_t left_out, double *constant, double *factor)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, determinant;

    for (uint32_t i = 0; i < s->n; i++) {
        double y = s->values[i] / s->largest, weight = 1 / (y * y), x = form != CONSTANT ? s->x[i] : 0;

        if (i == left_out)
            continue;
        w += weight;
        wx += weight * x;
        wy += weight * y;
        wxx += weight * x * x;
        wxy += weight * x * y;
    }
    determinant = w * wxx - wx * wx;
    *factor     = determinant > 0 ? (w * wxy - wx * wy) / determinant : 0;
    *constant   = (wy - *factor * wx) / w;
    if (form == TERM || (*constant < 0 && wxx > 0)) {
        *constant = 0;
        *factor   = wxy / wxx;
    }
    if (form != TERM && *factor <= 0) {
        *factor   = 0;
        *constant = wy / w;
    }
    *constant *= s->largest;
    *factor *= s->largest;
}

/* The error of a term that scale_term() was called with. */
static double
error_of(const series *s, model_form form)
{
    double sum = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        double constant, factor, predicted;

        fit(s, form, i, &constant, &factor);
        predicted = constant + (form != CONSTANT ? factor * s->x[i] : 0);
        sum += 2 * fabs(predicted - s->values[i]) / (predicted + s->values[i]);
    }
    return sum / s->n;
}

static hd_scaling_model
best_of(series *s, const hd_scaling_term *terms, uint32_t n_terms)
{
    hd_scaling_model best = { .error = INFINITY };

    for (uint32_t i = 0; i < n_terms; i++) {
        double scale = scale_term(s, &terms[i]), of_term = error_of(s, TERM), of_both = error_of(s, BOTH);

        if (!(fmin(of_term, of_both) < best.error))
            continue;
        best = (hd_scaling_model){ .term = &terms[i], .error = fmin(of_term, of_both) };
        fit(s, of_both < of_term ? BOTH : TERM, s->n, &best.constant, &best.factor);
        best.factor /= scale;
    }
    return best;
}

static hd_scaling_model
choose(series *s)
{
    hd_scaling_model best = best_of(s, basic_terms, N_BASIC), further = { .error = INFINITY },
    constant = { .term = &constant_term };
    double           gain = best.error > HD_MODEL_BAD_ERROR ? HD_MODEL_BAD_GAIN : HD_MODEL_MORE_GAIN;

    if (s->n >= HD_MODEL_MORE_SIZES)
        further = best_of(s, further_terms, N_FURTHER);
    if (further.error * gain < best.error)
        best = further;
    constant.error = error_of(s, CONSTANT);
    fit(s, CONSTANT, s->n, &constant.constant, &constant.factor);
    if (best.factor <= 0 || constant.error <= fmax(HD_MODEL_CONSTANT_GAIN * best.error, HD_MODEL_SMALL_ERROR))
        return constant;
    return best;
}

/* Skips zeros at the begin; false: what is left cannot have a model. */
static bool
skip_zeros(series *s, const double *sizes, const double *values, uint32_t n)
{
    uint32_t first = 0;

    while (first < n && values[first] == 0)
        first++;
    *s = (series){ .sizes = sizes + first, .values = values + first, .n = n - first };
    for (uint32_t i = 0; i < s->n; i++) {
        if (!isfinite(s->values[i]) || s->values[i] <= 0 || s->sizes[i] < 1)
            return false;
        s->largest = fmax(s->largest, s->values[i]);
    }
    return s->n >= HD_MODEL_MIN_SIZES;
}

hd_scaling_model
hd_scaling_model_fit(const double *sizes, const double *values, uint32_t n)
{
    hd_scaling_model model = { 0 };
    series           s;

    if (!skip_zeros(&s, sizes, values, n))
        return model;
    s.x   = HD_NEW_ARRAY(double, s.n);
    model = choose(&s);
    free(s.x);
    return model.error <= HD_MODEL_MAX_ERROR ? model : (hd_scaling_model){ 0 };
}

double
hd_scaling_model_at(const hd_scaling_model *model, double size)
{
    return model->constant + (model->factor > 0 ? model->factor * term_at(model->term, size) : 0);
}
