#include "backward.h"

#include <math.h>
#include <stddef.h>

#include "effect.h"
#include "meeting.h"
#include "sync_time.h"

enum { ITEM_WAIT = 0x100, ITEM_ANSWER }; /* behind those of the forward replay */

typedef struct wait_item { /* n_effects hd_effect_cost and n hd_time_entry follow */
    uint64_t key;          /* of the point that is waited for, see pair_key(), collective_key() */
    double   wait;         /* in the unit of vectors, as costs */
    uint32_t process;      /* whom it is for */
    uint32_t from, from_thread, call_path; /* who waited, and where */
    uint32_t n, n_effects; /* of the waiting side's vector; of what the wait cost, further on */
    uint32_t delay, on_path; /* on_path: the critical path goes on where this is going */
    hd_time  enter, leave; /* of the call that waited; leave: of a barrier of a team */
} wait_item;

typedef union mail_entry {
    hd_effect_cost cost;
    hd_time_entry  time;
} mail_entry;

typedef struct answer_item {
    uint32_t process, thread, call_path, delay;
    double   indirect;           /* part of the wait that the delayer's own waits caused */
    double   excess;             /* part of it that can be charged to nobody */
    double   costs[HD_N_DELAYS]; /* likewise */
} answer_item;

typedef struct mail { /* a wait_item that has come */
    struct mail *next;
    uint32_t     previous; /* once it is looked at: where both sides met before */
    uint32_t     until;    /* back to where the delayer's waits pass it on; HD_NONE: none of them does */
    wait_item    item;
    mail_entry   entries[]; /* [item.n_effects + item.n] */
} mail;

#define POOLED_ENTRIES 16 /* longer ones are rare */

typedef struct letters { /* what has come for one point */
    mail    *first;
    uint32_t n;
    uint32_t waiting; /* agent that is parked there, HD_NONE */
    bool     is_over; /* the point was passed without it */
} letters;

typedef struct charge { /* from an interval: its waits pass on scales of each tick until its begin */
    uint32_t          until, extended;
    hd_effect_charge *scales;
} charge;

typedef struct reach { /* of an interval, for what propagates at messages: until and scale both ascend in the array */
    uint32_t until;
    double   scale;
} reach;

struct hd_backward {
    size_t   at;           /* points [0, at) are not passed yet */
    bool     given_up;
    bool     is_waiting;   /* for letters of point at - 1 */
    bool     on_path;
    bool     has_told;     /* compat: at the point at hand, and waits for an answer */
    uint32_t path_end;     /* the critical path left this point towards the begin */
    uint32_t path_behind_call_path; /* or came from path_behind later than that, and was here until then */
    hd_span  path_behind;
    uint32_t *more_ends;   /* [n_more_ends] compat: the path came in at these, too (D19) */
    size_t   n_more_ends, capacity_more_ends;
    hd_effect_scales scales[2]; /* in force; [1]: of extensions, for their waits, too */
    charge  *charges;      /* [n_charges] a heap, the largest `until` first */
    size_t   n_charges, capacity_charges;
    reach   *reaches;      /* [n_reaches] */
    size_t   n_reaches, capacity_reaches;
    size_t   n_intermediates; /* of points not passed yet */
    hd_map   letters;      /* key -> letters *; of all threads, on the process's first one */
};

static uint64_t
pair_key(uint32_t thread, uint32_t order, bool is_request)
{
    return (uint64_t)is_request << 62 | (uint64_t)thread << 32 | order;
}

static uint64_t
collective_key(uint32_t comm, uint32_t number)
{
    return UINT64_C(1) << 63 | (uint64_t)comm << 32 | number;
}

typedef enum team_meeting { AT_BARRIER, AT_PARALLEL, AT_LOCK, AT_ANSWER } team_meeting;

static uint64_t
team_key(uint32_t number, team_meeting meeting)
{
    return UINT64_C(3) << 62 | (uint64_t)meeting << 32 | number;
}

static uint64_t
answer_key(uint32_t number, uint32_t thread)
{
    return team_key(number, AT_ANSWER) | (uint64_t)thread << 40;
}

/* What has come for a point, made if nothing has. */
static letters *
letters_of(hd_replay_host *rh, hd_agent *agent, uint64_t key)
{
    bool      is_new;
    hd_agent *first = agent - agent->thread;
    uint64_t *place = hd_map_add(&first->backward->letters, key, &is_new);

    if (is_new) {
        letters *made = hd_pool_take(&rh->letters);

        *made         = (letters){ .waiting = HD_NONE };
        *place        = (uint64_t)(uintptr_t)made;
    }
    return (letters *)(uintptr_t)*place;
}

static uint32_t
n_entries(const wait_item *item)
{
    return item->n_effects + item->n;
}

static void
drop_mail(hd_replay_host *rh, letters *all)
{
    while (all->first != NULL) {
        mail *letter = all->first;

        all->first = letter->next;
        if (n_entries(&letter->item) <= POOLED_ENTRIES)
            hd_pool_put(&rh->mail, letter);
        else
            free(letter);
    }
}

static void
drop_letters(hd_replay_host *rh, hd_agent *agent, uint64_t key, letters *all)
{
    drop_mail(rh, all);
    hd_map_remove(&(agent - agent->thread)->backward->letters, key);
    hd_pool_put(&rh->letters, all);
}

