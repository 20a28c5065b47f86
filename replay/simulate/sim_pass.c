/* replay/simulate/sim_pass.c: the calls of a location one after the other, with new times in every lane. */
#include "sim_pass.h"

#include <stdatomic.h>

#include "sim_arrival.h"
#include "sim_change.h"
#include "sim_latest.h"
#include "sim_order.h"
#include "sim_roles.h"
#include "sim_terms.h"

static void
add(hd_sim_times *times, hd_span span)
{
    for (int k = 0; k < HD_SIM_LANES; k++)
        times->lane[k] += span;
}

static hd_sim_times
all_lanes(hd_time time)
{
    hd_sim_times times;

    for (int k = 0; k < HD_SIM_LANES; k++)
        times.lane[k] = (hd_span)time;
    return times;
}

/* ---- notices ----------------------------------------------------------------------------------------------------- */

/* Notices of the call: at its enter those that need no more, at its leave the others. */
static void
notify_of_enter(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    for (size_t i = location->i_notice;
         i < location->n_notices && location->notices[i].call == (uint32_t)location->i_call; i++)
        if ((location->notices[i].thread_what & 3) == HD_SIM_ENTER)
            hd_sim_notify(sw, worker, &location->notices[i], &location->enter);
}

static void
notify_of_leave(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_times *relayed)
{
    for (; location->i_notice < location->n_notices &&
           location->notices[location->i_notice].call == (uint32_t)location->i_call; location->i_notice++) {
        const hd_sim_notice *notice = &location->notices[location->i_notice];

        if ((notice->thread_what & 3) != HD_SIM_ENTER)
            hd_sim_notify(sw, worker, notice, (notice->thread_what & 3) == HD_SIM_RELAY ? relayed : &location->now);
    }
}

static void
enter_collectives(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    for (; location->i_member < location->n_members &&
           location->members[location->i_member].call == (uint32_t)location->i_call; location->i_member++)
        if (location->members[location->i_member].contributes)
            hd_sim_latest_enter(sw, worker, &location->members[location->i_member], &location->enter);
}

/* ---- a call ------------------------------------------------------------------------------------------------------ */

static void
enter_call(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_call *call)
{
    location->enter = location->now;
    hd_sim_change_between(location, call, hd_span_between(location->last_leave, call->enter), &location->enter);
    location->has_entered = true;
    notify_of_enter(sw, worker, location);
    enter_collectives(sw, worker, location);
}

/* How many dependencies the call has, of which n_missing have not arrived. */
static size_t
count_dependencies(const hd_sim_worker *sw, const hd_sim_location *location, size_t *n_missing)
{
    size_t n = 0;

    *n_missing = 0;
    for (size_t i = location->i_dependency;
         i < location->n_dependencies && location->dependencies[i].call == (uint32_t)location->i_call; i++, n++)
        *n_missing += hd_sim_is_needed(sw->sim, &location->dependencies[i]) &&
                      hd_sim_arrived(sw, location, (uint32_t)i) == NULL;
    return n;
}

static void
book(hd_sim_worker *sw, hd_sim_location *location, const hd_sim_call *call)
{
    uint32_t region = hd_sim_region(location, call);
    hd_span *time   = &sw->region_time[(size_t)region * (1 + HD_SIM_LANES)];

    time[0] += hd_span_between(call->enter, call->leave);
    for (int k = 0; k < HD_SIM_LANES; k++) {
        hd_span length = location->now.lane[k] - location->enter.lane[k];

        time[1 + k] += length;
        sw->n_moved[k] += location->enter.lane[k] != (hd_span)call->enter ||
                          location->now.lane[k] != (hd_span)call->leave;
    }
    for (uint32_t k = 0; location->times != NULL && sw->sim->variant == HD_SIM_PLAIN && k < sw->sim->n_lanes; k++) {
        location->times[2 * location->i_call].lane[hd_sim_column(sw->sim, k)]     = location->enter.lane[k];
        location->times[2 * location->i_call + 1].lane[hd_sim_column(sw->sim, k)] = location->now.lane[k];
    }
    if (location->location->has_init && !location->has_init_left && call->enter == location->location->init_enter) {
        location->init_left     = location->now;
        location->has_init_left = true;
    }
    if (location->location->has_finalize && !location->has_finalize_entered &&
        call->enter == location->location->finalize_enter) {
        location->finalize_entered     = location->enter;
        location->has_finalize_entered = true;
    }
}

/* What the call waits: until the latest enter that it depends on, at most as long as it takes. Where a hypothesis
 * changes what calls wait for: beyond what it takes alone. */
