/* replay/backward/effect.c: sparse vectors of effects, sorted arrays: they have few rows, and most operations are
 * merges from the first row to the last. Scales are fixed-point numbers, because a floating-point sum would not be
 * zero again after all that was added is taken off. */
#include "effect.h"

#define FIXED_ONE     0x1p56
#define LARGEST_SCALE 0x1p70

/* Nearly all fit into 63 bits, for which the processor has an instruction. */
static inline hd_fixed
fixed_of(double scale)
{
    double value = scale * FIXED_ONE;

    return HD_LIKELY(value < 0x1p63) ? (hd_fixed)(int64_t)value : (hd_fixed)value;
}

static inline double
scale_of(hd_fixed fixed)
{
    return (HD_LIKELY(fixed < (hd_fixed)1 << 63) ? (double)(int64_t)fixed : (double)fixed) / FIXED_ONE;
}

void
hd_effect_costs_fini(hd_effect_costs *costs)
{
    free(costs->rows);
    *costs = (hd_effect_costs){ 0 };
}

void
hd_effect_scales_fini(hd_effect_scales *scales)
{
    free(scales->rows);
    *scales = (hd_effect_scales){ 0 };
}

static size_t
first_not_below(const hd_effect_costs *costs, size_t from, uint32_t effect)
{
    while (from < costs->n && costs->rows[from].effect < effect)
        from++;
    return from;
}

/* From row `at` on there are those not below the effect. Returns where it belongs. */
static inline size_t
add_cost(hd_effect_costs *costs, uint32_t effect, double value, size_t at)
{
    size_t place = at = first_not_below(costs, at, effect);

    if (place == costs->n || costs->rows[place].effect != effect) {
        if (costs->n >= HD_EFFECTS_MAX) {
            effect |= HD_EFFECT_OTHERS;
            place = first_not_below(costs, place, effect);
        }
        if (place == costs->n || costs->rows[place].effect != effect) {
            HD_PUSH(costs->rows, costs->n, costs->capacity, ((hd_effect_cost){ 0 }));
            for (size_t k = costs->n - 1; k > place; k--)
                costs->rows[k] = costs->rows[k - 1];
            costs->rows[place] = (hd_effect_cost){ .effect = effect };
        }
    }
    costs->rows[place].value += value;
    return at;
}

void
hd_effect_costs_add(hd_effect_costs *costs, const hd_effect_cost *rows, size_t n, double factor)
{
    size_t at = 0;

    for (size_t i = 0; i < n; i++)
        at = add_cost(costs, rows[i].effect, factor * rows[i].value, at);
}

static inline hd_effect_cost *
put_cost(hd_effect_cost *to, uint32_t effect, double value)
{
    *to = (hd_effect_cost){ .effect = effect, .value = value };
    return to + 1;
}

void
hd_effect_costs_add_wait(hd_effect_costs *costs, uint32_t own, double own_value, const hd_effect_cost *rows, size_t n,
                         double factor)
{
    const hd_effect_cost *end = rows + n;
    hd_effect_cost       *to;

    if (costs->n > 0 || n >= HD_EFFECTS_MAX) {
        add_cost(costs, own, own_value, 0);
        if (n > 0)
            hd_effect_costs_add(costs, rows, n, factor);
        return;
    }
    HD_RESERVE(costs->rows, costs->n, costs->capacity, n + 1);
    to = costs->rows;
    for (; rows < end && rows->effect < own; rows++)
        to = put_cost(to, rows->effect, factor * rows->value);
    if (rows < end && rows->effect == own)
        own_value += factor * rows++->value;
    to = put_cost(to, own, own_value);
    for (; rows < end; rows++)
        to = put_cost(to, rows->effect, factor * rows->value);
    costs->n = (size_t)(to - costs->rows);
}

