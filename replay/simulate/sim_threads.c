/* replay/simulate/sim_threads.c: teams, barriers and locks of a process, from the logs of threads. */
#include "sim_threads.h"

#include <stdlib.h>

typedef enum sim_thread_what { SIM_FORK, SIM_BEGIN, SIM_END, SIM_JOIN, SIM_BARRIER, SIM_ACQUIRE, SIM_RELEASE }
    sim_thread_what;

struct hd_sim_thread_call {
    hd_sim_call call;
    uint8_t     what; /* sim_thread_what */
    bool        is_cut;
    uint32_t    comm, instance; /* of the team; lock: whether it is POSIX's, and its number */
    uint32_t    number;         /* of the barrier in the team; of the ownership */
    uint32_t    place;          /* in the log; then the number among the calls of the location */
};

typedef struct hd_sim_thread_call sim_thread_call;

/* ---- the logs ---------------------------------------------------------------------------------------------------- */

typedef struct sim_membership { /* in a team */
    uint32_t comm, instance, n_barriers;
    bool     owner, has_parallel;
    hd_time  fork;
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
    sim_membership  *teams; /* [n_teams] innermost last */
    sim_forked      *forked; /* [n_forked] the same */
    size_t           n_teams, capacity_teams, n_forked, capacity_forked;
} sim_walk;

static void
put(sim_walk *walk, const sim_thread_call *call)
{
    hd_sim_location *location = walk->location;
    sim_thread_call  added    = *call;

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
                            .fork = walk->op.time };

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

static void
leave_barrier(sim_walk *walk, sim_membership *team)
{
    put(walk, &(sim_thread_call){ .call = { .enter = hd_thread_op_resumed(&walk->op), .leave = walk->op.leave,
                                            .node = walk->op.call_path, .flags = HD_SIM_CALL_BARRIER },
                                  .what = SIM_BARRIER, .is_cut = walk->op.is_cut, .comm = team->comm,
                                  .instance = team->instance, .number = team->n_barriers++ });
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
        sim_walk         walk     = { .location = location };
        hd_thread_cursor cursor;

        hd_thread_cursor_init(&cursor, &location->location->threads);
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
    if (location->n_calls > 0)
        call->call.enter = location->calls[location->n_calls - 1].leave;
    else if (location->location->intervals.begin >= call->call.enter)
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
        if (next->what == SIM_BEGIN)
            begin_idle(location, next);
        if (n > 0 && next->call.enter < location->calls[n - 1].leave)
            next->call.flags |= HD_SIM_CALL_NESTED;
        next->call.local = hd_span_between(next->call.enter, next->call.leave);
        next->place      = (uint32_t)n;
        HD_PUSH(location->calls, location->n_calls, location->capacity_calls, next->call);
    }
}

/* ---- dependencies ------------------------------------------------------------------------------------------------ */

typedef struct sim_end { /* of an ownership of a lock */
    uint32_t thread, call;
    hd_time  time;
} sim_end;

typedef struct sim_meeting { /* a barrier, or the end of a team */
    hd_time  latest;
    uint32_t n_members, n_contribute;
    uint32_t number; /* in team_sizes, HD_NONE: nobody waits */
} sim_meeting;

typedef struct sim_instance { /* of a team */
    uint32_t n_threads; /* with its parallel region */
    uint32_t fork_thread, fork_call; /* HD_NONE: not known */
    hd_time  fork, join;             /* 0: not known */
    uint32_t end;                    /* in meetings */
    uint32_t first_barrier;          /* the same, of n_barriers */
    uint32_t n_barriers;
} sim_instance;

typedef struct sim_connection {
    hd_sim_worker   *sw;
    hd_sim_location *first;
    hd_map           instance_of; /* communicator << 32 | number -> in instances */
    sim_instance    *instances;   /* [n_instances] */
    sim_meeting     *meetings;    /* [n_meetings] */
    hd_map           lock_of;     /* as in sim_walk.owned -> number of the lock */
    hd_map           ended;       /* number of the lock << 32 | ownership -> in ends */
    sim_end         *ends;        /* [n_ends] */
    size_t           n_instances, capacity_instances, n_meetings, n_ends, capacity_ends;
} sim_connection;

