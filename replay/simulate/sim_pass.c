/* replay/simulate/sim_pass.c: the calls of a location one after the other, with new times in every lane. */
#include "sim_pass.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "sim_arrival.h"
#include "sim_change.h"
#include "sim_latest.h"
#include "sim_order.h"
#include "sim_roles.h"
#include "sim_team.h"
#include "sim_terms.h"
#include "sim_transfer.h"

#define LONG_AGO ((hd_time)(INT64_MIN / 2)) /* before all times, though some may be added */

/* ---- notices ----------------------------------------------------------------------------------------------------- */

/* Notices of the call: at its enter those that need no more, at its leave the others. */
static inline __attribute__((always_inline)) void
notify_of_enter(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t width)
{
    location->has_relay = false;
    for (size_t i = location->i_notice;
         i < location->n_notices && location->notices[i].call == (uint32_t)location->i_call; i++) {
        if ((location->notices[i].thread_what & 3) == HD_SIM_ENTER)
            hd_sim_notify(sw, worker, &location->notices[i], location->enter, width);
        location->has_relay |= (location->notices[i].thread_what & 3) == HD_SIM_RELAY;
    }
}

static inline __attribute__((always_inline)) void
notify_of_leave(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_span *relayed,
                uint32_t width)
{
    for (; location->i_notice < location->n_notices &&
           location->notices[location->i_notice].call == (uint32_t)location->i_call; location->i_notice++) {
        const hd_sim_notice *notice = &location->notices[location->i_notice];

        if ((notice->thread_what & 3) != HD_SIM_ENTER)
            hd_sim_notify(sw, worker, notice, (notice->thread_what & 3) == HD_SIM_RELAY ? relayed : location->now,
                          width);
    }
}

static inline __attribute__((always_inline)) void
enter_collectives(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    for (; location->i_member < location->n_members &&
           location->members[location->i_member].call == (uint32_t)location->i_call; location->i_member++) {
        const hd_sim_member *member = &location->members[location->i_member];

        if (member->comm == HD_SIM_TEAM)
            hd_sim_team_enter(sw, worker, location, member, location->enter);
        else if (member->contributes)
            hd_sim_latest_enter(sw, worker, member, location->enter);
    }
}

/* ---- a call ------------------------------------------------------------------------------------------------------ */

/* Those of the call, the first of which is known, and how many of them have not arrived. */
static inline __attribute__((always_inline)) void
count_dependencies(const hd_sim_worker *sw, hd_sim_location *location, const hd_sim_call *call)
{
    const hd_sim_dependency *first = &location->dependencies[location->i_dependency];

    location->n_current = call->n_dependencies;
    location->n_missing = 0;
    for (uint32_t i = 0; i < call->n_dependencies; i++)
        location->n_missing += first[i].arrived == HD_NONE && hd_sim_is_needed(sw->sim, &first[i]);
}

static inline __attribute__((always_inline)) void
enter_call(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_call *call, uint32_t width)
{
    hd_sim_lanes_copy(location->enter, location->now, width);
    hd_sim_change_between(sw->sim, location, call, hd_span_between(location->last_leave, call->enter), location->enter);
    location->has_entered = true;
    notify_of_enter(sw, worker, location, width);
    enter_collectives(sw, worker, location);
    count_dependencies(sw, location, call);
}

static inline __attribute__((always_inline)) void
book_world(hd_sim_location *location, const hd_sim_call *call, uint32_t n)
{
    if (location->location->has_init && !location->has_init_left && call->enter == location->location->init_enter) {
        hd_sim_lanes_copy(location->init_left, location->now, n);
        location->has_init_left = true;
    }
    if (location->location->has_finalize && !location->has_finalize_entered &&
        call->enter == location->location->finalize_enter) {
        hd_sim_lanes_copy(location->finalize_entered, location->enter, n);
        location->has_finalize_entered = true;
    }
}