/* Adds one that is not there, before row `at`, or to those that are not distinguished: it has their effect then. */
static __attribute__((noinline)) void
add_scale(hd_effect_scales *scales, size_t at, hd_effect_scale *scale)
{
    if (scales->n >= HD_EFFECTS_MAX) {
        scale->effect |= HD_EFFECT_OTHERS;
        while (at < scales->n && scales->rows[at].effect < scale->effect)
            at++;
        if (at < scales->n && scales->rows[at].effect == scale->effect) {
            scales->rows[at].value += scale->value;
            return;
        }
    }
    HD_PUSH(scales->rows, scales->n, scales->capacity, *scale);
    for (size_t k = scales->n - 1; k > at; k--)
        scales->rows[k] = scales->rows[k - 1];
    scales->rows[at] = *scale;
}

hd_effect_share *
hd_effect_scales_add(hd_effect_scales *scales, const hd_effect_costs *added, hd_pool *pool)
{
    const hd_effect_cost *cost = added->rows, *end = cost + added->n;
    hd_effect_scale      *rows = scales->rows;
    hd_effect_share      *share = NULL;
    size_t                n = scales->n, at = 0;

    for (; cost < end; cost++) {
        hd_effect_scale  scale = { .value = fixed_of(cost->value < LARGEST_SCALE ? cost->value : LARGEST_SCALE),
                                   .effect = cost->effect };
        hd_effect_share *element;

        if (scale.value == 0)
            continue;
        while (at < n && rows[at].effect < scale.effect)
            at++;
        if (HD_LIKELY(at < n && rows[at].effect == scale.effect))
            rows[at].value += scale.value;
        else {
            add_scale(scales, at, &scale);
            rows = scales->rows;
            n    = scales->n;
        }
        element               = hd_pool_take(pool);
        element->next         = share;
        element->scale.value  = scale.value;
        element->scale.effect = scale.effect;
        share                 = element;
    }
    return share;
}

void
hd_effect_scales_take_off(hd_effect_scales *scales, hd_effect_share *share, hd_pool *pool)
{
    hd_effect_scale *rows = scales->rows;
    size_t           n = scales->n, at = n;

    while (share != NULL) { /* the latest first, so effects descend, but for those that are not distinguished */
        hd_effect_share *next   = share->next;
        uint32_t         effect = share->scale.effect;

        if (at == n || rows[at].effect < effect)
            at = n - 1;
        while (rows[at].effect != effect)
            at--;
        rows[at].value -= share->scale.value;
        if (rows[at].value == 0) {
            n--;
            for (size_t k = at; k < n; k++)
                rows[k] = rows[k + 1];
        }
        hd_pool_put(pool, share);
        share = next;
    }
    scales->n = n;
}

static inline hd_effect_cost
cost_of(uint32_t effect, hd_fixed scale, double wait)
{
    return (hd_effect_cost){ .effect = effect, .value = scale_of(scale) * wait };
}

void
hd_effect_costs_of_wait(hd_effect_costs *costs, const hd_effect_scales *scales, const hd_effect_scales *other,
                        double wait)
{
    size_t          n_other = other != NULL ? other->n : 0, j = 0;
    hd_effect_cost *to;

    costs->n = 0;
    HD_RESERVE(costs->rows, costs->n, costs->capacity, scales->n + n_other);
    to = costs->rows;
    for (size_t i = 0; i < scales->n && wait > 0; i++) {
        const hd_effect_scale *row = &scales->rows[i];
        hd_fixed               sum = row->value;

        for (; j < n_other && other->rows[j].effect < row->effect; j++)
            *to++ = cost_of(other->rows[j].effect, other->rows[j].value, wait);
        if (j < n_other && other->rows[j].effect == row->effect)
            sum += other->rows[j++].value;
        *to++ = cost_of(row->effect, sum, wait);
    }
    for (; j < n_other && wait > 0; j++)
        *to++ = cost_of(other->rows[j].effect, other->rows[j].value, wait);
    costs->n = (size_t)(to - costs->rows);
}
