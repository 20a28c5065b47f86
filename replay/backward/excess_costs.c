/* replay/backward/excess_costs.c: costs per call path, of the location and in the worker's table of causes. */
#include "excess_costs.h"

#include "unattributed.h"

enum { LINES_BYTES_MAX = 1 << 20, LINES_MAX = HD_EFFECT_LINES / 4 * 3, /* LINES_MAX: one is always free */
       COSTS_BYTES_MAX = 1 << 20 };

static void
take_costs(const hd_replay_worker *rh, hd_vproc *vproc, hd_metric metric, const hd_cost_places *places)
{
    uint32_t      n     = rh->replay->sides.n;
    const double *costs = places->costs + (size_t)vproc->number * n;

    for (uint32_t cause = 0; places->costs != NULL && cause < n; cause++)
        if (costs[cause] != 0)
            hd_cost_put(&vproc->costs, metric, cause, costs[cause]);
}

void
hd_excess_costs_take(hd_replay_worker *rh, hd_vproc *vproc)
{
    for (uint32_t delay = 0; delay < HD_N_DELAYS; delay++) {
        take_costs(rh, vproc, hd_delay_infos[delay].short_term, &rh->backward->short_term[delay]);
        take_costs(rh, vproc, hd_delay_infos[delay].long_term, &rh->backward->long_term[delay]);
    }
}

void
hd_excess_costs_end(hd_replay_worker *rh)
{
    hd_backward_worker *back = rh->backward;

    for (uint32_t delay = 0; delay < HD_N_DELAYS; delay++) {
        free(back->short_term[delay].costs);
        free(back->short_term[delay].hints);
        free(back->long_term[delay].costs);
        free(back->long_term[delay].hints);
    }
    for (uint32_t i = 0; i < HD_EFFECT_LINES; i++) {
        const hd_effect_line *line = &back->lines.rows[i];

        for (uint32_t cause = 0; line->short_term != NULL && cause < rh->replay->sides.n; cause++) {
            hd_cause *row;

            if ((line->short_term[cause] | line->long_term[cause]) == 0)
                continue;
            row = hd_cause_table_slot(&rh->causes, cause, line->effect);
            row->short_term += line->short_term[cause];
            row->long_term += line->long_term[cause];
        }
        free(line->short_term);
    }
}

static __attribute__((noinline)) void
make_places(const hd_replay_worker *rh, hd_cost_places *places)
{
    size_t n = rh->replay->sides.n, all = n * rh->replay->n_vprocs;

    if (all <= COSTS_BYTES_MAX / sizeof *places->costs)
        places->costs = HD_NEW_ARRAY(double, all);
    else
        places->hints = HD_NEW_ARRAY(uint32_t, n);
}

/* The location's array over call paths; NULL: its costs are in its table. */
static inline double *
costs_of(const hd_replay_worker *rh, const hd_vproc *vproc, hd_cost_places *places)
{
    if (HD_UNLIKELY(places->costs == NULL && places->hints == NULL))
        make_places(rh, places);
    return places->costs != NULL ? places->costs + (size_t)vproc->number * rh->replay->sides.n : NULL;
}

static __attribute__((noinline)) const hd_effect_line *
add_line(hd_replay_worker *rh, uint32_t effect, hd_effect_line *line)
{
    hd_effect_lines *lines = &rh->backward->lines;
    size_t           n     = rh->replay->sides.n;

    if (lines->n == LINES_MAX || (lines->n + 1) * 2 * n * sizeof *line->short_term > LINES_BYTES_MAX)
        return NULL;
    lines->n++;
    line->effect     = effect;
    line->short_term = HD_NEW_ARRAY(int64_t, 2 * n);
    line->long_term  = line->short_term + n;
    return line;
}

/* NULL: there is no room for one more, so its costs are in the table of causes. */
static inline const hd_effect_line *
line_of(hd_replay_worker *rh, uint32_t effect)
{
    hd_effect_line *rows = rh->backward->lines.rows;
    uint32_t        i    = effect * UINT32_C(0x9E3779B1) >> (32 - HD_EFFECT_LINE_BITS);

    while (rows[i].short_term != NULL && rows[i].effect != effect)
        i = (i + 1) % HD_EFFECT_LINES;
    return HD_LIKELY(rows[i].short_term != NULL) ? &rows[i] : add_line(rh, effect, &rows[i]);
}

/* is_inside, here and below: there are no sides, so all of the excess has a call path. costs: of the location by call
 * path; NULL: they are in its table. line: short-term costs of the effect; NULL: they are in the table of causes. */
