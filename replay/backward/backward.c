#include "backward.h"

#include "charge.h"
#include "comm_members.h"
#include "path.h"
#include "sync_build.h"
#include "sync_time.h"

#define SCOUT_VECTOR_LIMIT 128 /* of elements (D23) */

/* Tells the one that was waited for. */
static void
send_wait(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, uint32_t process, uint64_t key)
{
    const hd_sync *sync = &agent->syncs.points[point];
    hd_wait_item   item = { .key = key, .wait = hd_sync_time_wait(&agent->syncs, sync), .process = process, .from = agent->process_id,
                            .from_thread = agent->thread, .call_path = sync->call_path, .delay = sync->delay,
                            .enter = hd_sync_enter_of_call(&agent->syncs, sync) };
    uint32_t       n;

    item.leave = sync->delay == HD_DELAY_RMA ? hd_sync_wait_begin(&agent->syncs, sync) + (hd_time)sync->wait :
                                                item.enter + (hd_time)sync->pruned;
    if (agent->backward->path.is_here && (sync->wait > 0 || (sync->kind == HD_SYNC_BARRIER && rh->replay->compat)) &&
        sync->kind != HD_SYNC_WAITED) {
        if (sync->kind == HD_SYNC_BARRIER && !rh->replay->compat && hd_sync_group_of(&agent->syncs, sync)->list != HD_NONE)
            item.on_path = hd_path_book_behind(rh, agent, point);
        else {
            hd_path_book(rh, agent, point);
            item.on_path = true;
        }
    }
    if (rh->replay->request->delays && (sync->wait > 0 || sync->kind == HD_SYNC_BARRIER)) {
        hd_charge_wait_costs(rh, &agent->backward->charges, agent, sync);
        hd_sync_time_pruned(&rh->backward->own, &agent->syncs, sync->previous, point,
                            hd_charge_rules(rh, sync->kind == HD_SYNC_WAITED));
    } else {
        rh->backward->wait_costs.n = 0;
        hd_time_vector_clear(&rh->backward->own);
    }
    item.n_effects = n = (uint32_t)rh->backward->wait_costs.n;
    while (rh->backward->capacity_entries < (rh->backward->own.n + n) * sizeof(hd_mail_entry))
        rh->backward->entries = hd_grow(rh->backward->entries, rh->backward->capacity_entries, &rh->backward->capacity_entries, 1);
    if (n > 0)
        memcpy(rh->backward->entries, rh->backward->wait_costs.rows, n * sizeof(hd_mail_entry));
    for (size_t i = 0; i < rh->backward->own.n; i++)
        if (rh->backward->own.spans[rh->backward->own.touched[i]] > 0)
            ((hd_mail_entry *)rh->backward->entries)[n++].time =
                (hd_time_entry){ .call_path = rh->backward->own.touched[i], .span = rh->backward->own.spans[rh->backward->own.touched[i]] };
    item.n = n - item.n_effects;
    hd_host_send(host, hd_placement_host(rh->replay->request->placement, (hd_process){ process }), HD_ITEM_WAIT, &item, sizeof item,
                 rh->backward->entries, (uint32_t)(n * sizeof(hd_mail_entry)));
}

/* Whoever was waited for has no point at which it could be charged. The critical path stays here. */
static void
keep_wait(hd_replay_host *rh, hd_host *host, const hd_agent *agent, const hd_sync *sync)
{
    hd_wait_item item = { .wait = hd_sync_time_wait(&agent->syncs, sync), .from = agent->process_id, .from_thread = agent->thread,
                          .call_path = sync->call_path, .delay = sync->delay };

    if (!rh->replay->request->delays)
        return;
    hd_charge_wait_costs(rh, &agent->backward->charges, agent, sync);
    item.n_effects = (uint32_t)rh->backward->wait_costs.n;
    hd_charge_nobody(rh, host, &item, rh->backward->wait_costs.rows);
}

static int
compare_waiting(const void *left, const void *right)
{
    const hd_letter *const *a = left, *const *b = right;

    if ((*a)->item.from != (*b)->item.from)
        return (*a)->item.from < (*b)->item.from ? -1 : 1;
    return (*a)->item.from_thread < (*b)->item.from_thread ? -1 : (*a)->item.from_thread > (*b)->item.from_thread;
}

/* Points of one record that several waited for stand side by side, in the order of who waited: their letters are put in the same order
 * when the last of them is come to. One that did not come, as its sender gave up, leaves the place of none. */