static sim_instance *
instance_of(sim_connection *connection, const sim_thread_call *call)
{
    bool      is_new;
    uint64_t *place = hd_map_add(&connection->instance_of, (uint64_t)call->comm << 32 | call->instance, &is_new);

    if (is_new) {
        *place = connection->n_instances;
        HD_PUSH(connection->instances, connection->n_instances, connection->capacity_instances,
                ((sim_instance){ .fork_call = HD_NONE }));
    }
    return &connection->instances[*place];
}

static uint64_t
ownership_of(sim_connection *connection, const sim_thread_call *call, uint32_t number)
{
    bool      is_new;
    uint64_t *lock = hd_map_add(&connection->lock_of, (uint64_t)call->comm << 32 | call->instance, &is_new);

    if (is_new)
        *lock = connection->lock_of.n - 1;
    return *lock << 32 | number;
}

/* An ownership ends with its last release. */
static void
note_release(sim_connection *connection, const sim_thread_call *call, uint32_t thread)
{
    bool      is_new;
    uint64_t *place = hd_map_add(&connection->ended, ownership_of(connection, call, call->number), &is_new);
    sim_end   end   = { thread, call->place, call->call.enter };

    if (is_new) {
        *place = connection->n_ends;
        HD_PUSH(connection->ends, connection->n_ends, connection->capacity_ends, end);
    } else if (end.time > connection->ends[*place].time)
        connection->ends[*place] = end;
}

/* First: who forked which team when, and how many there are. */
static void
survey(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    sim_instance *team;

    (void)location;
    if (call->what == SIM_ACQUIRE)
        return;
    if (call->what == SIM_RELEASE) {
        note_release(connection, call, location->thread);
        return;
    }
    team = instance_of(connection, call);
    if (call->what == SIM_FORK) {
        team->fork        = call->call.enter;
        team->fork_thread = location->thread;
        team->fork_call   = call->place;
    } else if (call->what == SIM_JOIN)
        team->join = call->call.leave;
    else if (call->what == SIM_BARRIER && call->number >= team->n_barriers)
        team->n_barriers = call->number + 1;
    team->n_threads += call->what == SIM_FORK || call->what == SIM_BEGIN;
}

static sim_meeting *
meeting_of(sim_connection *connection, const sim_thread_call *call)
{
    const sim_instance *team = instance_of(connection, call);

    if (call->what == SIM_BARRIER)
        return &connection->meetings[team->first_barrier + call->number];
    if (call->what == SIM_JOIN || (call->what == SIM_END && call->call.leave <= team->join))
        return &connection->meetings[team->end];
    return NULL;
}

/* Second: when the last ones came. */
static void
find_latest(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    sim_meeting *meeting = NULL;

    (void)location;
    if (call->what == SIM_BARRIER || call->what == SIM_JOIN || call->what == SIM_END)
        meeting = meeting_of(connection, call);
    if (meeting == NULL)
        return;
    meeting->n_members++;
    if (call->what == SIM_JOIN)
        return;
    meeting->n_contribute++;
    meeting->latest = hd_time_max(meeting->latest, call->call.enter);
}

static void
number_meetings(sim_connection *connection)
{
    hd_sim_location *first = connection->first;

    for (size_t i = 0; i < connection->n_instances; i++) {
        sim_instance *team = &connection->instances[i];
        sim_meeting  *end  = &connection->meetings[team->end];

        end->number = end->n_contribute > 0 && end->n_contribute < end->n_members ? 0 : HD_NONE;
        for (uint32_t b = 0; b < team->n_barriers; b++) {
            sim_meeting *barrier = &connection->meetings[team->first_barrier + b];

            barrier->number = barrier->n_members == team->n_threads && team->n_threads > 1 ? 0 : HD_NONE;
        }
    }
    first->team_sizes = HD_NEW_ARRAY(uint32_t, connection->n_meetings);
    for (size_t i = 0; i < connection->n_meetings; i++)
        if (connection->meetings[i].number != HD_NONE) {
            connection->meetings[i].number      = first->n_teams;
            first->team_sizes[first->n_teams++] = connection->meetings[i].n_members;
        }
}