/* Of the n hypotheses, with the fits as they are. */
static inline __attribute__((always_inline)) void
book(hd_sim_worker *sw, hd_sim_location *location, const hd_sim_call *call, uint32_t n)
{
    const hd_sim  *sim   = sw->sim;
    const hd_span *enter = location->enter, *now = location->now;

    for (uint32_t k = 0; k < n; k++)
        sw->n_moved[k] += enter[k] != (hd_span)call->enter || now[k] != (hd_span)call->leave;
    if ((call->flags & HD_SIM_CALL_POINT) == 0) {
        hd_span *time = &sw->region_time[(size_t)hd_sim_region(location, call) * (1 + HD_SIM_LANES)];

        time[0] += hd_span_between(call->enter, call->leave);
        for (uint32_t k = 0; k < n; k++)
            time[1 + k] += now[k] - enter[k];
    }
    for (uint32_t k = 0; location->times != NULL && sim->variant == HD_SIM_PLAIN && k < n; k++) {
        location->times[2 * location->i_call].lane[hd_sim_column(sim, k)]     = enter[k];
        location->times[2 * location->i_call + 1].lane[hd_sim_column(sim, k)] = now[k];
    }
    book_world(location, call, sim->width);
}

/* What the call waits: until the latest time that it depends on, at most as long as it takes. */
static inline void
book_wait(hd_sim_worker *sw, const hd_sim_location *location, const hd_sim_call *call, hd_time recorded,
          const hd_span *latest, uint32_t n)
{
    uint32_t path = hd_sim_path_of(location, call->node);
    hd_span *wait;

    if (path == HD_NONE)
        return;
    wait = &sw->path_wait[(size_t)path * (1 + HD_SIM_LANES)];
    if (recorded > call->enter)
        wait[0] += hd_span_between(call->enter, recorded < call->leave ? recorded : call->leave);
    wait++;
    for (uint32_t k = 0; k < n; k++) {
        hd_span leave = location->now[k], until = latest[k] < leave ? latest[k] : leave;

        wait[k] += until - location->enter[k];
    }
}

/* How the call is left with its equation; relayed: the latest new time that it depends on, or its enter. Returns the
 * latest recorded one. n, n_fits: of the pass. */
static inline __attribute__((always_inline)) hd_time
wait_for_all(hd_sim_worker *sw, hd_sim_location *location, const hd_sim_equation *equation, hd_span *leave,
             hd_span *relayed, uint32_t n, uint32_t n_fits)
{
    hd_time latest = 0;

    for (size_t i = 0; i < equation->n; i++) {
        const hd_sim_dependency *dependency = &equation->first[i];
        const hd_span           *arrived    = hd_sim_arrived(sw, dependency, n * n_fits);

        if (arrived == NULL)
            continue;
        latest = hd_time_max(latest, dependency->time);
        hd_sim_lanes_later(relayed, arrived, n);
        if (HD_UNLIKELY(location->has_relay))
            hd_sim_lanes_later(relayed + n, arrived + n, n * (n_fits - 1));
        for (uint32_t v = 0; v < n_fits; v++)
            hd_sim_lanes_later_by(leave + v * n, arrived + v * n, hd_sim_transfer(sw, equation, dependency, v), n);
    }
    return latest;
}

/* The dependencies of the call are not needed any more. */
static inline __attribute__((always_inline)) void
take_back_all(hd_sim_worker *sw, hd_sim_location *location, uint32_t n, uint32_t width)
{
    hd_sim_dependency *first = &location->dependencies[location->i_dependency];

    for (uint32_t i = 0; i < n; i++) {
        sw->n_dropped += first[i].arrived == HD_NONE && hd_sim_is_needed(sw->sim, &first[i]);
        hd_sim_take_back(sw, &first[i], width);
    }
    location->i_dependency += n;
}

/* The new leave is not before the enter; lanes without the call leave it then. */
static void
bound_leave(const hd_sim *sim, hd_sim_location *location, const hd_sim_call *call, hd_span *leave)
{
    uint8_t without = hd_sim_dropped(location, call);

    for (uint32_t k = 0; without != 0 && k < sim->width; k++)
        if ((without >> k % sim->n_lanes & 1) != 0)
            leave[k] = location->enter[k];
    hd_sim_lanes_later(leave, location->enter, sim->width);
    if (HD_UNLIKELY((call->flags & HD_SIM_CALL_NESTED) != 0)) /* not before the call that it encloses */
        hd_sim_lanes_later(leave, location->now, sim->width);
    hd_sim_lanes_copy(location->now, leave, sim->width);
}