/* ---- scales in force ------------------------------------------------------------------------------------------------------- */

static void
push_charge(hd_backward *backward, charge added)
{
    size_t i = backward->n_charges;

    HD_PUSH(backward->charges, backward->n_charges, backward->capacity_charges, added);
    while (i > 0 && backward->charges[(i - 1) / 2].until < added.until) {
        backward->charges[i] = backward->charges[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    backward->charges[i] = added;
}

static void
pop_charge(hd_backward *backward)
{
    charge last = backward->charges[--backward->n_charges];
    size_t i    = 0;

    for (size_t child = 1; child < backward->n_charges; child = 2 * i + 1) {
        if (child + 1 < backward->n_charges && backward->charges[child + 1].until > backward->charges[child].until)
            child++;
        if (backward->charges[child].until <= last.until)
            break;
        backward->charges[i] = backward->charges[child];
        i = child;
    }
    if (backward->n_charges > 0)
        backward->charges[i] = last;
}

static void
put_in_force(hd_replay_host *rh, hd_backward *backward, const hd_effect_costs *scales, bool extended, uint32_t until)
{
    hd_effect_charge *added = hd_effect_scales_add(&backward->scales[extended], scales, &rh->charges);

    if (added != NULL)
        push_charge(backward, (charge){ .until = until, .extended = extended, .scales = added });
}

/* Intervals that begin at this point end. */
static void
take_off(hd_replay_host *rh, hd_backward *backward, uint32_t point)
{
    while (backward->n_charges > 0 && backward->charges[0].until >= point) {
        hd_effect_scales_take_off(&backward->scales[backward->charges[0].extended], backward->charges[0].scales, &rh->charges);
        pop_charge(backward);
    }
    while (backward->n_reaches > 0 && backward->reaches[backward->n_reaches - 1].until >= point)
        backward->n_reaches--;
}

/* Of the intervals in force only those stay that no other one exceeds for at least as long: `until` and scale ascend, so the
 * last ends first and is the largest. */
static void
add_reach(hd_backward *backward, uint32_t until, double scale)
{
    size_t i = backward->n_reaches, end;

    while (i > 0 && backward->reaches[i - 1].until > until)
        i--;
    if (scale <= 0 || (i > 0 && backward->reaches[i - 1].scale >= scale))
        return;
    if (i > 0 && backward->reaches[i - 1].until == until)
        i--;
    for (end = i; end < backward->n_reaches && backward->reaches[end].scale <= scale; end++)
        ;
    if (end == i) { /* one more */
        HD_PUSH(backward->reaches, backward->n_reaches, backward->capacity_reaches, ((reach){ until, scale }));
        memmove(&backward->reaches[i + 1], &backward->reaches[i], (backward->n_reaches - 1 - i) * sizeof(reach));
    } else {
        memmove(&backward->reaches[i + 1], &backward->reaches[end], (backward->n_reaches - end) * sizeof(reach));
        backward->n_reaches -= end - i - 1;
    }
    backward->reaches[i] = (reach){ until, scale };
}

static hd_sync_rules
rules_of(hd_replay_host *rh, bool extended)
{
    return (hd_sync_rules){ .extended = extended, .limit = rh->limit, .scratch = &rh->waits };
}

/* What a wait at the point at hand cost others further on, into rh->wait_costs. */
static void
make_wait_costs(hd_replay_host *rh, const hd_agent *agent, const hd_sync *sync)
{
    const hd_backward *backward = agent->backward;

    hd_effect_costs_of_wait(&rh->wait_costs, &backward->scales[1], sync->kind == HD_SYNC_WAITED ? NULL : &backward->scales[0],
                            hd_sync_time_wait(&agent->syncs, sync));
}

/* ---- charging --------------------------------------------------------------------------------------------------------------- */

/* To the tables of causes; added up as integers, for they are the host's. */
static inline void
add_short_term(const hd_replay_host *rh, hd_cause_table *table, uint32_t cause, uint32_t effect, double cost)
{
    hd_cause_table_slot(table, cause, effect)->short_term += (int64_t)(cost * rh->cause_fraction + 0.5);
}

static inline void
add_long_term(const hd_replay_host *rh, hd_cause_table *table, uint32_t cause, uint32_t effect, double cost)
{
    hd_cause_table_slot(table, cause, effect)->long_term += (int64_t)(cost * rh->cause_fraction + 0.5);
}

/* Answers come in any order, so they are added up as integers. */
static void
add_answer(const hd_replay *replay, hd_agent *agent, hd_metric metric, uint32_t call_path, double value)
{
    int64_t fractions = (int64_t)(value * replay->fraction + 0.5); /* thousands of them would miss what is cut off */

    if (fractions > 0)
        hd_severity_add(&agent->answers, metric, call_path, fractions);
}

static void
book_unattributed(const hd_replay *replay, hd_agent *agent, hd_delay delay, uint32_t call_path, double wait)
{
    if (!replay->compat)
        add_answer(replay, agent, hd_delay_infos[delay].unattributed, call_path, wait);
}

void
hd_backward_unattributed(hd_replay_host *rh, hd_agent *agent, hd_delay delay, uint32_t call_path, double wait)
{
    book_unattributed(rh->replay, agent, delay, call_path, wait);
    if (!rh->replay->compat)
        add_short_term(rh, &rh->causes, HD_NONE, hd_effect(delay, call_path), wait);
}

static void
book_answer(hd_replay *replay, const answer_item *answer)
{
    hd_agent *agent = hd_replay_agent(replay, answer->process, answer->thread);

    if (answer->delay == HD_DELAY_LATE_SENDER)
        add_answer(replay, agent, HD_METRIC_mpi_wait_indirect_latesender, answer->call_path, answer->indirect);
    else if (answer->delay == HD_DELAY_LATE_RECEIVER)
        add_answer(replay, agent, HD_METRIC_mpi_wait_indirect_latereceiver, answer->call_path, answer->indirect);
    book_unattributed(replay, agent, (hd_delay)answer->delay, answer->call_path, answer->excess);
    for (uint32_t k = 0; k < HD_N_DELAYS; k++)
        book_unattributed(replay, agent, (hd_delay)k, answer->call_path, answer->costs[k]);
}

static void
send_answer(hd_replay_host *rh, hd_host *host, const answer_item *answer)
{
    uint32_t home = hd_placement_host(rh->replay->request->placement, (hd_process){ answer->process });

    if (home == hd_host_number(host))
        book_answer(rh->replay, answer);
    else
        hd_host_send(host, home, ITEM_ANSWER, answer, sizeof *answer, NULL, 0);
}

/* Nobody can be charged for it. */
static void
send_back(hd_replay_host *rh, hd_host *host, const wait_item *item, const hd_effect_cost *costs)
{
    answer_item answer = { .process = item->from, .thread = item->from_thread, .call_path = item->call_path, .delay = item->delay,
                           .excess = item->wait };

    if (rh->replay->compat)
        return;
    add_short_term(rh, &rh->causes, HD_NONE, hd_effect((hd_delay)item->delay, item->call_path), item->wait);
    for (uint32_t i = 0; i < item->n_effects; i++) {
        answer.costs[hd_effect_delay(costs[i].effect)] += costs[i].value;
        add_long_term(rh, &rh->causes, HD_NONE, costs[i].effect, costs[i].value);
    }
    send_answer(rh, host, &answer);
}

/* The excess time of the delayer, whose vector is rh->own, over that of the one who waited: where it is positive, into rh->excess.
 * Returns the sum. */
static double
make_excess(hd_replay_host *rh, const mail_entry *entries, uint32_t n)
{
    double sum = 0;

    hd_time_vector_clear(&rh->other);
    for (uint32_t i = 0; i < n; i++)
        hd_time_vector_add(&rh->other, entries[i].time.call_path, entries[i].time.span);
    rh->n_excess = 0;
    for (size_t i = 0; i < rh->own.n; i++) {
        uint32_t call_path = rh->own.touched[i];
        double   excess    = rh->own.spans[call_path] - hd_time_vector_get(&rh->other, call_path);

        if (excess <= 0)
            continue;
        HD_PUSH(rh->excess, rh->n_excess, rh->capacity_excess, ((hd_time_entry){ .call_path = call_path, .span = excess }));
        sum += excess;
    }
    return sum;
}

static void
book_short_term(hd_replay_host *rh, hd_agent *agent, const wait_item *item, double scale)
{
    for (size_t i = 0; i < rh->n_excess; i++) {
        double cost = scale * rh->excess[i].span * rh->unit;

        hd_cost_add(&agent->costs, hd_delay_infos[item->delay].short_term, rh->excess[i].call_path, cost);
        add_short_term(rh, &rh->causes, rh->excess[i].call_path, hd_effect((hd_delay)item->delay, item->call_path), cost);
    }
}

/* costs [n] are those of one kind. */
static void
book_long_term(hd_replay_host *rh, hd_agent *agent, const hd_effect_cost *costs, size_t n, double all)
{
    hd_metric metric = hd_delay_infos[hd_effect_delay(costs->effect)].long_term;
    double    sum    = 0;

    for (size_t k = 0; k < n; k++)
        sum += costs[k].value;
    for (size_t i = 0; i < rh->n_excess; i++) {
        double share = rh->excess[i].span / all * rh->unit;

        hd_cost_add(&agent->costs, metric, rh->excess[i].call_path, sum * share);
        for (size_t k = 0; k < n; k++)
            add_long_term(rh, &rh->causes, rh->excess[i].call_path, costs[k].effect, costs[k].value * share);
    }
}

/* Charges one wait to the interval whose vector is rh->own and whose own waits sum to `waits`; adds to rh->scales what these pass
 * on of each of their ticks. */
static void
charge_wait(hd_replay_host *rh, hd_host *host, hd_agent *agent, const mail *letter, double waits, uint32_t previous)
{
    const wait_item      *item       = &letter->item;
    const hd_effect_cost *costs      = &letter->entries->cost;
    double                excess     = make_excess(rh, letter->entries + item->n_effects, item->n);
    bool                  is_message = item->delay == HD_DELAY_LATE_SENDER || item->delay == HD_DELAY_LATE_RECEIVER;
    bool                  is_capped  = is_message || item->delay == HD_DELAY_OMP_LOCK || item->delay == HD_DELAY_PTHREAD_LOCK;
    double                all        = excess + waits, scale, long_term = 0;
    hd_effect_cost        own        = { .effect = hd_effect((hd_delay)item->delay, item->call_path), .value = 1 };
    answer_item answer = { .process = item->from, .thread = item->from_thread, .call_path = item->call_path, .delay = item->delay };

    if (all <= 0) {
        send_back(rh, host, item, costs);
        return;
    }
    scale = item->wait / all;
    if (is_capped && scale > 1) {
        answer.excess = item->wait - all;
        scale         = 1;
        if (!rh->replay->compat)
            add_short_term(rh, &rh->causes, HD_NONE, own.effect, answer.excess);
    }
    book_short_term(rh, agent, item, scale);
    hd_effect_costs_add(&rh->scales, &own, 1, scale);
    for (uint32_t i = 0, n; i < item->n_effects; i += n) {
        hd_delay delay = hd_effect_delay(costs[i].effect);

        for (n = 1; i + n < item->n_effects && hd_effect_delay(costs[i + n].effect) == delay; n++)
            ;
        if (rh->replay->compat && delay == HD_DELAY_OMP_BARRIER && item->delay == HD_DELAY_OMP_BARRIER) /* D18 */
            continue;
        book_long_term(rh, agent, &costs[i], n, all);
        hd_effect_costs_add(&rh->scales, &costs[i], n, 1 / all);
        for (uint32_t k = i; k < i + n; k++)
            long_term += costs[k].value;
    }
    if (excess > 0) {
        add_short_term(rh, &rh->pairs, agent->process_id, item->from, scale * excess * rh->unit);
        add_long_term(rh, &rh->pairs, agent->process_id, item->from, long_term / all * excess * rh->unit);
    }
    answer.indirect = scale * waits * rh->unit;
    if (is_message)
        add_reach(agent->backward, previous, scale);
    if ((is_message && answer.indirect > 0) || answer.excess > 0)
        send_answer(rh, host, &answer);
}

/* ---- critical path ------------------------------------------------------------------------------------------------------------- */

/* Its time from the point on until it came in, into rh->own. */
static void
add_path_time(hd_replay_host *rh, const hd_agent *agent, uint32_t point)
{
    const hd_backward *backward = agent->backward;

    hd_time_vector_clear(&rh->own);
    hd_sync_time_add(&rh->own, &agent->syncs, point, backward->path_end, rh->limit);
    if (backward->path_behind != 0)
        hd_time_vector_add(&rh->own, backward->path_behind_call_path, (double)backward->path_behind);
}

static void
book_path_time(hd_replay_host *rh, hd_agent *agent)
{
    for (size_t i = 0; i < rh->own.n; i++)
        if (rh->own.spans[rh->own.touched[i]] != 0)
            hd_cost_add(&agent->costs, HD_METRIC_critical_path, rh->own.touched[i], round(rh->own.spans[rh->own.touched[i]] * rh->unit));
    agent->backward->on_path = false;
}

static void
book_one_path(hd_replay_host *rh, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync = &agent->syncs.points[point];

    add_path_time(rh, agent, point);
    if (sync->wait > 0 && hd_time_vector_get(&rh->own, sync->call_path) > 0)
        rh->own.spans[sync->call_path] = fmax(rh->own.spans[sync->call_path] - hd_sync_time_wait(&agent->syncs, sync), 0);
    book_path_time(rh, agent);
}

/* The critical path came in at path_end and leaves at the point at hand, or goes on from there elsewhere. */
static void
book_path(hd_replay_host *rh, hd_agent *agent, uint32_t point)
{
    hd_backward *backward = agent->backward;

    book_one_path(rh, agent, point);
    while (backward->n_more_ends > 0) {
        backward->path_end = backward->more_ends[--backward->n_more_ends];
        book_one_path(rh, agent, point);
    }
}

/* Where the thread left the barrier, if it ran tasks in it; HD_NONE: it did not. */
static uint32_t
leave_of_barrier(const hd_agent *agent, uint32_t point)
{
    const hd_sync *points = agent->syncs.points;
    hd_time        leave  = points[point].enter + (hd_time)points[point].pruned;

    for (uint32_t i = point + 1; i < agent->syncs.n && points[i].enter <= leave; i++)
        if (points[i].kind == HD_SYNC_EDGE && points[i].enter == leave)
            return i;
    return HD_NONE;
}

/* A barrier in which tasks were run: what a thread did in it before the last one came is not known apart from what it did then, so the
 * path goes to the last thread at the moment at which this one leaves the barrier. False: it stays, as it came in meanwhile. */
static bool
book_path_behind(hd_replay_host *rh, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync  = &agent->syncs.points[point];
    uint32_t       leave = leave_of_barrier(agent, point);

    if (leave != HD_NONE && agent->backward->path_end <= leave)
        return false;
    add_path_time(rh, agent, leave != HD_NONE ? leave : point);
    if (leave == HD_NONE)
        hd_time_vector_add(&rh->own, sync->call_path, -(double)sync->pruned);
    book_path_time(rh, agent);
    return true;
}

/* It is there once only, but for scout's several paths. */
static void
enter_path(hd_agent *agent, uint32_t point)
{
    hd_backward *backward = agent->backward;

    if (backward->on_path)
        HD_PUSH(backward->more_ends, backward->n_more_ends, backward->capacity_more_ends, backward->path_end);
    agent->backward->on_path     = true;
    agent->backward->path_end    = point;
    agent->backward->path_behind = 0;
}

/* left: when the thread left the barrier from which the path comes. */
static void
enter_path_behind(hd_agent *agent, uint32_t point, hd_time left)
{
    const hd_sync *sync  = &agent->syncs.points[point];
    uint32_t       leave = leave_of_barrier(agent, point);

    enter_path(agent, leave != HD_NONE ? leave : point);
    agent->backward->path_behind           = hd_span_between(agent->syncs.points[agent->backward->path_end].enter, left);
    agent->backward->path_behind_call_path = sync->call_path;
}

/* ---- points ------------------------------------------------------------------------------------------------------------------- */

/* Tells the one that was waited for. */
static void
send_wait(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, uint32_t process, uint64_t key)
{
    const hd_sync *sync = &agent->syncs.points[point];
    wait_item      item = { .key = key, .wait = hd_sync_time_wait(&agent->syncs, sync), .process = process, .from = agent->process_id,
                            .from_thread = agent->thread, .call_path = sync->call_path, .delay = sync->delay, .enter = hd_sync_enter_of_call(&agent->syncs, sync) };
    uint32_t       n;

    item.leave = item.enter + (hd_time)sync->pruned;

    if (agent->backward->on_path && (sync->wait > 0 || (sync->kind == HD_SYNC_BARRIER && rh->replay->compat)) &&
        sync->kind != HD_SYNC_WAITED) {
        if (sync->kind == HD_SYNC_BARRIER && !rh->replay->compat && hd_sync_group_of(&agent->syncs, sync)->list != HD_NONE)
            item.on_path = book_path_behind(rh, agent, point);
        else {
            book_path(rh, agent, point);
            item.on_path = true;
        }
    }
    if (rh->replay->request->delays && (sync->wait > 0 || sync->kind == HD_SYNC_BARRIER)) {
        make_wait_costs(rh, agent, sync);
        hd_sync_time_pruned(&rh->own, &agent->syncs, sync->previous, point,
                            rules_of(rh, sync->kind == HD_SYNC_WAITED));
    } else {
        rh->wait_costs.n = 0;
        hd_time_vector_clear(&rh->own);
    }
    item.n_effects = n = (uint32_t)rh->wait_costs.n;
    while (rh->capacity_entries < (rh->own.n + n) * sizeof(mail_entry))
        rh->entries = hd_grow(rh->entries, rh->capacity_entries, &rh->capacity_entries, 1);
    if (n > 0)
        memcpy(rh->entries, rh->wait_costs.rows, n * sizeof(mail_entry));
    for (size_t i = 0; i < rh->own.n; i++)
        if (rh->own.spans[rh->own.touched[i]] > 0)
            ((mail_entry *)rh->entries)[n++].time =
                (hd_time_entry){ .call_path = rh->own.touched[i], .span = rh->own.spans[rh->own.touched[i]] };
    item.n = n - item.n_effects;
    hd_host_send(host, hd_placement_host(rh->replay->request->placement, (hd_process){ process }), ITEM_WAIT, &item, sizeof item,
                 rh->entries, (uint32_t)(n * sizeof(mail_entry)));
}

/* Whoever was waited for has no point at which it could be charged. The critical path stays here. */
static void
keep_wait(hd_replay_host *rh, hd_host *host, const hd_agent *agent, const hd_sync *sync)
{
    wait_item item = { .wait = hd_sync_time_wait(&agent->syncs, sync), .from = agent->process_id, .from_thread = agent->thread, .call_path = sync->call_path,
                       .delay = sync->delay };

    if (!rh->replay->request->delays)
        return;
    make_wait_costs(rh, agent, sync);
    item.n_effects = (uint32_t)rh->wait_costs.n;
    send_back(rh, host, &item, rh->wait_costs.rows);
}

/* The letters of a point of which n are expected; NULL: it has to wait for them. */
static letters *
expect(hd_replay_host *rh, hd_agent *agent, uint64_t key, uint32_t n)
{
    letters *all = letters_of(rh, agent, key);

    agent->backward->is_waiting = all->n < n && !agent->backward->given_up;
    all->waiting                = agent->backward->is_waiting ? agent->number : HD_NONE;
    return agent->backward->is_waiting ? NULL : all;
}

/* Letters that come after it was given up are answered at once. */
static void
be_done_with(hd_replay_host *rh, hd_agent *agent, uint64_t key, letters *all)
{
    bool given_up = agent->backward->given_up;

    agent->backward->given_up = false;
    drop_letters(rh, agent, key, all);
    if (given_up)
        letters_of(rh, agent, key)->is_over = true;
}

static void
charge_pair(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const mail *letter)
{
    const hd_sync *sync  = &agent->syncs.points[point];
    double         waits = hd_sync_time_pruned(&rh->own, &agent->syncs, sync->previous, point,
                            rules_of(rh, sync->kind == HD_SYNC_WAITED));

    rh->scales.n = 0;
    charge_wait(rh, host, agent, letter, waits, sync->previous);
    put_in_force(rh, agent->backward, &rh->scales, false, sync->previous);
}

static bool
pass_pair(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync = &agent->syncs.points[point];
    uint64_t       key  = pair_key(agent->thread, sync->order, sync->kind == HD_SYNC_REQUEST);
    letters       *all  = expect(rh, agent, key, 1);

    if (all == NULL)
        return false;
    if (all->first != NULL && rh->replay->request->delays)
        charge_pair(rh, host, agent, point, all->first);
    if (all->first != NULL && all->first->item.on_path)
        enter_path(agent, point);
    be_done_with(rh, agent, key, all);
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
find_previous(hd_agent *agent, uint32_t point, letters *all, bool compat)
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
    for (mail *letter = all->first; letter != NULL; letter = letter->next) {
        const uint64_t *place = n > 0 ? hd_map_get(&places, letter->item.from) : NULL;

        letter->previous = place != NULL ? (uint32_t)*place : agent->syncs.points[point].previous;
        letter->until    = place == NULL || !compat ? letter->previous : until_next(found, n, letter->previous);
    }
    hd_map_fini(&places);
}

static int
compare_letters(const void *left, const void *right)
{
    const mail *const *a = left, *const *b = right;

    if ((*a)->previous != (*b)->previous)
        return (*a)->previous < (*b)->previous ? -1 : 1;
    if ((*a)->item.from != (*b)->item.from)
        return (*a)->item.from < (*b)->item.from ? -1 : 1;
    return (*a)->item.from_thread < (*b)->item.from_thread ? -1 : (*a)->item.from_thread > (*b)->item.from_thread;
}

/* Of rh->own, from where the delayer met some members, scout 2.6 takes the call paths only in which it also has something since it met
 * all of them; two points in one call can make a difference. make: the latter is not in rh->whole yet. */
static void
leave_out_others(hd_replay_host *rh, const hd_agent *agent, uint32_t point, bool make)
{
    if (make)
        hd_sync_time_pruned(&rh->whole, &agent->syncs, agent->syncs.points[point].previous, point,
                            rules_of(rh, false));
    for (size_t i = 0; i < rh->own.n; i++)
        if (hd_time_vector_get(&rh->whole, rh->own.touched[i]) <= 0)
            rh->own.spans[rh->own.touched[i]] = 0;
}

static void
charge_collective(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const letters *all)
{
    mail     **sorted = HD_NEW_ARRAY(mail *, all->n);
    uint32_t   n      = 0;
    double     waits  = 0;
    bool       extended = agent->syncs.points[point].kind == HD_SYNC_AWAITED;
    bool       is_made = false; /* rh->whole */
    bool       on_path = false;

    for (mail *letter = all->first; letter != NULL; letter = letter->next) {
        on_path |= letter->item.on_path != 0;
        if (letter->item.wait > 0 && rh->replay->request->delays)
            sorted[n++] = letter;
    }
    if (on_path)
        enter_path(agent, point);
    if (n > 1)
        qsort(sorted, n, sizeof(mail *), compare_letters);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i]->previous != sorted[i - 1]->previous) {
            if (i > 0 && sorted[i - 1]->until != HD_NONE)
                put_in_force(rh, agent->backward, &rh->scales, extended, sorted[i - 1]->until);
            rh->scales.n = 0;
            waits = hd_sync_time_pruned(&rh->own, &agent->syncs, sorted[i]->previous, point,
                                        rules_of(rh, extended));
            if (rh->replay->compat && sorted[i]->previous != agent->syncs.points[point].previous) {
                leave_out_others(rh, agent, point, !is_made);
                is_made = true;
            }
        }
        charge_wait(rh, host, agent, sorted[i], waits, sorted[i]->previous);
    }
    if (n > 0 && sorted[n - 1]->until != HD_NONE)
        put_in_force(rh, agent->backward, &rh->scales, extended, sorted[n - 1]->until);
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
    uint64_t             key   = collective_key(sync->peer, group->number);
    letters             *all;

    if (group->delayer != agent->process_id) {
        send_wait(rh, host, agent, point, group->delayer, key);
        return true;
    }
    all = expect(rh, agent, key, n_others(rh, agent, sync));
    if (all == NULL)
        return false;
    if (rh->replay->request->delays)
        find_previous(agent, point, all, rh->replay->compat);
    charge_collective(rh, host, agent, point, all);
    be_done_with(rh, agent, key, all);
    return true;
}

