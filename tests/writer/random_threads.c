/* tests/writer/random_threads.c: what the threads of a random program do.
 *
 * A scene is a team of OpenMP from its fork to its join, or some created threads from their creation to their end. Its
 * members do one construct after the other, each in its own virtual time; what makes them meet are barriers, locks and tasks.
 * Scenes stand inside each other: a member forks a team of its own, or another process has a scene meanwhile.
 *
 * Records are those of Score-P: a team is the same each time that a thread forks one of this size, a serialised region in a
 * serialised region has the team of that one; a task region is entered and left at the times of its switch and completion; after
 * a completion the next task may follow without a switch to the implicit one.
 */
#include "random_program.h"

#include <string.h>

enum { DEEPEST_TEAM = 3, DEEPEST_TASK = 3, N_CRITICALS = 2, A_LOCK = 2, A_NEST_LOCK = 4, MOST_TASKS = 24 };

typedef struct scene {
    uint32_t process, team, n; /* team: its number; 0: created threads */
    uint32_t lanes[MOST_LANES];
    uint32_t level;
    bool     with_mpi, with_tasks;
} scene;

static void parallel(program *p, const scene *outer, uint32_t process, bool with_mpi);

static lane *
lane_at(program *p, const scene *s, uint32_t member)
{
    return &p->lanes[s->process][s->lanes[member]];
}

static size_t
op_begin(program *p, tw_op op)
{
    op.thread = p->acting[op.process];
    op.enter  = lane_of(p, op.process)->now;
    lane_of(p, op.process)->now += below(p, 3);
    HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
    return p->n_ops - 1;
}

/* Records of the same time keep the order in which they were added, but a call stands before moments: those let time pass. */
static void
op_end(program *p, size_t number)
{
    tw_op *op = &p->ops[number];
    lane  *l  = &p->lanes[op->process][op->thread];

    op->leave = hd_time_max(l->now, op->enter + 1);
    l->now    = op->leave + 1;
}

static void
moment(program *p, tw_op op)
{
    op.thread = p->acting[op.process];
    op.enter  = lane_of(p, op.process)->now;
    HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
}

static void
wander_some(program *p, uint32_t process)
{
    lane    *l    = lane_of(p, process);
    uint32_t base = l->base;

    l->base = l->depth;
    for (uint32_t i = below(p, 4); i > 0; i--)
        wander(p, process);
    functions_leave(p, process);
    l->base = base;
}

static uint32_t
any_member(program *p, const scene *s)
{
    return below(p, s->n);
}

static void
act(program *p, const scene *s, uint32_t member)
{
    p->acting[s->process] = s->lanes[member];
}

/* -------------------------------------------------------------------------------------------------------------- locks */

/* Takes the lock as soon as it is free, not before now. Some ownerships are not recorded. */
static hd_time
lock_take(program *p, uint32_t process, bool is_posix, uint32_t lock)
{
    lock_state *state = &p->locks[process][is_posix][lock];

    state->order += chance(p, 4) ? 2 : 1;
    return hd_time_max(lane_of(p, process)->now + below(p, 2), state->free + below(p, 3));
}

static void
lock_give(program *p, uint32_t process, bool is_posix, uint32_t lock, hd_time time)
{
    p->locks[process][is_posix][lock].free = time;
}

static void
critical(program *p, uint32_t process)
{
    static const char *const names[] = { "!$omp critical @program.c:4", "!$omp critical @program.c:44" };
    static const char *const inner[] = { "!$omp critical sblock @program.c:4", "!$omp critical sblock @program.c:44" };
    uint32_t lock   = below(p, N_CRITICALS);
    size_t   number = op_begin(p, (tw_op){ .process = process, .op = TW_CRITICAL, .region = names[lock], .lock = lock }), block;
    lane    *l      = lane_of(p, process);

    p->ops[number].record = l->now = lock_take(p, process, false, lock);
    p->ops[number].order  = chance(p, 2) ? 0 : p->locks[process][false][lock].order;
    block                 = op_begin(p, (tw_op){ .process = process, .op = TW_USER, .region = inner[lock] });
    pass_time(p, process);
    if (chance(p, 30))
        plain_call(p, process, "work");
    op_end(p, block);
    op_end(p, number);
    lock_give(p, process, false, lock, p->ops[number].leave);
}