static inline bool
is_of_record(const hd_sync *points, uint32_t i, uint32_t point)
{
    return points[i].order == points[point].order && points[i].kind == HD_SYNC_SEND && points[i].enter == points[point].enter;
}

static void
find_waiting(hd_waiting *waiting, const hd_sync *points, uint32_t point)
{
    waiting->end   = point + 1;
    waiting->first = point;
    while (is_of_record(points, waiting->first - 1, point))
        waiting->first--;
}

static void
sort_letters(hd_waiting *waiting, const hd_letters *all)
{
    waiting->n_letters = 0;
    for (const hd_letter *letter = all->first; letter != NULL; letter = letter->next)
        HD_PUSH(waiting->letters, waiting->n_letters, waiting->capacity_letters, letter);
    qsort(waiting->letters, waiting->n_letters, sizeof(const hd_letter *), compare_waiting);
}

static const hd_letter *
letter_of(hd_waiting *waiting, const hd_sync *sync)
{
    const hd_letter *last;

    while (waiting->n_letters > 0) {
        last = waiting->letters[waiting->n_letters - 1];
        if (last->item.from < sync->peer || (last->item.from == sync->peer && last->item.from_thread < sync->partner_thread))
            break;
        waiting->n_letters--;
        if (last->item.from == sync->peer && last->item.from_thread == sync->partner_thread)
            return last;
    }
    return NULL;
}

/* The critical path comes from a wait at a window, which ended inside of this call: it goes on from there. */
static void
enter_path_at(hd_agent *agent, uint32_t point, hd_time time)
{
    const hd_sync *sync = &agent->syncs.points[point];
    hd_path       *path = &agent->backward->path;

    hd_path_enter(agent, point);
    if (time <= sync->enter)
        return;
    path->behind           = hd_span_between(sync->enter, time);
    path->behind_call_path = sync->call_path;
}

static void
charge_pair(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const hd_letter *letter)
{
    const hd_sync *sync  = &agent->syncs.points[point];
    double         waits = hd_sync_time_pruned(&rh->backward->own, &agent->syncs, sync->previous, point,
                            hd_charge_rules(rh, sync->kind == HD_SYNC_WAITED));

    rh->backward->scales.n = 0;
    hd_charge_wait(rh, host, agent, letter, waits, sync->previous);
    hd_charge_put_in_force(rh, &agent->backward->charges, &rh->backward->scales, false, sync->previous);
}

static bool
pass_pair(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync    *sync    = &agent->syncs.points[point];
    uint64_t          key     = hd_pair_key(agent->thread, sync->order, sync->kind == HD_SYNC_REQUEST);
    const hd_sync    *points  = agent->syncs.points;
    hd_waiting       *waiting = &agent->backward->waiting;
    bool              is_one  = sync->kind != HD_SYNC_SEND || /* who waited */
                       !(is_of_record(points, point - 1, point) || is_of_record(points, point + 1, point));
    hd_letters       *all;
    const hd_letter  *letter;

    if (!is_one && !(waiting->first <= point && point < waiting->end))
        find_waiting(waiting, points, point);
    all = hd_letters_expect(rh, agent, key, is_one ? 1 : waiting->end - waiting->first);
    if (all == NULL)
        return false;
    if (!is_one && point == waiting->end - 1)
        sort_letters(waiting, all);
    letter = is_one ? all->first : letter_of(waiting, sync);
    if (letter != NULL && rh->replay->request->delays)
        charge_pair(rh, host, agent, point, letter);
    if (letter != NULL && letter->item.on_path)
        enter_path_at(agent, point, letter->item.delay == HD_DELAY_RMA ? letter->item.leave : 0);
    if (is_one || point == waiting->first)
        hd_letters_done(rh, agent, key, all);
    return true;
}

/* scout 2.6 passes on what comes from a process from the next point on at which the delayer met another one (D3). */
static uint32_t
until_next(const hd_sync_intermediate *found, size_t n, uint32_t previous)
{
    for (size_t i = 0; i < n; i++)
        if (found[i].previous > previous)
            return found[i].previous - 1;
    return HD_NONE;
}