/* The new times of the call, whose dependencies have arrived or are dropped, in the lanes of `leave`. */
static void
leave_waiting(hd_sim_worker *sw, hd_sim_location *location, const hd_sim_call *call, hd_span *leave, hd_span *relayed)
{
    const hd_sim   *sim    = sw->sim;
    bool            is_cut = location->is_released, starts = (call->flags & HD_SIM_CALL_STARTS) != 0 && !is_cut;
    hd_span         alone[HD_SIM_WIDEST], waits[HD_SIM_WIDEST];
    hd_sim_equation equation;
    size_t          n = call->n_dependencies;
    hd_time         latest;

    while (n > 0 && location->dependencies[location->i_dependency + n - 1].is_extra)
        n--;
    hd_sim_equation_of(sw, call, &location->dependencies[location->i_dependency], n, &equation);
    hd_sim_lanes_copy(relayed, location->enter, sim->width);
    if (starts)
        hd_sim_lanes_fill(location->enter, (hd_span)LONG_AGO, sim->width);
    hd_sim_lanes_copy(leave, location->enter, sim->width);
    for (uint32_t v = 0; v < sim->n_fits; v++)
        hd_sim_lanes_add(leave + v * sim->n_computed,
                         is_cut ? hd_span_between(call->enter, call->leave) : equation.local[v], sim->n_computed);
    if (HD_UNLIKELY(sim->changed_lanes != 0 || sim->variant == HD_SIM_ORDER))
        hd_sim_lanes_copy(alone, leave, sim->width);
    if ((call->flags & HD_SIM_CALL_ORDER) != 0)
        hd_sim_order_see(sw, location, n);
    latest = wait_for_all(sw, location, &equation, leave, relayed, sim->n_computed, sim->n_fits);
    hd_sim_lanes_copy(waits, relayed, sim->width);
    if (HD_UNLIKELY(sim->changed_lanes != 0))
        hd_sim_terms_leave(sw, location, &equation, alone, leave, waits);
    hd_sim_order_leave(sim, location, alone, leave);
    take_back_all(sw, location, call->n_dependencies, sim->width);
    bound_leave(sim, location, call, leave);
    if (starts)
        hd_sim_lanes_copy(location->enter, leave, sim->width);
    else
        book_wait(sw, location, call, latest, waits, sim->n_computed);
}

/* The same of most calls: nothing is changed in them but through their enter and what they depend on. */
static inline __attribute__((always_inline)) void
leave_plainly(hd_sim_worker *sw, hd_sim_location *location, const hd_sim_call *call, hd_span *relayed, uint32_t n,
              uint32_t n_fits)
{
    hd_span        *now = location->now;
    hd_sim_equation equation;
    hd_time         latest;

    hd_sim_equation_of(sw, call, &location->dependencies[location->i_dependency], call->n_dependencies, &equation);
    hd_sim_lanes_copy(relayed, location->enter, n * n_fits);
    for (uint32_t v = 0; v < n_fits; v++)
        hd_sim_lanes_set_by(now + v * n, location->enter + v * n, equation.local[v] > 0 ? equation.local[v] : 0, n);
    latest = wait_for_all(sw, location, &equation, now, relayed, n, n_fits);
    take_back_all(sw, location, call->n_dependencies, n * n_fits);
    book_wait(sw, location, call, latest, relayed, n);
}

/* The same of those with one dependency; arrived: its times. */
static inline __attribute__((always_inline)) void
leave_single(hd_sim_worker *sw, hd_sim_location *location, const hd_sim_call *call, const hd_span *arrived, uint32_t n,
             uint32_t n_fits, hd_span *restrict relayed)
{
    hd_sim_dependency *dependency = &location->dependencies[location->i_dependency++];
    const hd_span     *enter      = location->enter;
    hd_span *restrict  now        = location->now;

    for (uint32_t v = 0; v < n_fits; v++) {
        hd_sim_single terms = hd_sim_single_of(sw->classes.rows, call, dependency, v);
        hd_span       local = terms.local > 0 ? terms.local : 0;

        for (uint32_t k = v * n; k < (v + 1) * n; k++) {
            hd_span alone = enter[k] + local, until = arrived[k] + terms.transfer;

            relayed[k] = enter[k] > arrived[k] ? enter[k] : arrived[k];
            now[k]     = alone > until ? alone : until;
        }
    }
    hd_sim_take_back(sw, dependency, n * n_fits);
    book_wait(sw, location, call, dependency->time, relayed, n);
}