static void
lock_call(program *p, uint32_t process, tw_kind kind, const char *region, uint32_t lock)
{
    bool   is_posix = kind == TW_MUTEX_LOCK || kind == TW_MUTEX_UNLOCK;
    size_t number   = op_begin(p, (tw_op){ .process = process, .op = kind, .region = region, .lock = lock });

    if (chance(p, 50))
        p->ops[number].record = lane_of(p, process)->now;
    op_end(p, number);
    p->ops[number].order = p->locks[process][is_posix][lock].order;
    if (kind == TW_UNSET_LOCK || kind == TW_MUTEX_UNLOCK)
        lock_give(p, process, is_posix, lock, p->ops[number].record != 0 ? p->ops[number].record : p->ops[number].enter);
}

/* Waits for the lock and takes it. */
static void
lock_set(program *p, uint32_t process, tw_kind kind, const char *region, uint32_t lock)
{
    bool   is_posix = kind == TW_MUTEX_LOCK;
    size_t number   = op_begin(p, (tw_op){ .process = process, .op = kind, .region = region, .lock = lock });

    lane_of(p, process)->now = lock_take(p, process, is_posix, lock);
    p->ops[number].order     = p->locks[process][is_posix][lock].order;
    if (chance(p, 50) && lane_of(p, process)->now > 0)
        p->ops[number].record = lane_of(p, process)->now;
    op_end(p, number);
}

static void
lock_api(program *p, uint32_t process)
{
    uint32_t lock = below(p, 2), depth;

    if (chance(p, 20)) {
        plain_call(p, process, "omp_test_lock"); /* in vain */
        return;
    }
    if (chance(p, 50)) {
        lock_set(p, process, TW_SET_LOCK, chance(p, 20) ? "omp_test_lock" : NULL, A_LOCK + lock);
        wander_some(p, process);
        lock_call(p, process, TW_UNSET_LOCK, NULL, A_LOCK + lock);
        return;
    }
    depth = 1 + below(p, 3);
    lock_set(p, process, TW_SET_LOCK, "omp_set_nest_lock", A_NEST_LOCK + lock);
    for (uint32_t i = 1; i < depth; i++) {
        pass_time(p, process);
        lock_call(p, process, TW_SET_LOCK, chance(p, 30) ? "omp_test_nest_lock" : "omp_set_nest_lock", A_NEST_LOCK + lock);
    }
    for (uint32_t i = 0; i < depth; i++) {
        pass_time(p, process);
        lock_call(p, process, TW_UNSET_LOCK, "omp_unset_nest_lock", A_NEST_LOCK + lock);
    }
}

static void
locks_of_team(program *p, const scene *s, bool are_critical)
{
    for (uint32_t i = 1 + below(p, 2 * s->n); i > 0; i--) {
        act(p, s, any_member(p, s));
        if (are_critical)
            critical(p, s->process);
        else
            lock_api(p, s->process);
    }
}

/* -------------------------------------------------------------------------------------------------------------- tasks */

typedef struct task {
    uint32_t number, creator, lane; /* lane: on which it is suspended */
    hd_time  ready;
    bool     is_untied;
    bool     is_in_work; /* a function is open where it is suspended */
} task;

typedef struct task_pool {
    task     waiting[MOST_TASKS], suspended[MOST_TASKS];
    uint32_t n_waiting, n_suspended, n_created;
} task_pool;

static const char *const task_regions[] = { "!$omp task @program.c:7", "!$omp task @program.c:8" };

/* task NULL: the implicit one */
static void
task_switch(program *p, const scene *s, const task *t)
{
    moment(p, (tw_op){ .process = s->process, .op = TW_TASK_SWITCH, .team = s->team, .creator = t == NULL ? 0 : t->creator,
                       .task = t == NULL ? 0 : t->number });
}

static uint32_t
member_on(const scene *s, uint32_t thread)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->lanes[i] == thread)
            return i;
    return 0;
}