/* Those who waited for this location in a prefix reduction, for its part of a non-blocking collective, or for a lock. */
static bool
pass_awaited(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync   = &agent->syncs.points[point];
    uint64_t       key    = team_key(sync->peer, AT_LOCK);
    letters       *all;
    size_t         n = 1; /* who has the lock next */

    if (!hd_sync_is_lock(sync->kind, sync->delay)) {
        key = collective_key(sync->peer, hd_sync_group_of(&agent->syncs, sync)->number);
        hd_sync_waiters(agent, sync, &n);
    }
    if (n == 0)
        return true;
    all = expect(rh, agent, key, (uint32_t)n);
    if (all == NULL)
        return false;
    find_previous(agent, point, all, false);
    charge_collective(rh, host, agent, point, all);
    be_done_with(rh, agent, key, all);
    return true;
}

/* scout 2.6 goes on from a barrier on all threads that did not wait at it (D19): the last one tells them. */
static void
spread_path(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const letters *all)
{
    const hd_sync *sync    = &agent->syncs.points[point];
    uint32_t       number  = hd_sync_group_of(&agent->syncs, sync)->number;
    bool           on_path = agent->backward->on_path;

    if (on_path)
        book_path(rh, agent, point);
    for (mail *letter = all->first; letter != NULL; letter = letter->next) {
        on_path |= letter->item.on_path != 0;
        letter->item.on_path = false;
    }
    for (const mail *letter = all->first; letter != NULL; letter = letter->next) {
        wait_item answer = { .key = answer_key(number, letter->item.from_thread), .process = agent->process_id, .on_path = on_path };

        if (letter->item.wait == 0)
            hd_host_send(host, hd_host_number(host), ITEM_WAIT, &answer, sizeof answer, NULL, 0);
    }
    if (on_path)
        enter_path(agent, point);
}

