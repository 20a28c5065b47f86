/* replay/backward/excess_costs.c: costs per call path, of the location and in the worker's table of causes. */
#include "excess_costs.h"

#include "unattributed.h"

void
hd_cost_hints_fini(hd_cost_hints *hints)
{
    for (uint32_t delay = 0; delay < HD_N_DELAYS; delay++) {
        free(hints->short_term[delay]);
        free(hints->long_term[delay]);
    }
    for (uint32_t i = 0; i < 1 << HD_HINT_BITS; i++)
        free(hints->of_effects[i]);
}

/* Per call path; made at the first use. */
static inline uint32_t *
hints_of(const hd_replay_worker *rh, uint32_t **hints)
{
    if (HD_UNLIKELY(*hints == NULL))
        *hints = HD_NEW_ARRAY(uint32_t, rh->replay->sides.n);
    return *hints;
}

/* Several effects may have the same ones. */
static inline uint32_t *
hints_of_effect(const hd_replay_worker *rh, uint32_t effect)
{
    return hints_of(rh, &rh->backward->hints.of_effects[effect * UINT32_C(0x9E3779B1) >> (32 - HD_HINT_BITS)]);
}

/* is_inside, here and below: there are no sides, so all of the excess has a call path. */
static inline __attribute__((always_inline)) void
book_short_term(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, uint32_t effect, double scale, bool is_inside)
{
    hd_backward_worker  *back      = rh->backward;
    const hd_time_entry *excess    = back->excess, *end = excess + back->n_excess;
    double               unit      = back->unit;
    hd_metric            metric    = hd_delay_infos[delay].short_term;
    uint32_t            *of_metric = hints_of(rh, &back->hints.short_term[delay]);
    uint32_t            *of_effect = hints_of_effect(rh, effect);

    for (; excess < end; excess++) {
        double   cost  = scale * excess->span * unit;
        uint32_t cause = excess->call_path;

        if (!is_inside && cause == HD_NONE) {
            hd_cause_short_term(rh, &rh->causes, cause, effect, cost);
            continue;
        }
        hd_cost_add_near(&vproc->costs, metric, cause, cost, &of_metric[cause]);
        hd_cause_table_slot_near(&rh->causes, cause, effect, &of_effect[cause])->short_term += hd_cause_fixed(rh, cost);
    }
}

void
hd_excess_book_short_term(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, uint32_t effect, double scale)
{
    if (HD_LIKELY(!hd_sides_has(&rh->replay->sides)))
        book_short_term(rh, vproc, delay, effect, scale, true);
    else
        book_short_term(rh, vproc, delay, effect, scale, false);
}

/* Parts of each call path in long-term costs, into `parts` of the worker. */
static void
make_parts(hd_backward_worker *back, double all)
{
    const hd_time_entry *excess   = back->excess;
    size_t               n_excess = back->n_excess;
    double              *parts, unit = back->unit;

    while (back->capacity_parts < n_excess)
        back->parts = hd_grow(back->parts, back->capacity_parts, &back->capacity_parts, sizeof *back->parts);
    parts = back->parts;
    for (size_t i = 0; i < n_excess; i++)
        parts[i] = excess[i].span / all * unit;
}

static inline __attribute__((always_inline)) void
book_kind(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, double sum, bool is_inside)
{
    hd_backward_worker  *back   = rh->backward;
    const hd_time_entry *excess = back->excess, *end = excess + back->n_excess;
    const double        *part   = back->parts;
    hd_metric            metric = hd_delay_infos[delay].long_term;
    uint32_t            *hints  = hints_of(rh, &back->hints.long_term[delay]);

    for (; excess < end; excess++, part++)
        if (is_inside || excess->call_path != HD_NONE)
            hd_cost_add_near(&vproc->costs, metric, excess->call_path, sum * *part, &hints[excess->call_path]);
}

static inline __attribute__((always_inline)) void
book_effect(hd_replay_worker *rh, uint32_t effect, double value, bool is_inside)
{
    const hd_backward_worker *back   = rh->backward;
    const hd_time_entry      *excess = back->excess, *end = excess + back->n_excess;
    const double             *part   = back->parts;
    uint32_t                 *hints  = hints_of_effect(rh, effect);
    hd_cause_table           *causes = &rh->causes;

    for (; excess < end; excess++, part++) {
        uint32_t  cause = excess->call_path;
        int64_t   cost  = hd_cause_fixed(rh, value * *part);
        hd_cause *row   = is_inside || cause != HD_NONE ?
                          hd_cause_table_slot_near(causes, cause, effect, &hints[cause]) :
                          hd_cause_table_slot(causes, cause, effect);

        row->long_term += cost;
    }
}

static inline __attribute__((always_inline)) double
book_long_term(hd_replay_worker *rh, hd_vproc *vproc, const hd_effect_cost *costs, size_t n, double all,
               hd_delay left_out, bool is_inside)
{
    const hd_effect_cost *cost = costs, *end = costs + n;
    double                booked = 0;

    if (n > 0)
        make_parts(rh->backward, all);
    while (cost < end) {
        const hd_effect_cost *first = cost;
        hd_delay              delay = hd_effect_delay(cost->effect);
        double                sum   = 0;

        for (; cost < end && hd_effect_delay(cost->effect) == delay; cost++)
            sum += cost->value;
        if (delay == left_out)
            continue;
        book_kind(rh, vproc, delay, sum, is_inside);
        for (; first < cost; first++) {
            book_effect(rh, first->effect, first->value, is_inside);
            booked += first->value;
        }
    }
    return booked;
}

double
hd_excess_book_long_term(hd_replay_worker *rh, hd_vproc *vproc, const hd_effect_cost *costs, size_t n, double all,
                         hd_delay left_out)
{
    if (HD_LIKELY(!hd_sides_has(&rh->replay->sides)))
        return book_long_term(rh, vproc, costs, n, all, left_out, true);
    return book_long_term(rh, vproc, costs, n, all, left_out, false);
}