static task
task_create(program *p, const scene *s, task_pool *pool)
{
    size_t number = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER, .region = "!$omp create task @program.c:7" });
    task   t      = { .number = ++p->n_tasks[s->process], .creator = member_on(s, p->acting[s->process]),
                      .is_untied = chance(p, 25) };

    p->ops[number].region = t.is_untied ? "!$omp create task @program.c:8" : p->ops[number].region;
    moment(p, (tw_op){ .process = s->process, .op = TW_TASK_CREATE, .team = s->team, .creator = t.creator, .task = t.number });
    p->ops[p->n_ops - 1].enter = p->ops[number].enter;
    op_end(p, number);
    t.ready = lane_of(p, s->process)->now;
    pool->n_created++;
    return t;
}

static void task_run(program *p, const scene *s, task_pool *pool, task t, uint32_t depth);

static task
task_take(task *list, uint32_t *n, uint32_t i)
{
    task t = list[i];

    list[i] = list[--*n];
    return t;
}

static void
task_end(program *p, const scene *s, task t)
{
    moment(p, (tw_op){ .process = s->process, .op = TW_LEAVE, .region = task_regions[t.is_untied] });
    moment(p, (tw_op){ .process = s->process, .op = TW_TASK_COMPLETE, .team = s->team, .creator = t.creator, .task = t.number });
    lane_of(p, s->process)->now += below(p, 3);
}

/* The thread has left off what it did, and runs other tasks that are ready, up to n. True if there were any. */
static bool
tasks_meanwhile(program *p, const scene *s, task_pool *pool, uint32_t n, uint32_t depth)
{
    bool any = false;

    for (; n > 0 && pool->n_waiting > 0; n--, any = true) {
        task  t = task_take(pool->waiting, &pool->n_waiting, below(p, pool->n_waiting));
        lane *l = lane_of(p, s->process);

        l->now = hd_time_max(l->now, t.ready) + (any ? 0 : below(p, 3));
        task_run(p, s, pool, t, depth);
    }
    return any;
}

static void
task_work(program *p, const scene *s, task_pool *pool, const task *t, uint32_t depth)
{
    size_t number;

    switch (below(p, 8)) {
    case 0:
    case 1:
        if (pool->n_created >= MOST_TASKS)
            break;
        pool->waiting[pool->n_waiting++] = task_create(p, s, pool);
        break;
    case 2:
        if (pool->n_created >= MOST_TASKS || depth >= DEEPEST_TASK)
            break;
        task_run(p, s, pool, task_create(p, s, pool), depth + 1); /* not deferred */
        task_switch(p, s, t);
        lane_of(p, s->process)->now++;
        break;
    case 3:
        number = op_begin(p, (tw_op){ .process = s->process, .op = TW_TASKWAIT });
        if (depth < DEEPEST_TASK && tasks_meanwhile(p, s, pool, below(p, 3), depth + 1)) {
            task_switch(p, s, t);
            lane_of(p, s->process)->now++;
        }
        op_end(p, number);
        break;
    case 4:
        critical(p, s->process);
        break;
    case 5:
        if (chance(p, 30)) {
            scene inner = *s;

            inner.with_tasks = false; /* its threads' implicit task would be that of the outer team */
            parallel(p, &inner, s->process, false);
        }
        break;
    default:
        wander_some(p, s->process);
        break;
    }
    pass_time(p, s->process);
}

/* From the switch to the task to its completion, or until it is suspended. */
static void
task_run(program *p, const scene *s, task_pool *pool, task t, uint32_t depth)
{
    task_switch(p, s, &t);
    moment(p, (tw_op){ .process = s->process, .op = TW_ENTER, .region = task_regions[t.is_untied] });
    lane_of(p, s->process)->now += 1 + below(p, 3);
    for (uint32_t i = below(p, 3); i > 0; i--)
        task_work(p, s, pool, &t, depth);
    if (chance(p, 20)) {
        t.is_in_work = chance(p, 50);
        if (t.is_in_work)
            moment(p, (tw_op){ .process = s->process, .op = TW_ENTER, .region = "work" });
        lane_of(p, s->process)->now += below(p, 4);
        if (p->with_migration && t.is_untied) /* as it goes on elsewhere, it has left off here */
            task_switch(p, s, NULL);
        t.lane  = p->acting[s->process];
        t.ready = lane_of(p, s->process)->now;
        pool->suspended[pool->n_suspended++] = t;
    } else {
        task_end(p, s, t);
    }
}