/* A thread that did not wait at a barrier, and was not the last one. */
static bool
await_path(hd_replay_host *rh, hd_agent *agent, uint32_t point, uint32_t number)
{
    uint64_t key = answer_key(number, agent->thread);
    letters *all = expect(rh, agent, key, 1);

    if (all == NULL)
        return false;
    agent->backward->has_told = false;
    if (all->first != NULL && all->first->item.on_path)
        enter_path(agent, point);
    be_done_with(rh, agent, key, all);
    return true;
}

/* How much earlier than the last thread somebody was at a barrier. */
static double
late(const hd_agent *agent, const wait_item *item, hd_time last)
{
    const hd_scout_clock *clock = agent->syncs.clock;

    last = hd_time_min(last, item->leave);
    return clock == NULL ? (double)hd_span_between(item->enter, last) : hd_scout_seconds(clock, last) - hd_scout_seconds(clock, item->enter);
}

/* A barrier of a team: until the last thread came, whatever tasks were done meanwhile. */
static bool
pass_barrier(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync       *sync  = &agent->syncs.points[point];
    const hd_sync_group *group = hd_sync_group_of(&agent->syncs, sync);
    uint64_t             key   = team_key(group->number, AT_BARRIER);
    bool                 spreads = rh->replay->compat && rh->replay->request->critical_path;
    letters             *all;

    if (group->delayer != agent->thread) {
        if (!agent->backward->has_told)
            send_wait(rh, host, agent, point, agent->process_id, key);
        agent->backward->has_told = spreads && sync->wait == 0;
        return !agent->backward->has_told || await_path(rh, agent, point, group->number);
    }
    all = expect(rh, agent, key, group->root - 1);
    if (all == NULL)
        return false;
    if (spreads)
        spread_path(rh, host, agent, point, all);
    for (mail *letter = all->first; letter != NULL; letter = letter->next) {
        if (letter->item.on_path && group->list != HD_NONE && !rh->replay->compat) {
            enter_path_behind(agent, point, letter->item.leave);
            letter->item.on_path = false;
        }
        letter->previous  = letter->until = sync->previous;
        letter->item.wait = late(agent, &letter->item, hd_sync_enter_of_call(&agent->syncs, sync));
    }
    charge_collective(rh, host, agent, point, all);
    be_done_with(rh, agent, key, all);
    return true;
}