/* Where the delayer met a process before: those that it met after it had met all stand with the point. */
static void
find_previous(hd_agent *agent, uint32_t point, hd_letters *all, bool compat)
{
    hd_backward                *backward = agent->backward;
    const hd_sync_intermediate *found    = agent->syncs.intermediates + backward->n_intermediates;
    size_t                      n        = 0;
    hd_map                      places   = { 0 };
    bool                        is_new;

    while (backward->n_intermediates > 0 && found[-1].sync == point) {
        found--;
        backward->n_intermediates--;
        n++;
    }
    for (size_t i = 0; i < n; i++)
        *hd_map_add(&places, found[i].process, &is_new) = found[i].previous;
    for (hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        const uint64_t *place = n > 0 ? hd_map_get(&places, letter->item.from) : NULL;

        letter->previous = place != NULL ? (uint32_t)*place : agent->syncs.points[point].previous;
        letter->until    = place == NULL || !compat ? letter->previous : until_next(found, n, letter->previous);
    }
    hd_map_fini(&places);
}

static int
compare_letters(const void *left, const void *right)
{
    const hd_letter *const *a = left, *const *b = right;

    if ((*a)->previous != (*b)->previous)
        return (*a)->previous < (*b)->previous ? -1 : 1;
    if ((*a)->item.from != (*b)->item.from)
        return (*a)->item.from < (*b)->item.from ? -1 : 1;
    return (*a)->item.from_thread < (*b)->item.from_thread ? -1 : (*a)->item.from_thread > (*b)->item.from_thread;
}

/* Of rh->backward->own, from where the delayer met some members, scout 2.6 takes the call paths only in which it also has something since it met
 * all of them; two points in one call can make a difference. make: the latter is not in rh->backward->whole yet. */
static void
leave_out_others(hd_replay_host *rh, const hd_agent *agent, uint32_t point, bool make)
{
    if (make)
        hd_sync_time_pruned(&rh->backward->whole, &agent->syncs, agent->syncs.points[point].previous, point,
                            hd_charge_rules(rh, false));
    for (size_t i = 0; i < rh->backward->own.n; i++)
        if (hd_time_vector_get(&rh->backward->whole, rh->backward->own.touched[i]) <= 0)
            rh->backward->own.spans[rh->backward->own.touched[i]] = 0;
}

static void
charge_collective(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const hd_letters *all)
{
    hd_letter **sorted   = HD_NEW_ARRAY(hd_letter *, all->n);
    uint32_t    n        = 0;
    double      waits    = 0;
    bool        extended = agent->syncs.points[point].kind == HD_SYNC_AWAITED;
    bool        is_made  = false; /* rh->backward->whole */
    bool        on_path  = false;

    for (hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        on_path |= letter->item.on_path != 0;
        if (letter->item.wait > 0 && rh->replay->request->delays)
            sorted[n++] = letter;
    }
    if (on_path)
        enter_path_at(agent, point, hd_sync_wait_begin(&agent->syncs, &agent->syncs.points[point]));
    if (n > 1)
        qsort(sorted, n, sizeof(hd_letter *), compare_letters);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i]->previous != sorted[i - 1]->previous) {
            if (i > 0 && sorted[i - 1]->until != HD_NONE)
                hd_charge_put_in_force(rh, &agent->backward->charges, &rh->backward->scales, extended, sorted[i - 1]->until);
            rh->backward->scales.n = 0;
            waits = hd_sync_time_pruned(&rh->backward->own, &agent->syncs, sorted[i]->previous, point,
                                        hd_charge_rules(rh, extended));
            if (rh->replay->compat && sorted[i]->previous != agent->syncs.points[point].previous) {
                leave_out_others(rh, agent, point, !is_made);
                is_made = true;
            }
        }
        hd_charge_wait(rh, host, agent, sorted[i], waits, sorted[i]->previous);
    }
    if (n > 0 && sorted[n - 1]->until != HD_NONE)
        hd_charge_put_in_force(rh, &agent->backward->charges, &rh->backward->scales, extended, sorted[n - 1]->until);
    free(sorted);
}

static uint32_t
n_others(const hd_replay_host *rh, const hd_agent *agent, const hd_sync *sync)
{
    const hd_sync_group *group = hd_sync_group_of(&agent->syncs, sync);
    size_t               n;

    if (sync->delay == HD_DELAY_N21)
        return 1;
    if (sync->delay == HD_DELAY_12N) {
        hd_sync_waiters(agent, sync, &n);
        return (uint32_t)n;
    }
    return (group->list != HD_NONE ? rh->lists[group->list]->n : hd_comm_size(rh, sync->peer)) - 1;
}

