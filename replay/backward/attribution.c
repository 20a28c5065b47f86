/* replay/backward/attribution.c: the equations of delay costs. One wait is shared among the call paths in which the
 * delayer spent more time than the waiting side, and the delayer's own waits. What the waits pass on stays in force
 * until the begin of the interval; intervals in force are a heap, as they end in another order than they begin. */
#include "attribution.h"

#include "cause_slices.h"
#include "delay_slices.h"
#include "excess_costs.h"
#include "sync_counters.h"
#include "unattributed.h"

/* ---- scales in force --------------------------------------------------------------------------------------------- */

static void
push_attribution(hd_attributions *attributions, hd_attribution added)
{
    size_t i = attributions->n;

    HD_PUSH(attributions->rows, attributions->n, attributions->capacity, added);
    while (i > 0 && attributions->rows[(i - 1) / 2].until < added.until) {
        attributions->rows[i] = attributions->rows[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    attributions->rows[i] = added;
}

static void
pop_attribution(hd_attributions *attributions)
{
    hd_attribution last = attributions->rows[--attributions->n];
    size_t    i    = 0;

    for (size_t child = 1; child < attributions->n; child = 2 * i + 1) {
        if (child + 1 < attributions->n && attributions->rows[child + 1].until > attributions->rows[child].until)
            child++;
        if (attributions->rows[child].until <= last.until)
            break;
        attributions->rows[i] = attributions->rows[child];
        i = child;
    }
    if (attributions->n > 0)
        attributions->rows[i] = last;
}

void
hd_attributions_put_in_force(hd_replay_worker *rh, hd_attributions *attributions, const hd_effect_costs *scales,
                             bool extended, uint32_t until)
{
    hd_effect_share *added;

    if (scales->n == 0)
        return;
    added = hd_effect_scales_add(&attributions->scales[extended], scales, &rh->backward->shares);
    if (added != NULL)
        push_attribution(attributions, (hd_attribution){ .until = until, .extended = extended, .scales = added });
}

void
hd_attributions_end(hd_replay_worker *rh, hd_attributions *attributions, uint32_t point)
{
    while (attributions->n > 0 && attributions->rows[0].until >= point) {
        hd_effect_scales_take_off(&attributions->scales[attributions->rows[0].extended], attributions->rows[0].scales,
                                  &rh->backward->shares);
        pop_attribution(attributions);
    }
}

/* Of the intervals in force only those stay that no other one exceeds for at least as long: `until` and scale ascend,
 * so the last ends first and is the largest. */
static void
add_reach(hd_attributions *attributions, uint32_t until, double scale)
{
    size_t i = attributions->n_reaches, end;

    while (i > 0 && attributions->reaches[i - 1].until > until)
        i--;
    if (scale <= 0 || (i > 0 && attributions->reaches[i - 1].scale >= scale))
        return;
    if (i > 0 && attributions->reaches[i - 1].until == until)
        i--;
    for (end = i; end < attributions->n_reaches && attributions->reaches[end].scale <= scale; end++)
        ;
    if (end == i) { /* one more */
        HD_PUSH(attributions->reaches, attributions->n_reaches, attributions->capacity_reaches,
                ((hd_reach){ until, scale }));
        memmove(&attributions->reaches[i + 1], &attributions->reaches[i],
                (attributions->n_reaches - 1 - i) * sizeof(hd_reach));
    } else {
        memmove(&attributions->reaches[i + 1], &attributions->reaches[end],
                (attributions->n_reaches - end) * sizeof(hd_reach));
        attributions->n_reaches -= end - i - 1;
    }
    attributions->reaches[i] = (hd_reach){ until, scale };
}

/* Idle threads are idle in a part of the interval only during the part of the wait that lies in it. */
static void
leave_out_idle(hd_replay_worker *rh, const hd_vproc *vproc, const hd_sync *sync)
{
    hd_effect_costs *costs = &rh->backward->wait_costs;
    hd_time          begin = hd_sync_wait_begin(vproc->syncs, sync);
    hd_span          inside = hd_analysis_intervals_overlap(vproc->process->analysis_intervals, begin,
                                                            begin + (hd_time)sync->wait);
    size_t           n = 0;

    for (size_t i = 0; i < costs->n; i++) {
        costs->rows[n] = costs->rows[i];
        if (hd_effect_delay(costs->rows[n].effect) == HD_DELAY_OMP_IDLE)
            costs->rows[n].value *= (double)inside / (double)sync->wait;
        n += costs->rows[n].value > 0;
    }
    costs->n = n;
}

void
hd_attributions_wait_costs(hd_replay_worker *rh, const hd_attributions *attributions, const hd_vproc *vproc,
                           const hd_sync *sync)
{
    rh->backward->wait_costs.n = 0;
    if (attributions->n == 0) /* nothing is in force */
        return;
    hd_effect_costs_of_wait(&rh->backward->wait_costs, &attributions->scales[1],
                            sync->kind == HD_SYNC_WAITED ? NULL : &attributions->scales[0],
                            hd_sync_time_wait(vproc->syncs, sync));
    if (hd_is_outside(&rh->replay->sides, sync->call_path))
        leave_out_idle(rh, vproc, sync);
}

/* ---- attribution ------------------------------------------------------------------------------------------------- */

void
hd_attribution_book_reply(hd_replay *replay, const hd_reply_item *reply, const double *costs)
{
    hd_vproc *vproc = hd_replay_vproc(replay, reply->process, reply->thread);

    if (reply->delay == HD_DELAY_LATE_SENDER)
        hd_unattributed_book_reply(replay, vproc, HD_METRIC_mpi_wait_indirect_latesender, reply->call_path,
                                   reply->indirect);
    else if (reply->delay == HD_DELAY_LATE_RECEIVER)
        hd_unattributed_book_reply(replay, vproc, HD_METRIC_mpi_wait_indirect_latereceiver, reply->call_path,
                                   reply->indirect);
    hd_unattributed_book(replay, vproc, (hd_delay)reply->delay, reply->call_path, reply->excess);
    for (uint32_t k = 0; k < reply->n_costs; k++)
        if (costs[k] > 0)
            hd_unattributed_book(replay, vproc, (hd_delay)k, reply->call_path, costs[k]);
}

/* costs: [HD_N_DELAYS]; NULL: none */
static void
send_reply(hd_replay_worker *rh, hd_worker *worker, const hd_wait_item *item, double indirect, double excess,
           const double *costs)
{
    uint32_t      home  = hd_placement_worker(rh->replay->request->placement, (hd_process){ item->from });
    hd_reply_item reply = { .process = item->from, .thread = item->from_thread, .call_path = item->call_path,
                            .delay = item->delay, .indirect = indirect, .excess = excess,
                            .n_costs = costs != NULL ? HD_N_DELAYS : 0 };

    if (home == hd_worker_number(worker))
        hd_attribution_book_reply(rh->replay, &reply, costs);
    else
        hd_worker_send(worker, home, HD_ITEM_REPLY, &reply, sizeof reply, costs,
                       (uint32_t)(reply.n_costs * sizeof *costs));
}

void
hd_leave_unattributed(hd_replay_worker *rh, hd_worker *worker, const hd_wait_item *item, const hd_effect_cost *costs)
{
    double excess = 0, unattributed[HD_N_DELAYS] = { 0 };

    if (rh->replay->compat)
        return;
    if (!hd_is_outside(&rh->replay->sides, item->call_path)) {
        excess = item->wait;
        hd_cause_short_term(rh, &rh->causes, HD_NONE, hd_effect((hd_delay)item->delay, item->call_path), item->wait);
    }
    for (uint32_t i = 0; i < item->n_effects; i++) {
        unattributed[hd_effect_delay(costs[i].effect)] += costs[i].value;
        hd_cause_long_term(rh, &rh->causes, HD_NONE, costs[i].effect, costs[i].value);
    }
    send_reply(rh, worker, item, 0, excess, unattributed);
}

static void
put_excess(hd_backward_worker *back, uint32_t call_path, double span)
{
    back->excess_paths[back->n_excess] = call_path;
    back->excess[back->n_excess++]     = span;
}

/* The excess at a call path on all sides of the interval, where it is positive: that of all together, in the proportion
 * of the delayer's time. The part beyond the window is unattributed. Returns the excess. */
static double
add_excess_of_sides(hd_replay_worker *rh, uint32_t call_path)
{
    const hd_sides     *sides  = &rh->replay->sides;
    hd_backward_worker *back   = rh->backward;
    double              window = hd_time_vector_get(&back->own, call_path);
    double              beyond = hd_time_vector_get(&back->own, call_path + sides->n_window);
    double              other  = hd_time_vector_get(&back->other, call_path) +
                                 hd_time_vector_get(&back->other, call_path + sides->n_window);
    double              all, excess, inside;

    if (sides->n_window != sides->n_inside) {
        window += hd_time_vector_get(&back->own, call_path + sides->n_inside);
        other += hd_time_vector_get(&back->other, call_path + sides->n_inside);
    }
    all    = window + beyond;
    excess = all - other;
    if (all <= 0 || excess <= 0)
        return 0;
    inside = beyond <= 0 ? excess : window <= 0 ? 0 : excess * (window / all);
    if (inside > 0)
        put_excess(back, call_path, inside);
    if (excess > inside)
        put_excess(back, HD_NONE, excess - inside);
    return excess;
}

/* Each call path once, at the first of its sides that `own` has. */
static __attribute__((noinline)) double
make_excess_of_sides(hd_replay_worker *rh)
{
    const hd_time_vector *own      = &rh->backward->own;
    uint32_t              n_inside = rh->replay->sides.n_inside;
    double                sum      = 0;

    for (size_t i = 0; i < own->n; i++) {
        uint32_t call_path = own->touched[i];
        bool     is_first  = true;

        while (call_path >= n_inside) {
            call_path -= n_inside;
            is_first = is_first && !hd_time_vector_has(own, call_path);
        }
        if (is_first)
            sum += add_excess_of_sides(rh, call_path);
    }
    return sum;
}

/* Over the vector of the waiting location in `others` of the delayer's, which is 0 then again. Where there are neither
 * sides nor a limit. Which ones are positive cannot be predicted: no branches. */
static double
make_excess_over_others(hd_backward_worker *back)
{
    hd_span        *others    = back->own.others;
    const uint32_t *call_path = back->own.touched, *end = call_path + back->own.n;
    const double   *spans     = back->own.spans;
    double         *excess    = back->excess;
    uint32_t       *paths     = back->excess_paths;
    hd_span         sum       = 0, n = 0;

#pragma GCC unroll 4
    for (; call_path < end; call_path++) {
        uint32_t at    = *call_path;
        hd_span  other = others[at], own = (hd_span)spans[at], more = own - other;
        hd_span  is_more = (hd_span)((uint64_t)(other - own) >> 63); /* 1 or 0 */

        others[at] = 0;
        paths[n]   = at;
        excess[n]  = (double)more;
        n += is_more;
        sum += more * is_more;
    }
    back->n_excess = (size_t)n;
    return (double)sum;
}

/* Over the vector in `other` of the worker. Where there are no sides. */
static double
make_excess_alike(hd_backward_worker *back)
{
    double sum = 0;

    for (size_t i = 0; i < back->own.n; i++) {
        uint32_t call_path = back->own.touched[i];
        double   span      = back->own.spans[call_path], more = span - hd_time_vector_get(&back->other, call_path);

        more = more < span ? more : span;
        if (more <= 0)
            continue;
        put_excess(back, call_path, more);
        sum += more;
    }
    return sum;
}

/* The vector of the waiting location, which it sent, into `others` of the delayer's. */
static void
take_others(hd_time_vector *own, const hd_wait_item *item, const hd_backward_entry *entries)
{
    for (uint32_t i = 0; i < item->n; i++)
        own->others[entries[i].time.call_path] = (hd_span)entries[i].time.span;
}

/* The same into `other` of the worker. */
static void
take_other(hd_replay_worker *rh, const hd_wait_item *item, const hd_backward_entry *entries)
{
    hd_time_vector *other = &rh->backward->other;

    hd_time_vector_clear(other);
    for (uint32_t i = 0; i < item->n; i++)
        hd_time_vector_set(other, entries[i].time.call_path, entries[i].time.span);
}

/* The excess time of the delayer, whose vector is `own` of the worker, over that of the waiting location: where it is
 * positive, into `excess` of the worker. Returns the sum. */
static double
make_excess(hd_replay_worker *rh, const hd_wait_item *item, const hd_backward_entry *entries)
{
    hd_backward_worker *back      = rh->backward;
    bool                has_sides = hd_sides_has(&rh->replay->sides), is_plain = !has_sides && back->limit == 0;
    const hd_syncs     *syncs;
    uint32_t            previous, kind;

    if (HD_LIKELY(item->point > 0)) {
        syncs    = rh->replay->vprocs[item->waiting].syncs;
        previous = hd_sync_previous_at(syncs, item->point);
        kind     = hd_sync_kind_at(syncs, item->point);
        if (HD_LIKELY(is_plain && hd_sync_time_is_short(previous, item->point))) {
            hd_sync_time_add_others(&back->own, syncs, previous, item->point, kind == HD_SYNC_WAITED);
            return make_excess_over_others(back);
        }
        hd_sync_time_pruned(&back->other, syncs, previous, item->point,
                            hd_attribution_rules(rh, kind == HD_SYNC_WAITED));
    } else if (HD_LIKELY(is_plain && back->counted == NULL)) {
        take_others(&back->own, item, entries);
        return make_excess_over_others(back);
    } else
        take_other(rh, item, entries);
    back->n_excess = 0;
    return has_sides ? make_excess_of_sides(rh) : make_excess_alike(back);
}

/* The part of the excess that is outside of the analysis interval: it is attributed to no location. */
static __attribute__((noinline)) double
excess_outside(const hd_replay_worker *rh)
{
    double sum = 0;

    for (size_t i = 0; i < rh->backward->n_excess; i++)
        if (rh->backward->excess_paths[i] == HD_NONE)
            sum += rh->backward->excess[i];
    return sum;
}

/* ---- counters ---------------------------------------------------------------------------------------------------- */

/* Where the message has what was counted at the call paths of its n entries of time. */
static void
find_counted(hd_replay_worker *rh, const hd_backward_entry *entries, uint32_t n, uint32_t n_each)
{
    uint32_t *counted = rh->backward->counted, at = n + 1;

    for (uint32_t i = 0; i < n; i++) {
        counted[entries[i].time.call_path] = entries[i].time.is_counted != 0 ? at : 0;
        at += entries[i].time.is_counted != 0 ? n_each : 0;
    }
}

/* What both sides did in the call paths of the excess. */
static __attribute__((noinline)) void
compare_work(hd_replay_worker *rh, const hd_vproc *vproc, const hd_backward_message *message, uint32_t previous,
             uint32_t point)
{
    hd_backward_worker      *back    = rh->backward;
    const hd_backward_entry *entries = message->entries + message->item.n_effects;
    uint32_t                 n_each  = hd_backward_counted_entries(vproc->location->more->counted.n_counters);

    find_counted(rh, entries, message->item.n, n_each);
    for (size_t i = 0; i < back->n_excess; i++) {
        uint32_t cause = back->excess_paths[i];
        hd_work  own = { 0 }, others = { 0 };

        if (cause == HD_NONE || !hd_sync_counters_get(vproc, previous, point, cause, own.counted))
            continue;
        own.time    = (hd_span)hd_time_vector_get(&back->own, cause);
        others.time = (hd_span)hd_time_vector_get(&back->other, cause);
        if (hd_time_vector_has(&back->other, cause) && back->counted[cause] != 0)
            memcpy(others.counted, &entries[back->counted[cause] - 1], n_each * sizeof *entries);
        hd_work_table_add(&rh->work, vproc->location->location, cause, &own, &others);
    }
}

/* One wait that is attributed to an interval of the delayer.
 *
 *   W       the wait; L(e) what it cost others further on, per effect e
 *   x(c)    excess of the delayer at call path c: max(0, its time - that of the waiting side); X their sum
 *   V       the delayer's own waits in the interval
 *   A       X + V: all that made the delayer late, so that a part of W and of each L(e) is due to each part of A
 *   s       W / A, how much of the wait each tick of A causes; at most 1 if the wait is capped (is_capped), 0 if it
 *           lies outside of the
 *           analysis interval
 *
 *   short-term costs of c          s x(c)                     direct: caused by the delayer's computation
 *   long-term costs of c, per e    L(e) x(c) / A
 *   unattributed                   W - s A, if it is capped
 *   passed on by each tick of V    s of this wait, and L(e) / A of each e: indirect, attributed where the delayer
 *                                  waited
 *   indirect part of W             s V                        the waiting side learns that
 *
 * Of X the part outside of the analysis interval (`outside`) is unattributed: the waiting side learns that, too. */
typedef struct wait_attribution {
    hd_replay_worker     *rh;
    hd_vproc             *vproc;             /* the delayer */
    const hd_wait_item   *item;
    const hd_effect_cost *costs;             /* [item->n_effects] L */
    double                excess, waits, all; /* X, V, A; as `outside` in the unit of vectors */
    double                outside;
    double                scale;             /* s */
    double                long_term;         /* sum of the L that were attributed */
    double                indirect, unattributed; /* parts of W that the waiting side learns */
    bool                  counts;            /* the wait lies inside of the analysis interval */
} wait_attribution;

static bool
is_message(const hd_wait_item *item)
{
    return item->delay == HD_DELAY_LATE_SENDER || item->delay == HD_DELAY_LATE_RECEIVER;
}

/* Waits between two locations: one that waited longer than A has not waited for these alone, so the rest has no
 * cause. */
static bool
is_capped(const hd_wait_item *item)
{
    return is_message(item) || item->delay == HD_DELAY_OMP_LOCK || item->delay == HD_DELAY_PTHREAD_LOCK ||
           (item->delay == HD_DELAY_RMA && hd_key_is_pair(item->key));
}

static uint32_t
own_effect(const hd_wait_item *item)
{
    return hd_effect((hd_delay)item->delay, item->call_path);
}

/* s, before it is known whether the wait counts. */
static void
find_scale(wait_attribution *c)
{
    c->scale = c->item->wait / c->all;
    if (!is_capped(c->item) || c->scale <= 1)
        return;
    c->scale = 1;
    if (!c->counts)
        return;
    c->unattributed = c->item->wait - c->all;
    if (!c->rh->replay->compat)
        hd_cause_short_term(c->rh, &c->rh->causes, HD_NONE, own_effect(c->item), c->unattributed);
}

/* With --compat=scout26 a barrier of a team does not pass on what it cost at other barriers of teams (D18). */
static hd_delay
not_passed_on(const wait_attribution *c)
{
    return c->rh->replay->compat && c->item->delay == HD_DELAY_OMP_BARRIER ? HD_DELAY_OMP_BARRIER : HD_DELAY_NONE;
}

/* What the delayer's own waits pass on, into `scales` of the worker. */
static void
add_scales(const wait_attribution *c)
{
    hd_effect_costs      *scales = &c->rh->backward->scales;
    const hd_effect_cost *costs  = c->costs;
    hd_effect_cost        own    = { .effect = own_effect(c->item), .value = 1 };
    hd_delay              left_out = not_passed_on(c);
    uint32_t              n      = c->item->n_effects;

    if (HD_LIKELY(c->counts && left_out == HD_DELAY_NONE)) {
        hd_effect_costs_add_wait(scales, own.effect, c->scale, costs, n, 1 / c->all);
        return;
    }
    if (c->counts)
        hd_effect_costs_add(scales, &own, 1, c->scale);
    for (uint32_t i = 0; i < n; i++)
        if (hd_effect_delay(costs[i].effect) != left_out)
            hd_effect_costs_add(scales, &costs[i], 1, 1 / c->all);
}

static void
attribute_short_term(wait_attribution *c)
{
    if (HD_LIKELY(c->counts))
        hd_excess_book_short_term(c->rh, c->vproc, (hd_delay)c->item->delay, own_effect(c->item), c->scale);
    else
        c->scale = 0;
}

/* The pair of processes, the delayer and the waiting one, and the pair of slices. */
static void
attribute_pair(const wait_attribution *c, uint32_t previous, uint32_t point)
{
    hd_replay_worker *rh     = c->rh;
    double            inside = c->excess - c->outside, cost = c->scale * inside * rh->backward->unit;
    int64_t           fixed;

    if (inside <= 0)
        return;
    fixed = hd_cause_both_terms(rh, &rh->pairs, c->vproc->process_id, c->item->from, cost,
                                c->long_term / c->all * inside * rh->backward->unit);
    hd_cause_slices_book(rh, c->vproc, c->item, fixed, previous, point);
}

static __attribute__((noinline)) void
reply_with_outside(const wait_attribution *c, hd_worker *worker)
{
    double share = c->outside / c->all, costs[HD_N_DELAYS] = { 0 };

    for (uint32_t i = 0; i < c->item->n_effects; i++)
        costs[hd_effect_delay(c->costs[i].effect)] += c->costs[i].value * share;
    send_reply(c->rh, worker, c->item, c->indirect, c->unattributed + c->scale * c->outside, costs);
}

/* The excess of the worker, for simulations. */
static void
note_found(hd_replay_worker *rh, const hd_vproc *vproc, uint32_t previous, uint32_t point)
{
    const hd_backward_worker *back   = rh->backward;
    hd_found_delays          *found  = &rh->replay->request->found_delays[vproc->number];
    hd_found_delay            delay  = { .until = hd_sync_enter_at(vproc->syncs, point) };

    if (previous != HD_NONE)
        delay.from = hd_sync_enter_at(vproc->syncs, previous);
    for (size_t i = 0; i < back->n_excess; i++) {
        delay.call_path = back->excess_paths[i];
        delay.time      = (hd_span)back->excess[i];
        if (delay.call_path != HD_NONE && delay.time > 0)
            HD_PUSH(found->rows, found->n, found->capacity, delay);
    }
}

/* scale, all: of the attribution */
static __attribute__((noinline)) void
note_delays(hd_replay_worker *rh, const hd_vproc *vproc, const hd_backward_message *message, double scale, double all,
            uint32_t previous, uint32_t point)
{
    if (rh->replay->request->found_delays != NULL)
        note_found(rh, vproc, previous, point);
    if (rh->delay_parts != NULL)
        hd_delay_slices_book(rh, vproc, &(hd_delay_costs){ (hd_delay)message->item.delay, scale,
                                                           &message->entries->cost, message->item.n_effects, all },
                             previous, point);
}

void
hd_attribute_wait(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_backward_message *message,
                  double waits, uint32_t previous, uint32_t point)
{
    const hd_wait_item *item = &message->item;
    wait_attribution            c    = { .rh = rh, .vproc = vproc, .item = item, .costs = &message->entries->cost,
                                 .counts = !hd_is_outside(&rh->replay->sides, item->call_path) };

    c.waits   = waits;
    c.excess  = make_excess(rh, item, message->entries + item->n_effects);
    c.all     = c.excess + waits;
    c.outside = hd_sides_has(&rh->replay->sides) ? excess_outside(rh) : 0;
    if (c.all <= 0) {
        hd_leave_unattributed(rh, worker, item, c.costs);
        return;
    }
    if (HD_UNLIKELY(vproc->syncs->rare->n_counted > 0 && c.counts))
        compare_work(rh, vproc, message, previous, point);
    find_scale(&c);
    attribute_short_term(&c);
    if (item->n_effects > 0)
        c.long_term = hd_excess_book_long_term(rh, vproc, c.costs, item->n_effects, c.all, not_passed_on(&c));
    if (HD_UNLIKELY(rh->notes_delays))
        note_delays(rh, vproc, message, c.scale, c.all, previous, point);
    if (waits > 0) { /* else there are none that pass on anything */
        add_scales(&c);
        if (is_message(item))
            add_reach(&vproc->backward->attributions, previous, c.scale);
    }
    attribute_pair(&c, previous, point);
    c.indirect = c.scale * waits * rh->backward->unit;
    if (HD_UNLIKELY(c.outside > 0)) {
        wait_attribution copy = c; /* so that c may be in registers */

        reply_with_outside(&copy, worker);
    } else if ((is_message(item) && c.indirect > 0) || c.unattributed > 0)
        send_reply(rh, worker, item, c.indirect, c.unattributed, NULL);
}

void
hd_attribute_idle(hd_replay_worker *rh, hd_vproc *vproc, double n, uint32_t until)
{
    hd_effect_cost idle = { .effect = hd_effect(HD_DELAY_OMP_IDLE, HD_NONE), .value = n };

    for (size_t i = 0; i < rh->backward->own.n; i++) {
        uint32_t call_path = rh->backward->own.touched[i];
        double   cost      = n * rh->backward->own.spans[call_path] * rh->backward->unit;

        if (cost <= 0 || hd_is_outside(&rh->replay->sides, call_path))
            continue;
        hd_cost_add(&vproc->costs, HD_METRIC_delay_ompidle, call_path, cost);
        hd_cause_short_term(rh, &rh->causes, call_path, idle.effect, cost);
        hd_cause_short_term(rh, &rh->pairs, vproc->process_id, vproc->process_id, cost);
    }
    hd_attributions_put_in_force(rh, &vproc->backward->attributions, &(hd_effect_costs){ .rows = &idle, .n = 1 }, false,
                                 until);
}

void
hd_attributions_fini(hd_attributions *attributions)
{
    hd_effect_scales_fini(&attributions->scales[0]);
    hd_effect_scales_fini(&attributions->scales[1]);
    free(attributions->rows);
    free(attributions->reaches);
}

_Static_assert(sizeof(hd_reply_item) % 8 == 0, "items are whole words");