static inline bool
is_plain(const hd_sim *sim, const hd_sim_location *location, const hd_sim_call *call)
{
    const uint32_t special = HD_SIM_CALL_STARTS | HD_SIM_CALL_NESTED | HD_SIM_CALL_BARRIER;

    return (call->flags & special) == 0 && sim->changed_lanes == 0 && sim->variant == HD_SIM_PLAIN &&
           !location->is_released && sim->least_limit == UINT64_MAX;
}

static hd_span
length_of(const hd_sim_call *call)
{
    return call->leave > call->enter ? hd_span_between(call->enter, call->leave) : 0;
}

/* The same of a call without dependencies. */
static void
leave_alone(hd_sim_worker *sw, hd_sim_location *location, const hd_sim_call *call, hd_span *leave)
{
    const hd_sim   *sim = sw->sim;
    hd_sim_equation equation;

    hd_sim_lanes_copy(leave, location->enter, sim->width);
    hd_sim_lanes_add(leave, hd_span_between(call->enter, call->leave), sim->width);
    if (HD_UNLIKELY(sim->changed_lanes != 0)) {
        hd_span alone[HD_SIM_WIDEST], waits[HD_SIM_WIDEST];

        hd_sim_equation_of(sw, call, NULL, 0, &equation);
        hd_sim_lanes_copy(waits, location->enter, sim->width);
        hd_sim_terms_leave(sw, location, &equation, alone, leave, waits);
        bound_leave(sim, location, call, leave);
        book_wait(sw, location, call, 0, waits, sim->n_computed);
        return;
    }
    bound_leave(sim, location, call, leave);
}

static inline __attribute__((always_inline)) void
leave_call(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_call *call, uint32_t n,
           uint32_t n_fits)
{
    const hd_span *arrived = NULL;
    hd_span        leave[HD_SIM_WIDEST], relayed[HD_SIM_WIDEST];

    if (HD_LIKELY(is_plain(sw->sim, location, call))) {
        if ((call->flags & HD_SIM_CALL_ORDER) != 0)
            hd_sim_order_see(sw, location, call->n_dependencies);
        if (call->n_dependencies == 1)
            arrived = hd_sim_arrived(sw, &location->dependencies[location->i_dependency], n * n_fits);
        if (arrived != NULL)
            leave_single(sw, location, call, arrived, n, n_fits, relayed);
        else if (call->n_dependencies > 0)
            leave_plainly(sw, location, call, relayed, n, n_fits);
        else
            hd_sim_lanes_set_by(location->now, location->enter, length_of(call), n * n_fits);
    } else if (call->n_dependencies > 0)
        leave_waiting(sw, location, call, leave, relayed);
    else
        leave_alone(sw, location, call, leave);
    book(sw, location, call, n);
    notify_of_leave(sw, worker, location, call->n_dependencies > 0 ? relayed : location->enter, n * n_fits);
    location->last_leave  = call->leave;
    location->has_entered = location->is_released = false;
    location->i_call++;
}

/* With n hypotheses and n_fits variants of the fits. Inlined where these are known, so that lanes need no loops. */
static inline __attribute__((always_inline)) hd_run
pass_until(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, hd_time until, hd_time *now, uint32_t n,
           uint32_t n_fits)
{
    location->is_blocked = false;
    while (location->i_call < location->n_calls) {
        const hd_sim_call *call = &location->calls[location->i_call];

        *now = call->enter;
        if (!location->has_entered && *now > until)
            return HD_RUN_YIELD;
        if (!location->has_entered)
            enter_call(sw, worker, location, call, n * n_fits);
        if (location->n_missing > 0 && !location->is_released) {
            location->is_blocked = true;
            return HD_RUN_BLOCKED;
        }
        leave_call(sw, worker, location, call, n, n_fits);
    }
    return HD_RUN_DONE;
}

__attribute__((noinline)) static hd_run
pass_any(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, hd_time until, hd_time *now)
{
    return pass_until(sw, worker, location, until, now, sw->sim->n_computed, sw->sim->n_fits);
}