static void
book_wait(hd_sim_worker *sw, const hd_sim_location *location, const hd_sim_call *call, hd_time recorded,
          const hd_sim_times *latest, const hd_sim_times *alone)
{
    uint32_t path = hd_sim_path_of(location, call->node);
    hd_span *wait;

    if (path == HD_NONE)
        return;
    wait = &sw->path_wait[(size_t)path * (1 + HD_SIM_LANES)];
    if (recorded > call->enter)
        wait[0] += hd_span_between(call->enter, recorded < call->leave ? recorded : call->leave);
    for (int k = 0; k < HD_SIM_LANES; k++) {
        hd_span leave = location->now.lane[k], until = latest->lane[k] < leave ? latest->lane[k] : leave;

        if ((sw->sim->changed_lanes >> k & 1) == 0)
            wait[1 + k] += until - location->enter.lane[k];
        else if (leave > alone->lane[k])
            wait[1 + k] += leave - alone->lane[k];
    }
}

/* The call, whose n dependencies have arrived or are dropped. */
static void
leave_call(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_call *call, size_t n)
{
    uint8_t      without = hd_sim_dropped(location, call);
    bool         is_cut  = location->is_released;
    hd_sim_times leave   = location->enter, relayed = location->enter, alone;
    hd_time      latest  = 0; /* recorded */

    add(&leave, is_cut ? hd_span_between(call->enter, call->leave) : call->local);
    alone = leave;
    if ((call->flags & HD_SIM_CALL_ORDER) != 0)
        hd_sim_order_see(sw, location, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t            number     = (uint32_t)(location->i_dependency + i);
        hd_span             transfer   = location->dependencies[number].transfer;
        const hd_sim_times *dependency = hd_sim_arrived(sw, location, number);

        if (dependency == NULL)
            sw->n_dropped += hd_sim_is_needed(sw->sim, &location->dependencies[number]);
        if (dependency == NULL || location->dependencies[number].is_extra)
            continue;
        latest = hd_time_max(latest, location->dependencies[number].time);
        hd_sim_times_later(&relayed, dependency);
        for (int k = 0; k < HD_SIM_LANES; k++)
            if (dependency->lane[k] + transfer > leave.lane[k])
                leave.lane[k] = dependency->lane[k] + transfer;
    }
    if (HD_UNLIKELY(sw->sim->changed_lanes != 0))
        hd_sim_terms_leave(sw, location, call, n, &alone, &leave);
    hd_sim_order_leave(sw->sim, location, &alone, &leave);
    for (size_t i = 0; i < n; i++)
        hd_sim_take_back(sw, location, (uint32_t)(location->i_dependency + i));
    location->i_dependency += n;
    for (int k = 0; k < HD_SIM_LANES; k++)
        if ((without >> k & 1) != 0 || leave.lane[k] < location->enter.lane[k])
            leave.lane[k] = location->enter.lane[k];
    if ((call->flags & HD_SIM_CALL_NESTED) != 0) /* not before the call that it encloses */
        hd_sim_times_later(&leave, &location->now);
    location->now = leave;
    book(sw, location, call);
    if (n > 0)
        book_wait(sw, location, call, latest, &relayed, &alone);
    notify_of_leave(sw, worker, location, &relayed);
    location->last_leave  = call->leave;
    location->has_entered = location->is_released = false;
    location->i_call++;
}

static hd_run
pass_until(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, hd_time until, hd_time *now)
{
    location->is_blocked = false;
    while (location->i_call < location->n_calls) {
        const hd_sim_call *call = &location->calls[location->i_call];
        size_t             n, n_missing;

        *now = call->enter;
        if (!location->has_entered && *now > until)
            return HD_RUN_YIELD;
        if (!location->has_entered)
            enter_call(sw, worker, location, call);
        n = count_dependencies(sw, location, &n_missing);
        if (n_missing > 0 && !location->is_released) {
            location->is_blocked = true;
            return HD_RUN_BLOCKED;
        }
        leave_call(sw, worker, location, call, n);
    }
    return HD_RUN_DONE;
}

hd_run
hd_sim_pass_run(void *context, hd_worker *worker, uint32_t number, hd_time until, hd_time *now)
{
    hd_sim          *sim      = context;
    hd_sim_location *location = &sim->locations[number];
    size_t           before   = location->i_call;
    hd_run           run      = pass_until(hd_sim_worker_of(sim, worker), worker, location, until, now);

    if (sim->request->n_done != NULL && location->i_call > before)
        atomic_fetch_add_explicit(sim->request->n_done, location->i_call - before, memory_order_relaxed);
    return run;
}

/* ---- a location -------------------------------------------------------------------------------------------------- */

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
    location->now        = all_lanes(begin);
    for (int k = 0; k < HD_SIM_LANES; k++)
        location->pending.lane[k] = INT64_MIN;
    hd_sim_changes_make(sw->sim, location);
    hd_sim_roles_select(sw->sim, location);
    hd_sim_order_start(sw->sim, location);
}

void
hd_sim_pass_contribute(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    for (size_t i = 0; i < location->n_members; i++)
        if (!location->members[i].contributes)
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

    (void)sw;
    (void)worker;
    location->end = location->now;
    hd_sim_change_between(location, NULL, hd_span_between(location->last_leave, end), &location->end);
    hd_sim_changes_free(location);
}