static inline __attribute__((always_inline)) void
book_short_term(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, uint32_t effect, double scale, double *of_paths,
                int64_t *line, bool is_inside)
{
    hd_backward_worker  *back     = rh->backward;
    const double        *excess   = back->excess;
    double               unit     = back->unit, fraction = rh->cause_fraction;
    uint32_t            *hints    = back->short_term[delay].hints;
    hd_near_costs        costs    = hd_near_costs_of(&vproc->costs, hd_delay_infos[delay].short_term);

    for (size_t i = 0; i < back->n_excess; i++) {
        double   cost     = scale * excess[i] * unit;
        uint32_t cause    = back->excess_paths[i];
        bool     has_path = is_inside || cause != HD_NONE;

        if (of_paths != NULL && has_path)
            of_paths[cause] += cost;
        else if (has_path)
            hd_near_costs_add(&costs, cause, cost, &hints[cause]);
        if (line != NULL && has_path)
            line[cause] += (int64_t)(cost * fraction + 0.5); /* as hd_cause_fixed() */
        else
            hd_cause_short_term(rh, &rh->causes, cause, effect, cost);
    }
}

static __attribute__((noinline)) void
book_anywhere(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, uint32_t effect, double scale, double *of_paths,
              int64_t *line)
{
    if (HD_UNLIKELY(hd_sides_has(&rh->replay->sides)))
        book_short_term(rh, vproc, delay, effect, scale, of_paths, line, false);
    else
        book_short_term(rh, vproc, delay, effect, scale, of_paths, line, true);
}

/* The same in arrays alone, with ticks as the unit. */
static inline void
book_in_arrays(const hd_replay_worker *rh, double scale, double *of_paths, int64_t *line)
{
    const double   *excess   = rh->backward->excess;
    const uint32_t *paths    = rh->backward->excess_paths;
    size_t          n        = rh->backward->n_excess;
    double          fraction = rh->cause_fraction;

#pragma GCC unroll 4
    for (size_t i = 0; i < n; i++) {
        double cost = scale * excess[i];

        of_paths[paths[i]] += cost;
        line[paths[i]] += (int64_t)(cost * fraction + 0.5);
    }
}

void
hd_excess_book_short_term(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, uint32_t effect, double scale)
{
    const hd_effect_line *of_effect = line_of(rh, effect);
    int64_t              *line      = of_effect != NULL ? of_effect->short_term : NULL;
    double               *of_paths  = costs_of(rh, vproc, &rh->backward->short_term[delay]);

    if (HD_LIKELY(of_paths != NULL && line != NULL && rh->backward->unit == 1 && !hd_sides_has(&rh->replay->sides)))
        book_in_arrays(rh, scale, of_paths, line);
    else
        book_anywhere(rh, vproc, delay, effect, scale, of_paths, line);
}

/* Parts of each call path in long-term costs, into `parts` of the worker. */
static void
make_parts(hd_backward_worker *back, double all)
{
    const double *excess   = back->excess;
    size_t        n_excess = back->n_excess;
    double       *parts = back->parts, unit = back->unit;

    for (size_t i = 0; i < n_excess; i++)
        parts[i] = excess[i] / all * unit;
}

static inline __attribute__((always_inline)) void
book_kind(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, double sum, bool is_inside)
{
    hd_backward_worker  *back     = rh->backward;
    const uint32_t      *path     = back->excess_paths, *end = path + back->n_excess;
    const double        *part     = back->parts;
    double              *of_paths = costs_of(rh, vproc, &back->long_term[delay]);
    uint32_t            *hints    = back->long_term[delay].hints;
    hd_near_costs        costs    = hd_near_costs_of(&vproc->costs, hd_delay_infos[delay].long_term);

    for (; path < end; path++, part++)
        if (!is_inside && *path == HD_NONE)
            continue;
        else if (of_paths != NULL)
            of_paths[*path] += sum * *part;
        else
            hd_near_costs_add(&costs, *path, sum * *part, &hints[*path]);
}

static inline __attribute__((always_inline)) void
book_effect(hd_replay_worker *rh, uint32_t effect, double value, bool is_inside)
{
    const hd_backward_worker *back     = rh->backward;
    const uint32_t           *path     = back->excess_paths, *end = path + back->n_excess;
    const double             *part     = back->parts;
    const hd_effect_line     *line     = line_of(rh, effect);
    int64_t                  *of_paths = line != NULL ? line->long_term : NULL;
    double                    fixed    = value * rh->cause_fraction; /* a power of two: no digit is lost */

    if (HD_LIKELY(is_inside && of_paths != NULL)) {
        for (; path < end; path++)
            of_paths[*path] += (int64_t)(fixed * *part++ + 0.5);
        return;
    }
    for (; path < end; path++, part++)
        if (of_paths != NULL && *path != HD_NONE)
            of_paths[*path] += (int64_t)(fixed * *part + 0.5);
        else
            hd_cause_long_term(rh, &rh->causes, *path, effect, value * *part);
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
