/* replay/simulate/sim_threads.c: what threads of a process do together, from the logs of threads, in the order of
 * all calls. */
#include "sim_threads.h"

#include <stdlib.h>

#include "sim_thread_call.h"

/* ---- the logs ---------------------------------------------------------------------------------------------------- */

typedef struct sim_membership { /* in a team */
    uint32_t comm, instance, n_barriers;
    bool     owner, has_parallel;
    hd_time  fork;
    sim_task task; /* that runs */
} sim_membership;

typedef struct sim_forked { /* a team that this location forked and did not join yet */
    uint32_t comm, instance, node;
    hd_time  left; /* its parallel region, 0: not yet */
} sim_forked;

typedef struct sim_walk {
    hd_sim_location *location;
    hd_thread_op     op;
    hd_map           begun; /* communicator -> instances begun so far */
    hd_map           owned; /* lock -> call path of the call that acquired it last */
    hd_time          switched; /* to the task that runs; 0: never */
    sim_membership   outside;  /* of all teams */
    sim_membership  *teams; /* [n_teams] innermost last */
    sim_forked      *forked; /* [n_forked] the same */
    size_t           n_teams, capacity_teams, n_forked, capacity_forked;
} sim_walk;

static bool
has_region(const hd_path_node *node)
{
    return node->region < HD_STUB_WITHOUT_REGION;
}

/* Where a thread begins its node may be a place without a region: any other one then. False: there is none. */
static bool
find_region(const hd_loaded_location *location, uint32_t *node)
{
    for (uint32_t i = 0; i < location->n_nodes && !has_region(&location->nodes[*node]); i++)
        if (has_region(&location->nodes[i]))
            *node = i;
    return location->n_nodes > 0 && has_region(&location->nodes[*node]);
}

static void
put(sim_walk *walk, const sim_thread_call *call)
{
    hd_sim_location *location = walk->location;
    sim_thread_call  added    = *call;

    if (!find_region(location->location, &added.call.node))
        return;
    added.place = (uint32_t)location->n_thread_calls;
    added.call.flags |= HD_SIM_CALL_THREADS;
    HD_PUSH(location->thread_calls, location->n_thread_calls, location->capacity_thread_calls, added);
}

static void
put_point(sim_walk *walk, sim_thread_what what, uint32_t comm, uint32_t instance, hd_time enter, hd_time leave,
          uint32_t node)
{
    put(walk, &(sim_thread_call){ .call = { .enter = enter, .leave = leave, .node = node, .flags = HD_SIM_CALL_POINT },
                                  .what = (uint8_t)what, .comm = comm, .instance = instance });
}

static void
begin_team(sim_walk *walk)
{
    bool           is_new;
    uint64_t      *n    = hd_map_add(&walk->begun, walk->op.comm, &is_new);
    sim_membership team = { .comm = walk->op.comm, .instance = (uint32_t)(*n)++, .owner = walk->op.owner,
                            .fork = walk->op.time, .task = { .of = walk->location->thread } };

    HD_PUSH(walk->teams, walk->n_teams, walk->capacity_teams, team);
    if (team.owner)
        HD_PUSH(walk->forked, walk->n_forked, walk->capacity_forked,
                ((sim_forked){ .comm = team.comm, .instance = team.instance }));
}

/* The team's parallel region was left. */
static void
leave_parallel(sim_walk *walk, sim_membership *team)
{
    if (team->has_parallel)
        return;
    team->has_parallel = true;
    if (!team->owner) {
        put_point(walk, SIM_BEGIN, team->comm, team->instance, walk->op.enter, walk->op.enter, walk->op.call_path);
        put_point(walk, SIM_END, team->comm, team->instance, walk->op.leave, walk->op.leave, walk->op.call_path);
        return;
    }
    put_point(walk, SIM_FORK, team->comm, team->instance, team->fork, team->fork, walk->op.call_path);
    if (walk->n_forked > 0) {
        walk->forked[walk->n_forked - 1].left = walk->op.leave;
        walk->forked[walk->n_forked - 1].node = walk->op.call_path;
    }
}

static void
join_team(sim_walk *walk)
{
    const sim_forked *team;

    if (walk->n_forked == 0)
        return;
    team = &walk->forked[--walk->n_forked];
    if (team->left > 0)
        put_point(walk, SIM_JOIN, team->comm, team->instance, team->left, walk->op.time, team->node);
}