static bool
pass_collective(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync       *sync  = &agent->syncs.points[point];
    const hd_sync_group *group = hd_sync_group_of(&agent->syncs, sync);
    uint64_t             key   = hd_collective_key(sync->peer, group->number);
    hd_letters          *all;

    if (group->delayer != agent->process_id) {
        send_wait(rh, host, agent, point, group->delayer, key);
        return true;
    }
    all = hd_letters_expect(rh, agent, key, n_others(rh, agent, sync));
    if (all == NULL)
        return false;
    if (rh->replay->request->delays)
        find_previous(agent, point, all, rh->replay->compat);
    charge_collective(rh, host, agent, point, all);
    hd_letters_done(rh, agent, key, all);
    return true;
}

/* Those who waited for this location in a prefix reduction, for its part of a non-blocking collective, or for a lock. */
static bool
pass_awaited(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync = &agent->syncs.points[point];
    uint64_t       key  = hd_team_key(sync->peer, HD_AT_LOCK);
    size_t         n    = 1; /* who has the lock next */
    hd_letters    *all;

    if (!hd_sync_is_lock(sync->kind, sync->delay)) {
        key = hd_collective_key(sync->peer, hd_sync_group_of(&agent->syncs, sync)->number);
        hd_sync_waiters(agent, sync, &n);
    }
    if (n == 0)
        return true;
    all = hd_letters_expect(rh, agent, key, (uint32_t)n);
    if (all == NULL)
        return false;
    find_previous(agent, point, all, false);
    charge_collective(rh, host, agent, point, all);
    hd_letters_done(rh, agent, key, all);
    return true;
}

/* scout 2.6 goes on from a barrier on all threads that did not wait at it (D19): the last one tells them. */
static void
spread_path(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const hd_letters *all)
{
    const hd_sync *sync    = &agent->syncs.points[point];
    uint32_t       number  = hd_sync_group_of(&agent->syncs, sync)->number;
    bool           on_path = agent->backward->path.is_here;

    if (on_path)
        hd_path_book(rh, agent, point);
    for (hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        on_path |= letter->item.on_path != 0;
        letter->item.on_path = false;
    }
    for (const hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        hd_wait_item answer = { .key = hd_answer_key(number, letter->item.from_thread), .process = agent->process_id, .on_path = on_path };

        if (letter->item.wait == 0)
            hd_host_send(host, hd_host_number(host), HD_ITEM_WAIT, &answer, sizeof answer, NULL, 0);
    }
    if (on_path)
        hd_path_enter(agent, point);
}

/* A thread that did not wait at a barrier, and was not the last one. */
static bool
await_path(hd_replay_host *rh, hd_agent *agent, uint32_t point, uint32_t number)
{
    uint64_t    key = hd_answer_key(number, agent->thread);
    hd_letters *all = hd_letters_expect(rh, agent, key, 1);

    if (all == NULL)
        return false;
    agent->backward->has_told = false;
    if (all->first != NULL && all->first->item.on_path)
        hd_path_enter(agent, point);
    hd_letters_done(rh, agent, key, all);
    return true;
}

/* How much earlier than the last thread somebody was at a barrier. */
static double
late(const hd_agent *agent, const hd_wait_item *item, hd_time last)
{
    const hd_scout_clock *clock = agent->syncs.clock;

    last = hd_time_min(last, item->leave);
    if (clock == NULL)
        return (double)hd_span_between(item->enter, last);
    return hd_scout_seconds(clock, last) - hd_scout_seconds(clock, item->enter);
}

/* A barrier of a team: until the last thread came, whatever tasks were done meanwhile. */
static bool
pass_barrier(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync       *sync    = &agent->syncs.points[point];
    const hd_sync_group *group   = hd_sync_group_of(&agent->syncs, sync);
    uint64_t             key     = hd_team_key(group->number, HD_AT_BARRIER);
    bool                 spreads = rh->replay->compat && rh->replay->request->critical_path;
    hd_letters          *all;

    if (group->delayer != agent->thread) {
        if (!agent->backward->has_told)
            send_wait(rh, host, agent, point, agent->process_id, key);
        agent->backward->has_told = spreads && sync->wait == 0;
        return !agent->backward->has_told || await_path(rh, agent, point, group->number);
    }
    all = hd_letters_expect(rh, agent, key, group->root - 1);
    if (all == NULL)
        return false;
    if (spreads)
        spread_path(rh, host, agent, point, all);
    for (hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        if (letter->item.on_path && group->list != HD_NONE && !rh->replay->compat) {
            hd_path_enter_behind(agent, point, letter->item.leave);
            letter->item.on_path = false;
        }
        letter->previous  = letter->until = sync->previous;
        letter->item.wait = late(agent, &letter->item, hd_sync_enter_of_call(&agent->syncs, sync));
    }
    charge_collective(rh, host, agent, point, all);
    hd_letters_done(rh, agent, key, all);
    return true;
}