/* One task goes on, or starts, on the acting thread. Tied ones go on where they were, untied ones anywhere in some programs. */
static bool
task_next(program *p, const scene *s, task_pool *pool)
{
    uint32_t acting = p->acting[s->process];

    for (uint32_t i = 0; i < pool->n_suspended; i++) {
        task t = pool->suspended[i];

        if (t.lane != acting && !(p->with_migration && t.is_untied))
            continue;
        if (pool->n_waiting > 0 && chance(p, 50))
            continue;
        t                           = task_take(pool->suspended, &pool->n_suspended, i);
        lane_of(p, s->process)->now = hd_time_max(lane_of(p, s->process)->now, t.ready);
        task_switch(p, s, &t);
        lane_of(p, s->process)->now += 1 + below(p, 9);
        if (chance(p, 30))
            plain_call(p, s->process, "work");
        if (t.is_in_work)
            moment(p, (tw_op){ .process = s->process, .op = TW_LEAVE, .region = "work" });
        task_end(p, s, t);
        return true;
    }
    return tasks_meanwhile(p, s, pool, 1, 0);
}

/* ----------------------------------------------------------------------------------------------------------- barriers */

/* All members meet; those that are there run tasks until none is left. */
static void
barrier(program *p, const scene *s, tw_kind kind, const char *region, task_pool *pool)
{
    size_t  numbers[MOST_LANES];
    bool    is_explicit[MOST_LANES] = { false }; /* in an explicit task, or not back from one */
    hd_time latest                  = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        numbers[i] = op_begin(p, (tw_op){ .process = s->process, .op = kind, .region = region });
        latest     = hd_time_max(latest, lane_at(p, s, i)->now);
    }
    while (pool != NULL && pool->n_waiting + pool->n_suspended > 0) {
        uint32_t i = any_member(p, s);

        act(p, s, i);
        if (!task_next(p, s, pool))
            continue;
        is_explicit[i] = true;
        if (chance(p, 40)) {
            task_switch(p, s, NULL);
            lane_at(p, s, i)->now += 1 + below(p, 5);
            is_explicit[i] = false;
        }
    }
    for (uint32_t i = 0; i < s->n; i++)
        latest = hd_time_max(latest, lane_at(p, s, i)->now);
    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        lane_at(p, s, i)->now = latest + below(p, 4);
        if (is_explicit[i]) {
            task_switch(p, s, NULL);
            lane_at(p, s, i)->now++;
        }
        op_end(p, numbers[i]);
    }
}

/* Some members make tasks, all run them. */
static void
tasks(program *p, const scene *s)
{
    task_pool pool = { .n_waiting = 0 };

    for (uint32_t k = 1 + below(p, 2); k > 0; k--) {
        act(p, s, any_member(p, s));
        for (uint32_t i = 1 + below(p, 4); i > 0 && pool.n_created < MOST_TASKS; i--) {
            task t = task_create(p, s, &pool);

            if (chance(p, 15)) { /* not deferred */
                task_run(p, s, &pool, t, 1);
                task_switch(p, s, NULL);
                lane_of(p, s->process)->now++;
            } else {
                pool.waiting[pool.n_waiting++] = t;
            }
        }
        if (chance(p, 40)) {
            size_t number = op_begin(p, (tw_op){ .process = s->process, .op = TW_TASKWAIT });

            if (tasks_meanwhile(p, s, &pool, below(p, 4), 1)) {
                task_switch(p, s, NULL);
                lane_of(p, s->process)->now++;
            }
            op_end(p, number);
        }
    }
    if (chance(p, 50))
        barrier(p, s, TW_OMP_BARRIER, NULL, &pool);
    else
        barrier(p, s, TW_OMP_IBARRIER, NULL, &pool);
}

/* --------------------------------------------------------------------------------------------------------- constructs */