/* Where the thread ran tasks it is there at the enter, and again after each of them. */
static void
leave_barrier(sim_walk *walk, sim_membership *team)
{
    const hd_thread_op *op    = &walk->op;
    sim_thread_call     call  = { .call = { .enter = op->enter, .leave = op->leave, .node = op->call_path,
                                            .flags = HD_SIM_CALL_BARRIER },
                                  .what = SIM_BARRIER, .is_cut = op->is_cut, .has_tasks = op->n_suspensions > 0,
                                  .comm = team->comm, .instance = team->instance, .number = team->n_barriers++ };
    sim_thread_call     here  = call;
    const uint8_t      *at    = op->suspension_bytes;

    here.what       = SIM_ARRIVE;
    here.call.flags = HD_SIM_CALL_POINT;
    for (size_t i = 0; i < op->n_suspensions; i++) {
        call.call.enter += hd_bytes_get_number(&at);
        call.call.enter += hd_bytes_get_number(&at);
        here.call.leave = here.call.enter;
        here.next       = call.call.enter;
        put(walk, &here);
        here.call.enter = call.call.enter;
    }
    here.call.leave = here.call.enter;
    here.next       = 0;
    if (call.has_tasks)
        put(walk, &here);
    put(walk, &call);
}

static void
use_lock(sim_walk *walk)
{
    const hd_thread_op *op         = &walk->op;
    bool                is_pthread = op->lock_kind == HD_LOCK_MUTEX || op->lock_kind == HD_LOCK_CONDITION, is_new;
    uint64_t           *node       = hd_map_add(&walk->owned, (uint64_t)is_pthread << 32 | op->lock, &is_new);
    sim_thread_call     call       = { .comm = is_pthread, .instance = op->lock, .number = op->order };

    if (op->kind == HD_THREAD_ACQUIRE) {
        *node     = op->call_path;
        call.what = SIM_ACQUIRE;
        call.call = (hd_sim_call){ .enter = op->enter, .leave = op->time, .node = op->call_path };
    } else if (!is_new) {
        call.what = SIM_RELEASE;
        call.call = (hd_sim_call){ .enter = op->time, .leave = op->time, .node = (uint32_t)*node,
                                   .flags = HD_SIM_CALL_POINT };
    } else {
        hd_map_remove(&walk->owned, (uint64_t)is_pthread << 32 | op->lock);
        return;
    }
    put(walk, &call);
}

/* Tasks, ordered regions, created threads. */
static void
take_moment(sim_walk *walk, sim_membership *team)
{
    static const uint8_t whats[] = { [HD_MOMENT_TASK_CREATE]   = SIM_TASK_CREATE,
                                     [HD_MOMENT_TASK_SWITCH]   = SIM_TASK_BEGIN,
                                     [HD_MOMENT_TASK_COMPLETE] = SIM_TASK_END,
                                     [HD_MOMENT_TASK_WAIT]     = SIM_TASK_WAIT,
                                     [HD_MOMENT_ORDERED_BEGIN] = SIM_ORDERED_BEGIN,
                                     [HD_MOMENT_ORDERED_END]   = SIM_ORDERED_END,
                                     [HD_MOMENT_THREAD_CREATE] = SIM_THREAD_CREATE,
                                     [HD_MOMENT_THREAD_BEGIN]  = SIM_THREAD_BEGIN,
                                     [HD_MOMENT_THREAD_END]    = SIM_THREAD_END,
                                     [HD_MOMENT_THREAD_WAIT]   = SIM_THREAD_WAIT };
    const hd_thread_op  *op      = &walk->op;
    sim_thread_call      call    = { .what = whats[op->moment], .comm = team->comm, .instance = team->instance,
                                     .task = { op->of, op->number }, .parent = team->task,
                                     .call = { .enter = op->enter, .leave = op->leave, .node = op->call_path } };
    bool                 is_switch = op->moment == HD_MOMENT_TASK_SWITCH || op->moment == HD_MOMENT_TASK_COMPLETE;

    if (op->moment == HD_MOMENT_TASK_WAIT)
        call.call.enter = hd_time_max(op->enter, walk->switched);
    else if (op->moment != HD_MOMENT_ORDERED_BEGIN && op->moment != HD_MOMENT_THREAD_WAIT) {
        call.call.flags = HD_SIM_CALL_POINT;
        if (op->moment != HD_MOMENT_TASK_SWITCH)
            call.call.enter = op->leave;
    }
    if (op->moment != HD_MOMENT_TASK_SWITCH || op->number != 0)
        put(walk, &call);
    if (is_switch) {
        bool is_explicit = op->moment == HD_MOMENT_TASK_SWITCH && op->number != 0;

        walk->switched = op->leave;
        team->task     = is_explicit ? call.task : (sim_task){ .of = walk->location->thread };
    }
}