/* The critical path goes on on the thread that forked. */
static bool
pass_parallel(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync_group *group   = hd_sync_group_of(&agent->syncs, &agent->syncs.points[point]);
    uint64_t             key     = hd_team_key(group->number, HD_AT_PARALLEL);
    bool                 on_path = false;
    hd_letters          *all;

    if (group->delayer == HD_NONE || !rh->replay->request->critical_path)
        return true;
    if (group->delayer != agent->thread) {
        hd_wait_item item = { .key = key, .process = agent->process_id, .on_path = agent->backward->path.is_here };

        if (item.on_path)
            hd_path_book(rh, agent, point);
        hd_host_send(host, hd_host_number(host), HD_ITEM_WAIT, &item, sizeof item, NULL, 0);
        return true;
    }
    all = hd_letters_expect(rh, agent, key, group->root - 1);
    if (all == NULL)
        return false;
    for (const hd_letter *letter = all->first; letter != NULL; letter = letter->next)
        on_path |= letter->item.on_path != 0;
    if (agent->backward->path.is_here && rh->replay->compat) { /* whatever comes here goes on once */
        hd_path_book(rh, agent, point);
        on_path = true;
    }
    if (on_path)
        hd_path_enter(agent, point);
    hd_letters_done(rh, agent, key, all);
    return true;
}

/* While other threads had nothing to do, everything that this one did made them wait. */
static void
charge_idle(hd_replay_host *rh, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync = &agent->syncs.points[point];

    hd_sync_time_net(&rh->backward->own, &agent->syncs, sync->previous, point, hd_charge_rules(rh, false));
    hd_charge_idle(rh, agent, sync->partner, sync->previous);
}

/* Waiting time that makes the partners of later messages wait, too. */
static void
book_propagating(hd_agent *agent, const hd_sync *sync)
{
    const hd_charges *charges = &agent->backward->charges;
    hd_metric         metric  = sync->kind == HD_SYNC_RECV ? HD_METRIC_mpi_wait_propagating_ls : HD_METRIC_mpi_wait_propagating_lr;

    if (charges->n_reaches > 0)
        hd_cost_add(&agent->costs, metric, sync->call_path, charges->reaches[charges->n_reaches - 1].scale * (double)sync->wait);
}

/* False: it has to wait at this point. */
static bool
pass_point(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync     = &agent->syncs.points[point];
    hd_backward   *backward = agent->backward;

    hd_charge_take_off(rh, &backward->charges, point);
    switch (sync->kind) {
    case HD_SYNC_RECV:
        if (hd_sync_is_rma_wait(sync->kind, sync->delay)) {
            const hd_sync_group *group = hd_sync_group_of(&agent->syncs, sync);

            send_wait(rh, host, agent, point, group->delayer, hd_pair_key(group->thread, group->record, false));
            return true;
        }
        book_propagating(agent, sync);
        send_wait(rh, host, agent, point, sync->peer, hd_pair_key(sync->partner_thread, sync->partner, false));
        return true;
    case HD_SYNC_SENT:
        book_propagating(agent, sync);
        if (sync->partner == HD_NONE)
            keep_wait(rh, host, agent, sync);
        else
            send_wait(rh, host, agent, point, sync->peer, hd_pair_key(sync->partner_thread, sync->partner, true));
        return true;
    case HD_SYNC_SEND:
    case HD_SYNC_REQUEST:
        return pass_pair(rh, host, agent, point);
    case HD_SYNC_COLL:
        return pass_collective(rh, host, agent, point);
    case HD_SYNC_AWAITED:
        return pass_awaited(rh, host, agent, point);
    case HD_SYNC_WAITED:
        if (hd_sync_is_lock(sync->kind, sync->delay))
            send_wait(rh, host, agent, point, agent->process_id, hd_team_key(sync->peer, HD_AT_LOCK));
        else {
            const hd_sync_group *group = hd_sync_group_of(&agent->syncs, sync);

            send_wait(rh, host, agent, point, group->delayer, hd_collective_key(sync->peer, group->number));
        }
        return true;
    case HD_SYNC_BARRIER:
        return pass_barrier(rh, host, agent, point);
    case HD_SYNC_PARALLEL:
        return pass_parallel(rh, host, agent, point);
    case HD_SYNC_IDLE:
        if (rh->replay->request->delays)
            charge_idle(rh, agent, point);
        return true;
    case HD_SYNC_INIT:
    case HD_SYNC_BEGIN:
        if (backward->path.is_here)
            hd_path_book(rh, agent, point);
        return true;
    default:
        return true;
    }
}