static void
connect_meeting(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    const sim_meeting *meeting = meeting_of(connection, call);
    bool               waits   = call->what == SIM_JOIN || (call->what == SIM_BARRIER && !call->is_cut);

    if (meeting == NULL || meeting->number == HD_NONE) {
        bool is_alone = call->what != SIM_BARRIER || instance_of(connection, call)->n_threads == 1;

        if (!is_alone) {
            location->calls[call->place].flags |= HD_SIM_CALL_KEPT;
            connection->sw->counts.n_unmatched++;
        }
        return;
    }
    HD_PUSH(location->members, location->n_members, location->capacity_members,
            ((hd_sim_member){ .call = call->place, .comm = HD_SIM_TEAM, .number = meeting->number,
                              .waiter = waits ? location->number : HD_NONE, .dependency = HD_NONE,
                              .contributes = call->what != SIM_JOIN }));
    if (waits)
        hd_sim_add_dependency(location, &(hd_sim_dependency){
            .kind = call->what == SIM_JOIN ? HD_SIM_JOIN : HD_SIM_THREAD_BARRIER, .call = call->place,
            .time = meeting->latest, .process = HD_NONE, .thread = HD_SIM_TEAM, .from = meeting->number,
            .n_members = meeting->n_members, .is_same_node = true });
}

static void
connect_acquire(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    const uint64_t *place = call->number < 2 ? NULL :
        hd_map_get(&connection->ended, ownership_of(connection, call, call->number - 1));
    const sim_end  *end   = place != NULL ? &connection->ends[*place] : NULL;

    if (end != NULL && end->thread != location->thread && end->time <= call->call.leave)
        hd_sim_add_dependency(location, &(hd_sim_dependency){
            .kind = HD_SIM_LOCK, .call = call->place, .time = end->time, .process = location->process_id,
            .thread = end->thread, .from = end->call, .is_same_node = true });
}

static void
connect_begin(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    const sim_instance *team = instance_of(connection, call);

    if (team->fork_call != HD_NONE && team->fork_thread != location->thread && team->fork <= call->call.leave)
        hd_sim_add_dependency(location, &(hd_sim_dependency){
            .kind = HD_SIM_FORK, .call = call->place, .time = team->fork, .process = location->process_id,
            .thread = team->fork_thread, .from = team->fork_call, .is_same_node = true });
}

/* Third. */
static void
connect(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    switch ((sim_thread_what)call->what) {
    case SIM_BEGIN:
        connect_begin(connection, location, call);
        break;
    case SIM_BARRIER:
    case SIM_END:
    case SIM_JOIN:
        connect_meeting(connection, location, call);
        break;
    case SIM_ACQUIRE:
        connect_acquire(connection, location, call);
        break;
    case SIM_FORK:
    case SIM_RELEASE:
        break;
    }
}

static void
each_call(sim_connection *connection,
          void (*visit)(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call))
{
    for (uint32_t t = 0; t < connection->first->process->n_locations; t++) {
        hd_sim_location *location = &connection->first[t];

        for (size_t i = 0; i < location->n_thread_calls; i++)
            visit(connection, location, &location->thread_calls[i]);
    }
}

void
hd_sim_threads_connect(hd_sim_worker *sw, hd_sim_location *first)
{
    sim_connection connection = { .sw = sw, .first = first };

    each_call(&connection, survey);
    for (size_t i = 0; i < connection.n_instances; i++) {
        connection.instances[i].end           = (uint32_t)connection.n_meetings++;
        connection.instances[i].first_barrier = (uint32_t)connection.n_meetings;
        connection.n_meetings += connection.instances[i].n_barriers;
    }
    connection.meetings = HD_NEW_ARRAY(sim_meeting, connection.n_meetings);
    each_call(&connection, find_latest);
    number_meetings(&connection);
    each_call(&connection, connect);
    for (uint32_t t = 0; t < first->process->n_locations; t++) {
        free(first[t].thread_calls);
        first[t].thread_calls   = NULL;
        first[t].n_thread_calls = first[t].capacity_thread_calls = 0;
    }
    hd_map_fini(&connection.instance_of);
    hd_map_fini(&connection.lock_of);
    hd_map_fini(&connection.ended);
    free(connection.instances);
    free(connection.meetings);
    free(connection.ends);
}