static void
loop(program *p, const scene *s)
{
    size_t numbers[MOST_LANES];

    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        numbers[i] = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER, .region = "!$omp for @program.c:12" });
        wander_some(p, s->process);
        if (chance(p, 10)) {
            size_t number = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER, .region = "!$omp ordered @program.c:14" });

            op_end(p, op_begin(p, (tw_op){ .process = s->process, .op = TW_USER,
                                           .region = "!$omp ordered sblock @program.c:14" }));
            op_end(p, number);
        }
    }
    if (chance(p, 60))
        barrier(p, s, TW_OMP_IBARRIER, "!$omp implicit barrier @program.c:13", NULL);
    for (uint32_t i = 0; i < s->n; i++)
        op_end(p, numbers[i]);
}

/* Whoever comes first does it. */
static void
single(program *p, const scene *s)
{
    size_t   numbers[MOST_LANES], number;
    uint32_t first = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        numbers[i] = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER, .region = "!$omp single @program.c:9" });
        first      = p->ops[numbers[i]].enter < p->ops[numbers[first]].enter ? i : first;
    }
    act(p, s, first);
    number = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER, .region = "!$omp single sblock @program.c:9" });
    wander_some(p, s->process);
    op_end(p, number);
    if (chance(p, 70))
        barrier(p, s, TW_OMP_IBARRIER, "!$omp implicit barrier @program.c:10", NULL);
    for (uint32_t i = 0; i < s->n; i++)
        op_end(p, numbers[i]);
}

static void
of_one(program *p, const scene *s, uint32_t member, const char *region)
{
    size_t number;

    act(p, s, member);
    number = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER, .region = region });
    wander_some(p, s->process);
    op_end(p, number);
}

static void
calls_of_mpi(program *p, const scene *s)
{
    uint32_t count = 1 + below(p, 6);

    for (uint32_t i = 0; i < p->n_processes; i++)
        if (!p->is_in_scene[i] && p->scenes_left > 0 && chance(p, 30))
            threads_scene(p, i, true);
    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        wander_some(p, s->process);
    }
    for (; count > 0; count--)
        random_step(p);
}

static void
construct_of_team(program *p, const scene *s)
{
    switch (below(p, 13)) {
    case 0:
        barrier(p, s, TW_OMP_BARRIER, NULL, NULL);
        break;
    case 1:
        loop(p, s);
        break;
    case 2:
        single(p, s);
        break;
    case 3:
        of_one(p, s, 0, "!$omp master @program.c:11");
        break;
    case 4:
        of_one(p, s, any_member(p, s), "!$omp section @program.c:15");
        break;
    case 5:
        of_one(p, s, any_member(p, s), chance(p, 50) ? "!$omp atomic @program.c:16" : "!$omp flush @program.c:17");
        break;
    case 6:
        locks_of_team(p, s, true);
        break;
    case 7:
        locks_of_team(p, s, false);
        break;
    case 8:
    case 9:
        if (s->with_tasks)
            tasks(p, s);
        break;
    case 10:
        for (uint32_t i = 0; i < s->n; i++)
            if (chance(p, 50)) {
                act(p, s, i);
                parallel(p, s, s->process, false);
            }
        break;
    default:
        if (s->with_mpi)
            calls_of_mpi(p, s);
        break;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        functions_leave(p, s->process);
        if (chance(p, 50))
            wander_some(p, s->process);
    }
}

/* -------------------------------------------------------------------------------------------------------------- teams */

/* A free thread that the forking one can have as member number n of its team: the one that it always has there, or one that
 * nobody had so far. Threads are numbered as they come, so it has a higher number. */
static uint32_t
member_draw(program *p, uint32_t process, uint32_t parent, uint32_t leader, const uint32_t *so_far, uint32_t n)
{
    uint32_t free_one = HD_NONE, start = below(p, p->n_lanes);

    for (uint32_t t = 0; t < p->n_teams; t++) {
        const random_team *team = &p->teams[t];

        if (team->process == process && team->parent == parent && team->lanes[0] == leader && team->n > n)
            return p->lanes[process][team->lanes[n]].is_busy ? HD_NONE : team->lanes[n];
    }
    for (uint32_t k = 0; k < p->n_lanes; k++) {
        uint32_t i        = (start + k) % p->n_lanes;
        bool     is_there = i <= leader || p->lanes[process][i].is_taken;

        for (uint32_t m = 0; m < n; m++)
            is_there |= so_far[m] == i;
        free_one = is_there ? free_one : i;
    }
    return free_one;
}