/* The critical path goes on on the thread that forked. */
static bool
pass_parallel(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync_group *group = hd_sync_group_of(&agent->syncs, &agent->syncs.points[point]);
    uint64_t             key   = team_key(group->number, AT_PARALLEL);
    bool                 on_path = false;
    letters             *all;

    if (group->delayer == HD_NONE || !rh->replay->request->critical_path)
        return true;
    if (group->delayer != agent->thread) {
        wait_item item = { .key = key, .process = agent->process_id, .on_path = agent->backward->on_path };

        if (item.on_path)
            book_path(rh, agent, point);
        hd_host_send(host, hd_host_number(host), ITEM_WAIT, &item, sizeof item, NULL, 0);
        return true;
    }
    all = expect(rh, agent, key, group->root - 1);
    if (all == NULL)
        return false;
    for (const mail *letter = all->first; letter != NULL; letter = letter->next)
        on_path |= letter->item.on_path != 0;
    if (agent->backward->on_path && rh->replay->compat) { /* whatever comes here goes on once */
        book_path(rh, agent, point);
        on_path = true;
    }
    if (on_path)
        enter_path(agent, point);
    be_done_with(rh, agent, key, all);
    return true;
}

/* While other threads had nothing to do, everything that this one did made them wait. */
static void
charge_idle(hd_replay_host *rh, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync = &agent->syncs.points[point];
    hd_effect_cost idle = { .effect = hd_effect(HD_DELAY_OMP_IDLE, HD_NONE), .value = sync->partner };

    hd_sync_time_net(&rh->own, &agent->syncs, sync->previous, point, rules_of(rh, false));
    for (size_t i = 0; i < rh->own.n; i++) {
        uint32_t call_path = rh->own.touched[i];
        double   cost      = idle.value * rh->own.spans[call_path] * rh->unit;

        if (cost <= 0)
            continue;
        hd_cost_add(&agent->costs, HD_METRIC_delay_ompidle, call_path, cost);
        add_short_term(rh, &rh->causes, call_path, idle.effect, cost);
        add_short_term(rh, &rh->pairs, agent->process_id, agent->process_id, cost);
    }
    put_in_force(rh, agent->backward, &(hd_effect_costs){ .rows = &idle, .n = 1 }, false, sync->previous);
}