static hd_run
pass_some(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, hd_time until, hd_time *now)
{
    uint32_t n = sw->sim->n_computed;

    if (sw->sim->n_fits == HD_SIM_N_FITS && n == 1)
        return pass_until(sw, worker, location, until, now, 1, HD_SIM_N_FITS);
    if (sw->sim->n_fits == HD_SIM_N_FITS && n == HD_SIM_LANES)
        return pass_until(sw, worker, location, until, now, HD_SIM_LANES, HD_SIM_N_FITS);
    return pass_any(sw, worker, location, until, now);
}

enum { MANY_CALLS = 4096 }; /* all threads add to one sum: not too often */

static void
add_done(hd_sim_worker *sw)
{
    if (sw->sim->request->n_done != NULL)
        atomic_fetch_add_explicit(sw->sim->request->n_done, sw->n_calls, memory_order_relaxed);
    sw->n_calls = 0;
}

hd_run
hd_sim_pass_run(void *context, hd_worker *worker, uint32_t number, hd_time until, hd_time *now)
{
    hd_sim          *sim      = context;
    hd_sim_worker   *sw       = hd_sim_worker_of(sim, worker);
    hd_sim_location *location = &sim->locations[number];
    size_t           before   = location->i_call;
    hd_run           run      = pass_some(sw, worker, location, until, now);

    sw->n_calls += location->i_call - before;
    if (HD_UNLIKELY(sw->n_calls >= MANY_CALLS))
        add_done(sw);
    return run;
}

/* ---- a location -------------------------------------------------------------------------------------------------- */

/* Of the pass. They stay until the next one. */
static void
make_lanes(hd_sim_location *location, uint32_t width)
{
    free(location->now);
    location->now              = HD_NEW_ARRAY(hd_span, 7 * (size_t)width);
    location->enter            = location->now + width;
    location->pending          = location->enter + width;
    location->pending_latest   = location->pending + width;
    location->init_left        = location->pending_latest + width;
    location->finalize_entered = location->init_left + width;
    location->end              = location->finalize_entered + width;
}

void
hd_sim_pass_start(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    const hd_interval_log *intervals = &location->location->intervals;
    hd_time                begin     = intervals->begin;

    (void)worker;
    if (intervals->n_intervals == 0 && location->n_calls > 0)
        begin = location->calls[0].enter;
    location->i_call = location->i_dependency = location->i_notice = location->i_member = 0;
    location->has_entered = location->is_blocked = location->is_released = false;
    location->has_init_left = location->has_finalize_entered = false;
    location->last_leave = begin;
    make_lanes(location, sw->sim->width);
    hd_sim_lanes_fill(location->now, (hd_span)begin, sw->sim->width);
    hd_sim_lanes_fill(location->pending, INT64_MIN, sw->sim->width);
    hd_sim_lanes_fill(location->pending_latest, INT64_MIN, sw->sim->width);
    for (size_t i = 0; i < location->n_dependencies; i++)
        location->dependencies[i].arrived = HD_NONE;
    hd_sim_changes_make(sw->sim, location);
    hd_sim_roles_select(sw->sim, location);
    hd_sim_order_start(sw->sim, location);
}

void
hd_sim_pass_contribute(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    for (size_t i = 0; i < location->n_members; i++)
        if (!location->members[i].contributes && location->members[i].comm != HD_SIM_TEAM)
            hd_sim_latest_enter(sw, worker, &location->members[i], NULL);
}

bool
hd_sim_blocked_at(const void *sim, uint32_t number, hd_blocked *at)
{
    const hd_sim_location *location = &((const hd_sim *)sim)->locations[number];

    if (location->is_blocked)
        *at = (hd_blocked){ location->calls[location->i_call].enter, location->process_id, location->thread };
    return location->is_blocked;
}

void
hd_sim_release(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    hd_blocked at;

    if (!hd_sim_blocked_at(sw->sim, location->number, &at) || !hd_is_released(&sw->sim->release, &at))
        return;
    location->is_released = true;
    hd_worker_wake(worker, location->number);
}

void
hd_sim_pass_end(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    const hd_interval_log *intervals = &location->location->intervals;
    hd_time                end       = hd_time_max(intervals->end, location->last_leave);

    (void)worker;
    if (sw->n_calls > 0)
        add_done(sw);
    hd_sim_lanes_copy(location->end, location->now, sw->sim->width);
    hd_sim_change_between(sw->sim, location, NULL, hd_span_between(location->last_leave, end), location->end);
    hd_sim_changes_free(location);
}