hd_run
hd_backward_run(void *context, hd_host *host, uint32_t number, hd_time until, hd_time *now)
{
    hd_replay      *replay   = context;
    hd_replay_host *rh       = hd_replay_host_of(replay, host);
    hd_agent       *agent    = &replay->agents[number];
    hd_backward    *backward = agent->backward;

    while (backward->at > 0) {
        hd_time time = replay->defs->length - hd_time_min(agent->syncs.points[backward->at - 1].enter, replay->defs->length);

        if (time > until && !backward->is_waiting) {
            *now = time;
            return HD_RUN_YIELD;
        }
        if (!pass_point(rh, host, agent, (uint32_t)backward->at - 1))
            return HD_RUN_PARKED;
        backward->at--;
    }
    return HD_RUN_DONE;
}

static void
take_letter(hd_replay_host *rh, hd_host *host, const hd_wait_item *item)
{
    if (!hd_letters_put(rh, host, item) && rh->replay->request->delays)
        hd_charge_nobody(rh, host, item, (const hd_effect_cost *)(item + 1));
}

void
hd_backward_deliver(void *context, hd_host *host, uint32_t kind, const void *data, uint32_t bytes)
{
    (void)bytes;
    if (kind == HD_ITEM_WAIT)
        take_letter(hd_replay_host_of(context, host), host, data);
    else
        hd_charge_answer(context, data);
}

void
hd_backward_host_init(hd_replay_host *rh)
{
    const hd_replay  *replay = rh->replay;
    uint32_t          n      = replay->request->n_call_paths;
    hd_backward_host *own    = HD_NEW(hd_backward_host);

    rh->backward = own;
    own->unit    = replay->compat ? replay->clock.resolution : 1;
    own->limit   = replay->compat ? SCOUT_VECTOR_LIMIT : 0;
    hd_time_vector_init(&own->own, n);
    hd_time_vector_init(&own->other, n);
    if (replay->compat) {
        hd_time_vector_init(&own->whole, n);
        hd_time_vector_init(&own->waits, n);
    }
    hd_letters_host_init(rh);
    hd_pool_init(&own->charges, sizeof(hd_effect_charge));
}

void
hd_backward_host_end(hd_replay_host *rh)
{
    hd_letters_host_fini(rh);
    hd_pool_fini(&rh->backward->charges);
    hd_effect_costs_fini(&rh->backward->wait_costs);
    hd_effect_costs_fini(&rh->backward->scales);
    free(rh->backward->excess);
}

void
hd_backward_host_fini(hd_replay_host *rh)
{
    if (rh->backward == NULL)
        return;
    hd_time_vector_fini(&rh->backward->own);
    hd_time_vector_fini(&rh->backward->other);
    hd_time_vector_fini(&rh->backward->whole);
    hd_time_vector_fini(&rh->backward->waits);
    free(rh->backward->entries);
    free(rh->backward);
    rh->backward = NULL;
}

void
hd_backward_start(hd_agent *agent)
{
    agent->backward                  = HD_NEW(hd_backward);
    agent->backward->at              = agent->syncs.n;
    agent->backward->n_intermediates = agent->syncs.n_intermediates;
}

bool
hd_backward_waits(const hd_agent *agent, hd_time *time)
{
    if (agent->backward->at == 0)
        return false;
    *time = agent->syncs.points[agent->backward->at - 1].enter;
    return true;
}

void
hd_backward_give_up(hd_host *host, hd_agent *agent)
{
    hd_letters_give_up(agent);
    hd_host_wake(host, agent->number);
}

void
hd_backward_fini(hd_replay_host *rh, hd_agent *agent)
{
    hd_backward *backward = agent->backward;
    hd_severity *answers;
    size_t       n;

    if (backward == NULL)
        return;
    answers = hd_severities_take(&agent->answers, NULL, &n);
    for (size_t i = 0; i < n; i++)
        hd_cost_add(&agent->costs, (hd_metric)answers[i].metric, answers[i].call_path, (double)answers[i].value / rh->replay->fraction);
    free(answers);
    hd_severities_fini(&agent->answers);
    hd_letters_fini(rh, agent);
    hd_charges_fini(&backward->charges);
    free(backward->path.more_ends);
    free(backward->waiting.letters);
    free(backward);
    agent->backward = NULL;
}

