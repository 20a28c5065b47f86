/* tests/writer/random/random_threads.c: what the threads of a random program do.
 *
 * A scene is a team of OpenMP from its fork to its join, or some created threads from their creation to their end. Its
 * members do one construct after the other, each in its own virtual time; what makes them meet are barriers, locks and
 * tasks. Scenes stand inside each other: a member forks a team of its own, or another process has a scene meanwhile.
 *
 * Records are those of Score-P: a team is the same each time that a thread forks one of this size, a serialised region
 * in a serialised region has the team of that one; a task region is entered and left at the times of its switch and
 * completion; after a completion the next task may follow without a switch to the implicit one.
 */
#include "random_scene.h"

#include <string.h>

enum { DEEPEST_TEAM = 3 };

lane *
lane_at(program *p, const scene *s, uint32_t member)
{
    return &p->lanes[s->process][s->lanes[member]];
}

size_t
op_begin(program *p, tw_op op)
{
    op.thread = p->acting[op.process];
    op.enter  = lane_of(p, op.process)->now;
    lane_of(p, op.process)->now += below(p, 3);
    HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
    return p->n_ops - 1;
}

void
op_end(program *p, size_t number)
{
    tw_op *op = &p->ops[number];
    lane  *l  = &p->lanes[op->process][op->thread];

    op->leave = hd_time_max(l->now, op->enter + 1);
    l->now    = op->leave + 1;
}

void
moment(program *p, tw_op op)
{
    op.thread = p->acting[op.process];
    op.enter  = lane_of(p, op.process)->now;
    HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
}

void
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

uint32_t
any_member(program *p, const scene *s)
{
    return below(p, s->n);
}

void
act(program *p, const scene *s, uint32_t member)
{
    p->acting[s->process] = s->lanes[member];
}

/* ---------------------------------------------------------------------------------------------------------
 * constructs */

static void
loop(program *p, const scene *s)
{
    size_t numbers[MAX_LANES];

    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        numbers[i] = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER, .region = "!$omp for @program.c:12" });
        wander_some(p, s->process);
        if (chance(p, 10)) {
            size_t number = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER,
                                                 .region = "!$omp ordered @program.c:14" });

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
    size_t   numbers[MAX_LANES], number;
    uint32_t first = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        act(p, s, i);
        numbers[i] = op_begin(p, (tw_op){ .process = s->process, .op = TW_USER,
                                          .region = "!$omp single @program.c:9" });
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

/* --------------------------------------------------------------------------------------------------------------
 * teams */

/* A free thread that the forking one can have as member number n of its team: the one that it always has there, or one
 * that was in no team so far. Threads are numbered as they come, so it has a higher number. */
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
        bool     is_there = i <= leader || p->lanes[process][i].is_received;

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
    if (p->n_teams == MAX_TEAMS)
        return 0;
    for (uint32_t i = 0; i < team.n; i++)
        p->lanes[process][team.lanes[i]].is_received = true;
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
void
parallel(program *p, const scene *outer, uint32_t process, bool with_mpi)
{
    static const char *const regions[] = { "!$omp parallel @program.c:1", "!$omp parallel @program.c:20",
                                           "!$omp parallel @program.c:30" };
    uint32_t leader = p->acting[process], parent = outer == NULL ? 0 : outer->team;
    scene    s      = { .process = process, .level = outer == NULL ? 1 : outer->level + 1, .with_mpi = with_mpi,
                        .with_tasks = outer == NULL || outer->with_tasks };
    const char *region = regions[below(p, 3)];
    size_t   fork, numbers[MAX_LANES];
    bool     was_busy = lane_of(p, process)->is_busy, is_early;
    uint32_t bases[MAX_LANES];
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

/* --------------------------------------------------------------------------------------------------- created
 * threads */

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
    uint32_t n = 1 + below(p, p->n_lanes - 1), leader = p->acting[process], sequences[MAX_LANES];
    size_t   numbers[MAX_LANES];
    bool     was_busy = lane_of(p, process)->is_busy;

    if (p->scenes_left == 0)
        return;
    p->scenes_left--;
    lane_of(p, process)->is_busy = true;
    for (uint32_t i = 1; i < p->n_lanes && s.n <= n; i++) {
        lane  *l = &p->lanes[process][i];
        size_t number;

        if (l->is_busy || (l->is_received && !l->is_created))
            continue;
        l->is_received = l->is_created = true;
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
        if (chance(p, 10)) /* never joined */
            continue;
        number                   = op_begin(p,
                                            (tw_op){ .process = process, .op = TW_THREAD_JOIN,
                                                     .created = sequences[i] });
        lane_of(p, process)->now = hd_time_max(lane_of(p, process)->now, l->now) + below(p, 4);
        op_end(p, number);
    }
    p->acting[process]           = leader;
    lane_of(p, process)->is_busy = was_busy;
}

/* ------------------------------------------------------------------------------------------------------------
 * program */

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

    p->n_lanes     = 2 + below(p, MAX_LANES - 1);
    p->n_devices   = chance(p, 20) ? 1 + below(p, 2) : 0;
    p->scenes_left = 10 + below(p, 30);
    p->with_posix  = kind < 3;
    p->with_omp    = kind != 0 && kind != 1;
    p->with_mpi    = chance(p, 65);
    p->with_migration = chance(p, 70);
    p->mpi_threads = (mpi_threads)below(p, 3);
}