/* The team that the acting thread forks: up to n threads, as many as are free. 0: too many teams. */
static uint32_t
team_draw(program *p, uint32_t process, uint32_t parent, uint32_t n)
{
    random_team team = { .process = process, .parent = parent, .n = 1, .lanes = { p->acting[process] } };

    while (team.n < n) {
        uint32_t next = member_draw(p, process, parent, team.lanes[0], team.lanes, team.n);

        if (next == HD_NONE)
            break;
        team.lanes[team.n++] = next;
    }
    if (parent != 0 && team.n == 1 && p->teams[parent - 1].n == 1)
        return parent;
    for (uint32_t t = 0; t < p->n_teams; t++)
        if (p->teams[t].process == process && p->teams[t].parent == parent && p->teams[t].n == team.n &&
            p->teams[t].lanes[0] == team.lanes[0])
            return t + 1;
    if (p->n_teams == MOST_TEAMS)
        return 0;
    for (uint32_t i = 0; i < team.n; i++)
        p->lanes[process][team.lanes[i]].is_taken = true;
    p->teams[p->n_teams++] = team;
    return p->n_teams;
}

static void
callers_set(program *p, const scene *s)
{
    p->n_callers[s->process] = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->lanes[i] == 0 || p->mpi_threads != ONLY_MASTER)
            p->callers[s->process][p->n_callers[s->process]++] = s->lanes[i];
}

/* The acting thread forks a team. */
static void
parallel(program *p, const scene *outer, uint32_t process, bool with_mpi)
{
    static const char *const regions[] = { "!$omp parallel @program.c:1", "!$omp parallel @program.c:20",
                                           "!$omp parallel @program.c:30" };
    uint32_t leader = p->acting[process], parent = outer == NULL ? 0 : outer->team;
    scene    s      = { .process = process, .level = outer == NULL ? 1 : outer->level + 1, .with_mpi = with_mpi,
                        .with_tasks = outer == NULL || outer->with_tasks };
    const char *region = regions[below(p, 3)];
    size_t   fork, numbers[MOST_LANES];
    bool     was_busy = lane_of(p, process)->is_busy, is_early;
    uint32_t bases[MOST_LANES];
    hd_time  latest = 0;

    if (s.level > DEEPEST_TEAM || p->scenes_left == 0)
        return;
    p->scenes_left--;
    s.team = team_draw(p, process, parent, chance(p, 15) ? 1 : 1 + below(p, p->n_lanes));
    if (s.team == 0)
        return;
    s.n = p->teams[s.team - 1].n;
    if (s.team == parent)
        s.lanes[0] = leader;
    else
        memcpy(s.lanes, p->teams[s.team - 1].lanes, sizeof s.lanes);
    fork = op_begin(p, (tw_op){ .process = process, .op = TW_FORK, .team = s.team });
    for (uint32_t i = 0; i < s.n; i++) {
        lane *l = lane_at(p, &s, i);

        l->now     = hd_time_max(l->now, p->ops[fork].enter) + below(p, 12);
        l->is_busy = true;
        bases[i]   = l->base;
        l->base    = l->depth;
        act(p, &s, i);
        numbers[i] = op_begin(p, (tw_op){ .process = process, .op = TW_TEAM, .team = s.team, .region = region });
        wander_some(p, process);
    }
    if (with_mpi)
        callers_set(p, &s);
    for (uint32_t k = below(p, s.level == 1 ? 6 : 3); k > 0; k--)
        construct_of_team(p, &s);
    barrier(p, &s, TW_OMP_IBARRIER, NULL, NULL);
    is_early = chance(p, 15);
    for (uint32_t i = 0; i < s.n; i++) {
        lane *l = lane_at(p, &s, i);

        op_end(p, numbers[i]);
        l->is_busy = i == 0 && was_busy;
        l->base    = bases[i];
        if (i == 0 || !is_early)
            latest = hd_time_max(latest, l->now);
    }
    p->acting[process]       = leader;
    lane_of(p, process)->now = latest + below(p, 8);
    op_end(p, fork);
}