/* Waiting time that makes the partners of later messages wait, too. */
static void
book_propagating(hd_agent *agent, const hd_sync *sync)
{
    const hd_backward *backward = agent->backward;
    hd_metric          metric   = sync->kind == HD_SYNC_RECV ? HD_METRIC_mpi_wait_propagating_ls : HD_METRIC_mpi_wait_propagating_lr;

    if (backward->n_reaches > 0)
        hd_cost_add(&agent->costs, metric, sync->call_path, backward->reaches[backward->n_reaches - 1].scale * (double)sync->wait);
}

/* False: it has to wait at this point. */
static bool
pass_point(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync     = &agent->syncs.points[point];
    hd_backward   *backward = agent->backward;

    take_off(rh, backward, point);
    switch (sync->kind) {
    case HD_SYNC_RECV:
        book_propagating(agent, sync);
        send_wait(rh, host, agent, point, sync->peer, pair_key(sync->partner_thread, sync->partner, false));
        return true;
    case HD_SYNC_SENT:
        book_propagating(agent, sync);
        if (sync->partner == HD_NONE)
            keep_wait(rh, host, agent, sync);
        else
            send_wait(rh, host, agent, point, sync->peer, pair_key(sync->partner_thread, sync->partner, true));
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
            send_wait(rh, host, agent, point, agent->process_id, team_key(sync->peer, AT_LOCK));
        else {
            const hd_sync_group *group = hd_sync_group_of(&agent->syncs, sync);

            send_wait(rh, host, agent, point, group->delayer, collective_key(sync->peer, group->number));
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
        if (backward->on_path)
            book_path(rh, agent, point);
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
put_letter(hd_replay_host *rh, hd_host *host, const wait_item *item)
{
    hd_agent *agent = hd_replay_agent(rh->replay, item->process, 0);
    letters  *all   = letters_of(rh, agent, item->key);
    mail     *letter;
    size_t    bytes;

    if (all->is_over) {
        if (rh->replay->request->delays)
            send_back(rh, host, item, (const hd_effect_cost *)(item + 1));
        return;
    }
    bytes  = sizeof *item + n_entries(item) * sizeof *letter->entries;
    letter = n_entries(item) <= POOLED_ENTRIES ? hd_pool_take(&rh->mail) : hd_alloc(1, offsetof(mail, item) + bytes);
    memcpy(&letter->item, item, bytes);
    letter->next = all->first;
    all->first   = letter;
    all->n++;
    if (all->waiting != HD_NONE)
        hd_host_wake(host, all->waiting);
}

void
hd_backward_deliver(void *context, hd_host *host, uint32_t kind, const void *data, uint32_t bytes)
{
    (void)bytes;
    if (kind == ITEM_WAIT)
        put_letter(hd_replay_host_of(context, host), host, data);
    else
        book_answer(context, data);
}

void
hd_backward_host_init(hd_replay_host *rh)
{
    hd_pool_init(&rh->letters, sizeof(letters));
    hd_pool_init(&rh->charges, sizeof(hd_effect_charge));
    hd_pool_init(&rh->mail, sizeof(mail) + POOLED_ENTRIES * sizeof(mail_entry));
}

void
hd_backward_host_fini(hd_replay_host *rh)
{
    hd_pool_fini(&rh->letters);
    hd_pool_fini(&rh->mail);
    hd_pool_fini(&rh->charges);
    hd_effect_costs_fini(&rh->wait_costs);
    hd_effect_costs_fini(&rh->scales);
    free(rh->excess);
}

void
hd_backward_start(hd_agent *agent)
{
    agent->backward                  = HD_NEW(hd_backward);
    agent->backward->at              = agent->syncs.n;
    agent->backward->n_intermediates = agent->syncs.n_intermediates;
}

void
hd_backward_enter_path(hd_agent *agent, uint32_t point)
{
    enter_path(agent, point);
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
    agent->backward->given_up = true;
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
    for (uint32_t i = 0; backward->letters.slots != NULL && i <= backward->letters.mask; i++)
        if (backward->letters.slots[i].key != HD_MAP_FREE) {
            letters *all = (letters *)(uintptr_t)backward->letters.slots[i].value;

            drop_mail(rh, all);
        }
    hd_map_fini(&backward->letters);
    hd_effect_scales_fini(&backward->scales[0]);
    hd_effect_scales_fini(&backward->scales[1]);
    free(backward->more_ends);
    free(backward->charges);
    free(backward->reaches);
    free(backward);
    agent->backward = NULL;
}

_Static_assert(sizeof(wait_item) % 8 == 0 && sizeof(answer_item) % 8 == 0, "items are whole words");
_Static_assert(offsetof(mail, entries) == offsetof(mail, item) + sizeof(wait_item), "entries follow the item in both");