static void
take_op(sim_walk *walk)
{
    sim_membership *team = walk->n_teams > 0 ? &walk->teams[walk->n_teams - 1] : NULL;

    switch (walk->op.kind) {
    case HD_THREAD_TEAM:
        begin_team(walk);
        break;
    case HD_THREAD_TEAM_END:
        walk->n_teams -= walk->n_teams > 0;
        break;
    case HD_THREAD_JOIN:
        join_team(walk);
        break;
    case HD_THREAD_PARALLEL:
        if (team != NULL)
            leave_parallel(walk, team);
        break;
    case HD_THREAD_BARRIER:
        if (team != NULL)
            leave_barrier(walk, team);
        break;
    case HD_THREAD_ACQUIRE:
    case HD_THREAD_RELEASE:
        use_lock(walk);
        break;
    case HD_THREAD_MOMENT:
        take_moment(walk, team != NULL ? team : &walk->outside);
        break;
    case HD_THREAD_TASK:
    case HD_THREAD_TASKWAIT:
        break;
    }
}

/* As they were left. Of those left at the same time inner ones first, then those that take no time. */
static int
compare_calls(const hd_sim_call *a, const hd_sim_call *b)
{
    bool a_is_point = a->enter == a->leave, b_is_point = b->enter == b->leave;

    if (a->leave != b->leave)
        return a->leave < b->leave ? -1 : 1;
    if (a_is_point != b_is_point)
        return a_is_point ? 1 : -1;
    return a->enter > b->enter ? -1 : a->enter < b->enter;
}

static int
compare_thread_calls(const void *a_, const void *b_)
{
    const sim_thread_call *a = a_, *b = b_;
    int                    order = compare_calls(&a->call, &b->call);

    if (order != 0)
        return order;
    return a->place < b->place ? -1 : a->place > b->place;
}

void
hd_sim_threads_read(hd_sim_location *first)
{
    for (uint32_t t = 0; t < first->process->n_locations; t++) {
        hd_sim_location *location = &first[t];
        sim_walk         walk     = { .location = location, .outside = { .comm = HD_NONE, .task = { .of = t } } };
        hd_thread_cursor cursor;

        hd_thread_cursor_init(&cursor, &location->location->more->threads);
        while (hd_thread_cursor_next(&cursor, &walk.op))
            take_op(&walk);
        if (location->n_thread_calls > 0)
            qsort(location->thread_calls, location->n_thread_calls, sizeof *location->thread_calls,
                  compare_thread_calls);
        hd_map_fini(&walk.begun);
        hd_map_fini(&walk.owned);
        free(walk.teams);
        free(walk.forked);
    }
}

/* ---- the order of all calls -------------------------------------------------------------------------------------- */

/* From the end of the call before it was idle. */
static void
begin_idle(const hd_sim_location *location, sim_thread_call *call)
{
    if (location->n_calls > 0) {
        call->call.enter = location->calls[location->n_calls - 1].leave;
        call->call.flags |= HD_SIM_CALL_IDLE;
    } else if (location->location->intervals.begin >= call->call.enter)
        call->call.flags |= HD_SIM_CALL_STARTS;
}

void
hd_sim_threads_merge(hd_sim_location *location, size_t *i, const hd_call *call)
{
    for (; *i < location->n_thread_calls; (*i)++) {
        sim_thread_call *next  = &location->thread_calls[*i];
        size_t           n     = location->n_calls;
        hd_sim_call      other = { 0 };

        if (call != NULL) {
            other = (hd_sim_call){ .enter = call->enter, .leave = call->leave };
            if (compare_calls(&next->call, &other) >= 0)
                return;
        }
        if (next->what == SIM_BEGIN || next->what == SIM_THREAD_BEGIN)
            begin_idle(location, next);
        if (n > 0 && next->call.enter < location->calls[n - 1].leave)
            next->call.flags |= HD_SIM_CALL_NESTED;
        next->place = (uint32_t)n;
        if (location->n_message_records != NULL)
            location->n_message_records[n] = UINT32_MAX;
        HD_PUSH(location->calls, location->n_calls, location->capacity_calls, next->call);
    }
}