/* --------------------------------------------------------------------------------------------------- created threads */

/* One waits for a condition that another one makes true; both have the mutex meanwhile. */
static void
condition(program *p, const scene *s, uint32_t lock)
{
    uint32_t waiter = any_member(p, s), other = any_member(p, s);
    size_t   number;

    if (waiter == other)
        return;
    act(p, s, waiter);
    lock_set(p, s->process, TW_MUTEX_LOCK, NULL, lock);
    number = op_begin(p, (tw_op){ .process = s->process, .op = TW_COND_WAIT, .lock = lock,
                                  .region = chance(p, 30) ? "pthread_cond_timedwait" : NULL });
    p->ops[number].order = p->locks[s->process][true][lock].order;
    lock_give(p, s->process, true, lock, p->ops[number].enter);
    act(p, s, other);
    lock_set(p, s->process, TW_MUTEX_LOCK, NULL, lock);
    wander_some(p, s->process);
    plain_call(p, s->process, "pthread_cond_signal");
    lock_call(p, s->process, TW_MUTEX_UNLOCK, NULL, lock);
    act(p, s, waiter);
    lane_of(p, s->process)->now = lock_take(p, s->process, true, lock);
    p->ops[number].next_order   = p->locks[s->process][true][lock].order;
    if (chance(p, 50))
        p->ops[number].record = lane_of(p, s->process)->now;
    op_end(p, number);
    pass_time(p, s->process);
    lock_call(p, s->process, TW_MUTEX_UNLOCK, NULL, lock);
}

static void
construct_of_threads(program *p, const scene *s)
{
    uint32_t lock = below(p, 2);

    act(p, s, any_member(p, s));
    switch (below(p, 7)) {
    case 0:
    case 1:
        lock_set(p, s->process, TW_MUTEX_LOCK, chance(p, 20) ? "pthread_mutex_trylock" : NULL, lock);
        wander_some(p, s->process);
        lock_call(p, s->process, TW_MUTEX_UNLOCK, NULL, lock);
        break;
    case 2:
        plain_call(p, s->process, "pthread_mutex_trylock"); /* in vain */
        break;
    case 3:
        condition(p, s, lock);
        break;
    case 4:
        if (s->with_mpi)
            calls_of_mpi(p, s);
        break;
    case 5:
        if (p->with_omp && chance(p, 40))
            parallel(p, NULL, s->process, false);
        break;
    default:
        wander_some(p, s->process);
        break;
    }
}

static void
created_threads(program *p, uint32_t process, bool with_mpi)
{
    scene    s = { .process = process, .with_mpi = with_mpi, .n = 1, .lanes = { p->acting[process] } };
    uint32_t n = 1 + below(p, p->n_lanes - 1), leader = p->acting[process], sequences[MOST_LANES];
    size_t   numbers[MOST_LANES];
    bool     was_busy = lane_of(p, process)->is_busy;

    if (p->scenes_left == 0)
        return;
    p->scenes_left--;
    lane_of(p, process)->is_busy = true;
    for (uint32_t i = 1; i < p->n_lanes && s.n <= n; i++) {
        lane  *l = &p->lanes[process][i];
        size_t number;

        if (l->is_busy || (l->is_taken && !l->is_created))
            continue;
        l->is_taken = l->is_created = true;
        number                 = op_begin(p, (tw_op){ .process = process, .op = TW_THREAD_CREATE });
        p->ops[number].created = sequences[s.n] = ++p->n_created[process];
        op_end(p, number);
        l->now             = hd_time_max(l->now, p->ops[number].enter + 1) + below(p, 20);
        l->is_busy         = true;
        p->acting[process] = i;
        numbers[s.n]       = op_begin(p, (tw_op){ .process = process, .op = TW_THREAD, .created = sequences[s.n] });
        s.lanes[s.n++]     = i;
        wander_some(p, process);
        p->acting[process] = leader;
    }
    if (with_mpi)
        callers_set(p, &s);
    for (uint32_t k = below(p, 12); k > 0; k--)
        construct_of_threads(p, &s);
    for (uint32_t i = 1; i < s.n; i++) {
        lane  *l = lane_at(p, &s, i);
        size_t number;

        act(p, &s, i);
        functions_leave(p, process);
        op_end(p, numbers[i]);
        l->is_busy         = false;
        p->acting[process] = leader;
        if (chance(p, 10)) /* nobody waits for it */
            continue;
        number                   = op_begin(p, (tw_op){ .process = process, .op = TW_THREAD_JOIN, .created = sequences[i] });
        lane_of(p, process)->now = hd_time_max(lane_of(p, process)->now, l->now) + below(p, 4);
        op_end(p, number);
    }
    p->acting[process]           = leader;
    lane_of(p, process)->is_busy = was_busy;
}

/* ------------------------------------------------------------------------------------------------------------ program */

void
threads_scene(program *p, uint32_t process, bool with_mpi)
{
    uint32_t leader = p->acting[process], n_callers = p->n_callers[process];
    bool     was_in_scene = p->is_in_scene[process];

    if (lane_of(p, process)->is_busy && leader != 0) /* of a team that a wandering thread does not know */
        return;
    if (lane_of(p, process)->is_busy && !with_mpi)
        return;
    p->is_in_scene[process] = true;
    if (p->with_omp && (!p->with_posix || chance(p, 60)))
        parallel(p, NULL, process, with_mpi);
    else if (p->with_posix)
        created_threads(p, process, with_mpi);
    p->acting[process]      = leader;
    p->n_callers[process]   = n_callers;
    p->is_in_scene[process] = was_in_scene;
}

void
caller_waits(program *p, uint32_t process)
{
    lane_of(p, process)->now = hd_time_max(lane_of(p, process)->now, p->mpi_time[process]);
}

void
caller_draw(program *p, bool orderly)
{
    for (uint32_t i = 0; i < p->n_processes; i++) {
        if (p->n_callers[i] == 0)
            continue;
        p->acting[i] = p->callers[i][below(p, p->n_callers[i])];
        if (orderly || p->mpi_threads != ALL_AT_ONCE)
            caller_waits(p, i);
    }
}

/* Kernels, one after the other. */
static void
device_run(program *p, uint32_t process, uint32_t number)
{
    hd_time now = below(p, 100);

    for (uint32_t k = below(p, 6); k > 0; k--) {
        tw_op op = { .process = process, .thread = number, .op = TW_USER, .enter = now,
                     .region = chance(p, 50) ? "kernel_add" : "kernel_sum" };

        op.leave = op.enter + 1 + below(p, 30);
        now      = op.leave + below(p, 100);
        HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
    }
}

void
loose_ends(program *p)
{
    for (uint32_t i = 0; i < p->n_processes; i++) {
        for (uint32_t k = 0; k < p->n_devices; k++)
            device_run(p, i, p->n_lanes + k);
        for (uint32_t k = 0; k < p->n_lanes + p->n_devices; k++)
            p->ends[i * (p->n_lanes + p->n_devices) + k] = UINT64_MAX;
        if (p->mpi_threads == ONLY_MASTER && p->n_lanes > 1 && chance(p, 10)) {
            uint32_t k = 1 + below(p, p->n_lanes - 1);

            p->ends[i * (p->n_lanes + p->n_devices) + k] = below(p, (uint32_t)p->lanes[i][k].now + 1);
        }
    }
}

void
threads_draw(program *p)
{
    uint32_t kind = below(p, 10);

    p->n_lanes     = 2 + below(p, MOST_LANES - 1);
    p->n_devices   = chance(p, 20) ? 1 + below(p, 2) : 0;
    p->scenes_left = 10 + below(p, 30);
    p->with_posix  = kind < 3;
    p->with_omp    = kind != 0 && kind != 1;
    p->with_mpi    = chance(p, 65);
    p->with_migration = chance(p, 70);
    p->mpi_threads = (mpi_threads)below(p, 3);
}
