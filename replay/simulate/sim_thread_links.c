/* replay/simulate/sim_thread_links.c: what the calls of the threads of a process depend on, in three passes: who forked
 * what and released what; when the last ones came where several meet; dependencies. */
#include "sim_threads.h"

#include <stdlib.h>

#include "sim_thread_call.h"

typedef struct sim_end { /* a call that others depend on */
    uint32_t thread, call;
    hd_time  time;
} sim_end;

typedef struct sim_meeting { /* a barrier, the end of a team, the end of the children of a task */
    hd_time  latest, until; /* until: when the first one that waits goes on; 0: nobody waits */
    uint32_t n_members, n_contribute, n_wait;
    uint32_t n_barriers; /* threads that leave the barrier */
    uint32_t number; /* in team_sizes, HD_NONE: nobody waits */
} sim_meeting;

typedef struct sim_instance { /* of a team */
    uint32_t n_threads; /* with its parallel region */
    sim_end  fork;      /* call HD_NONE: not known */
    hd_time  joined;    /* 0: not known */
    uint32_t end;       /* in meetings */
    uint32_t first_barrier, n_barriers; /* the same */
    sim_end  ordered;   /* the last block so far; call HD_NONE: none */
} sim_instance;

typedef struct sim_moved { /* a call in the order of all threads of the process */
    hd_sim_location       *location;
    const sim_thread_call *call;
} sim_moved;

typedef struct sim_connection {
    hd_sim_worker   *sw;
    hd_sim_location *first;
    hd_map           instance_of; /* communicator << 32 | number -> in instances */
    sim_instance    *instances;   /* [n_instances] */
    sim_meeting     *meetings;    /* [n_meetings] */
    hd_map           group_of;    /* what numbers are within -> dense */
    hd_map           ended;       /* group << 32 | ownership, task or created thread -> in ends: its end, creation */
    hd_map           begun;       /* group << 32 | task -> 1: it has begun */
    hd_map           children;    /* group << 32 | task -> 1 + meeting that its next taskwait is, or 0 */
    hd_map           waited;      /* group << 32 | task -> meeting of its parent's taskwait */
    sim_end         *ends;        /* [n_ends] */
    sim_moved       *moved;       /* [n_moved] */
    size_t           n_instances, capacity_instances, n_meetings, capacity_meetings, n_ends, capacity_ends, n_moved,
        capacity_moved;
} sim_connection;

/* What numbers are within; the lowest bits say more. */
#define OF_LOCK   (UINT64_C(1) << 60)
#define OF_THREAD (UINT64_C(2) << 60) /* created */
#define OF_TASK   (UINT64_C(3) << 60)
#define OF_IMPLICIT (UINT64_C(4) << 60)

static sim_instance *
instance_of(sim_connection *connection, const sim_thread_call *call)
{
    bool      is_new;
    uint64_t *place = hd_map_add(&connection->instance_of, (uint64_t)call->comm << 32 | call->instance, &is_new);

    if (is_new) {
        *place = connection->n_instances;
        HD_PUSH(connection->instances, connection->n_instances, connection->capacity_instances,
                ((sim_instance){ .fork.call = HD_NONE, .ordered.call = HD_NONE }));
    }
    return &connection->instances[*place];
}

/* A key for a number within a group. */
static uint64_t
key_of(sim_connection *connection, uint64_t group, uint32_t number)
{
    bool      is_new;
    uint64_t *dense = hd_map_add(&connection->group_of, group, &is_new);

    if (is_new)
        *dense = connection->group_of.n - 1;
    return *dense << 32 | number;
}

static uint64_t
ownership_of(sim_connection *connection, const sim_thread_call *call, uint32_t number)
{
    return key_of(connection, OF_LOCK | (uint64_t)call->comm << 32 | call->instance, number);
}

static uint64_t
created_of(sim_connection *connection, const sim_thread_call *call, bool is_end)
{
    return key_of(connection, OF_THREAD | call->task.of << 1 | is_end, (uint32_t)call->task.number);
}

static uint64_t
task_of(sim_connection *connection, const sim_thread_call *call, const sim_task *task)
{
    uint64_t instance = (uint64_t)(instance_of(connection, call) - connection->instances);

    return key_of(connection, (task->number == 0 ? OF_IMPLICIT : OF_TASK) | instance << 28 | (uint32_t)task->of,
                  (uint32_t)task->number);
}

static void
note_end(sim_connection *connection, uint64_t key, const hd_sim_location *location, const sim_thread_call *call)
{
    bool      is_new;
    uint64_t *place = hd_map_add(&connection->ended, key, &is_new);
    sim_end   end   = { location->thread, call->place, call->call.enter };

    if (is_new) {
        *place = connection->n_ends;
        HD_PUSH(connection->ends, connection->n_ends, connection->capacity_ends, end);
    } else if (end.time > connection->ends[*place].time) /* an ownership ends with its last release */
        connection->ends[*place] = end;
}

static const sim_end *
end_of(const sim_connection *connection, uint64_t key)
{
    const uint64_t *place = hd_map_get(&connection->ended, key);

    return place != NULL ? &connection->ends[*place] : NULL;
}

static void
depend_on(hd_sim_location *location, const sim_thread_call *call, const sim_end *on, hd_sim_kind kind)
{
    if (on != NULL && on->call != HD_NONE && on->thread != location->thread && on->time <= call->call.leave)
        hd_sim_add_dependency(location, &(hd_sim_dependency){
            .kind = kind, .call = call->place, .time = on->time, .process = location->process_id,
            .thread = on->thread, .from = on->call, .is_same_node = true });
}

/* ---- first ------------------------------------------------------------------------------------------------------- */

static void
survey(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    sim_instance *team;

    if (call->what == SIM_ACQUIRE)
        return;
    if (call->what == SIM_RELEASE) {
        note_end(connection, ownership_of(connection, call, call->number), location, call);
        return;
    }
    team = instance_of(connection, call);
    switch ((sim_thread_what)call->what) {
    case SIM_FORK:
        team->fork = (sim_end){ location->thread, call->place, call->call.enter };
        team->n_threads++;
        break;
    case SIM_BEGIN:
        team->n_threads++;
        break;
    case SIM_JOIN:
        team->joined = call->call.leave;
        break;
    case SIM_BARRIER:
        team->n_barriers = call->number >= team->n_barriers ? call->number + 1 : team->n_barriers;
        break;
    case SIM_THREAD_CREATE:
    case SIM_THREAD_END:
        note_end(connection, created_of(connection, call, call->what == SIM_THREAD_END), location, call);
        break;
    case SIM_TASK_CREATE:
        note_end(connection, task_of(connection, call, &call->task), location, call);
        break;
    case SIM_ORDERED_BEGIN:
    case SIM_ORDERED_END:
    case SIM_TASK_BEGIN:
    case SIM_TASK_WAIT:
    case SIM_END:
    case SIM_ARRIVE:
    case SIM_ACQUIRE:
    case SIM_RELEASE:
    case SIM_TASK_END:
    case SIM_THREAD_BEGIN:
    case SIM_THREAD_WAIT:
        break;
    }
    if ((call->what >= SIM_ORDERED_BEGIN && call->what <= SIM_TASK_BEGIN) || call->what == SIM_TASK_WAIT)
        HD_PUSH(connection->moved, connection->n_moved, connection->capacity_moved,
                ((sim_moved){ location, call }));
}

/* ---- in the order of all threads --------------------------------------------------------------------------------- */

static int
compare_moved(const void *a_, const void *b_)
{
    const sim_moved *a = a_, *b = b_;

    if (a->call->call.leave != b->call->call.leave)
        return a->call->call.leave < b->call->call.leave ? -1 : 1;
    if (a->location->thread != b->location->thread)
        return a->location->thread < b->location->thread ? -1 : 1;
    return a->call->place < b->call->place ? -1 : a->call->place > b->call->place;
}

static void
create_task(sim_connection *connection, const sim_thread_call *call)
{
    bool      is_new;
    uint64_t *meeting = hd_map_add(&connection->children, task_of(connection, call, &call->parent), &is_new);
    uint64_t  number;

    if (*meeting == 0) {
        HD_PUSH(connection->meetings, connection->n_meetings, connection->capacity_meetings, ((sim_meeting){ 0 }));
        *meeting = connection->n_meetings;
    }
    number = *meeting - 1;
    *hd_map_add(&connection->waited, task_of(connection, call, &call->task), &is_new) = number;
}

static void
begin_task(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    uint64_t key = task_of(connection, call, &call->task);
    bool     is_new;

    hd_map_add(&connection->begun, key, &is_new);
    if (is_new)
        depend_on(location, call, end_of(connection, key), HD_SIM_TASK);
}

/* The meeting that a taskwait is, which is over then: 1 + its number. */
static void
wait_for_tasks(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    bool      is_new;
    uint64_t *meeting = hd_map_add(&connection->children, task_of(connection, call, &call->parent), &is_new);

    location->thread_calls[call - location->thread_calls].number = *meeting > 0 ? (uint32_t)*meeting - 1 : HD_NONE;
    if (*meeting > 0)
        connection->meetings[*meeting - 1].until = call->call.leave;
    *meeting = 0;
}

static void
in_order(sim_connection *connection)
{
    if (connection->n_moved > 0)
        qsort(connection->moved, connection->n_moved, sizeof *connection->moved, compare_moved);
    for (size_t i = 0; i < connection->n_moved; i++) {
        hd_sim_location       *location = connection->moved[i].location;
        const sim_thread_call *call     = connection->moved[i].call;
        sim_instance          *team     = instance_of(connection, call);

        if (call->what == SIM_ORDERED_BEGIN)
            depend_on(location, call, &team->ordered, HD_SIM_LOCK);
        else if (call->what == SIM_ORDERED_END)
            team->ordered = (sim_end){ location->thread, call->place, call->call.enter };
        else if (call->what == SIM_TASK_CREATE)
            create_task(connection, call);
        else if (call->what == SIM_TASK_BEGIN)
            begin_task(connection, location, call);
        else
            wait_for_tasks(connection, location, call);
    }
}

/* ---- where several meet ------------------------------------------------------------------------------------------ */

static void
number_barriers(sim_connection *connection)
{
    for (size_t i = 0; i < connection->n_instances; i++) {
        sim_instance *team = &connection->instances[i];

        team->end           = (uint32_t)connection->n_meetings;
        team->first_barrier = team->end + 1;
        for (uint32_t m = 0; m <= team->n_barriers; m++)
            HD_PUSH(connection->meetings, connection->n_meetings, connection->capacity_meetings,
                    ((sim_meeting){ .until = m == 0 ? team->joined : UINT64_MAX }));
    }
}

static void
find_first_leave(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    (void)location;
    if (call->what == SIM_BARRIER) {
        sim_meeting *barrier = &connection->meetings[instance_of(connection, call)->first_barrier + call->number];

        barrier->n_barriers++;
        barrier->until = call->is_cut ? barrier->until : hd_time_min(barrier->until, call->call.leave);
    }
}

/* NULL: none. Who comes when it is over is not waited for: threads run tasks of later on before they leave a
 * barrier. */
static sim_meeting *
meeting_of(sim_connection *connection, const sim_thread_call *call)
{
    sim_meeting    *meeting = NULL;
    const uint64_t *place;

    if (call->what == SIM_BARRIER)
        return &connection->meetings[instance_of(connection, call)->first_barrier + call->number];
    if (call->what == SIM_ARRIVE)
        meeting = &connection->meetings[instance_of(connection, call)->first_barrier + call->number];
    else if (call->what == SIM_JOIN || call->what == SIM_END)
        meeting = &connection->meetings[instance_of(connection, call)->end];
    else if (call->what == SIM_TASK_WAIT && call->number != HD_NONE)
        meeting = &connection->meetings[call->number];
    else if (call->what == SIM_TASK_END) {
        place   = hd_map_get(&connection->waited, task_of(connection, call, &call->task));
        meeting = place != NULL ? &connection->meetings[*place] : NULL;
    }
    if (meeting == NULL || call->call.leave > meeting->until ||
        (call->what == SIM_ARRIVE && call->next > 0 && call->next <= meeting->until))
        return NULL;
    return meeting;
}

static bool
contributes(const sim_thread_call *call)
{
    return call->what == SIM_ARRIVE || call->what == SIM_END || call->what == SIM_TASK_END ||
           (call->what == SIM_BARRIER && !call->has_tasks);
}

static bool
waits(const sim_thread_call *call)
{
    return call->what == SIM_JOIN || call->what == SIM_TASK_WAIT || (call->what == SIM_BARRIER && !call->is_cut);
}

static void
find_latest(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    sim_meeting *meeting = meeting_of(connection, call);

    (void)location;
    if (meeting == NULL)
        return;
    meeting->n_members += waits(call) || contributes(call);
    meeting->n_wait += waits(call);
    meeting->n_contribute += contributes(call);
    meeting->latest = contributes(call) ? hd_time_max(meeting->latest, call->call.enter) : meeting->latest;
}

static void
number_meetings(sim_connection *connection)
{
    hd_sim_location *first = connection->first;

    for (size_t i = 0; i < connection->n_instances; i++) {
        const sim_instance *team = &connection->instances[i];

        for (uint32_t b = 0; b < team->n_barriers; b++) {
            sim_meeting *barrier = &connection->meetings[team->first_barrier + b];

            if (barrier->n_barriers != team->n_threads || team->n_threads == 1)
                barrier->n_wait = 0;
        }
    }
    first->team_sizes = HD_NEW_ARRAY(hd_sim_team_size, connection->n_meetings);
    for (size_t i = 0; i < connection->n_meetings; i++) {
        sim_meeting *meeting = &connection->meetings[i];

        meeting->number = HD_NONE;
        if (meeting->n_wait == 0 || meeting->n_contribute == 0)
            continue;
        meeting->number = first->n_teams;
        first->team_sizes[first->n_teams++] = (hd_sim_team_size){ meeting->n_members, meeting->n_contribute };
    }
}

static void
connect_meeting(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    const sim_meeting *meeting = meeting_of(connection, call);
    hd_sim_kind        kind    = call->what == SIM_BARRIER ? HD_SIM_THREAD_BARRIER :
                                 call->what == SIM_JOIN ? HD_SIM_JOIN : HD_SIM_TASK_WAIT;

    if (meeting == NULL || meeting->number == HD_NONE) {
        if (call->what == SIM_BARRIER && instance_of(connection, call)->n_threads > 1) {
            location->calls[call->place].flags |= HD_SIM_CALL_KEPT;
            connection->sw->counts.n_unmatched++;
        }
        return;
    }
    if (!waits(call) && !contributes(call))
        return;
    HD_PUSH(location->members, location->n_members, location->capacity_members,
            ((hd_sim_member){ .call = call->place, .comm = HD_SIM_TEAM, .number = meeting->number,
                              .waiter = waits(call) ? location->number : HD_NONE, .dependency = HD_NONE,
                              .contributes = contributes(call) }));
    if (waits(call))
        hd_sim_add_dependency(location, &(hd_sim_dependency){
            .kind = (uint8_t)kind, .call = call->place, .time = meeting->latest, .process = HD_NONE,
            .thread = HD_SIM_TEAM, .from = meeting->number, .is_same_node = true,
            .n_members = call->what == SIM_BARRIER ? meeting->n_barriers : 0 });
}

/* ---- dependencies ------------------------------------------------------------------------------------------------ */

static void
connect(sim_connection *connection, hd_sim_location *location, const sim_thread_call *call)
{
    switch ((sim_thread_what)call->what) {
    case SIM_BEGIN:
        depend_on(location, call, &instance_of(connection, call)->fork, HD_SIM_FORK);
        break;
    case SIM_BARRIER:
    case SIM_ARRIVE:
    case SIM_END:
    case SIM_JOIN:
    case SIM_TASK_END:
    case SIM_TASK_WAIT:
        connect_meeting(connection, location, call);
        break;
    case SIM_ACQUIRE:
        if (call->number > 1)
            depend_on(location, call, end_of(connection, ownership_of(connection, call, call->number - 1)),
                      HD_SIM_LOCK);
        break;
    case SIM_THREAD_BEGIN:
        depend_on(location, call, end_of(connection, created_of(connection, call, false)), HD_SIM_FORK);
        break;
    case SIM_THREAD_WAIT:
        depend_on(location, call, end_of(connection, created_of(connection, call, true)), HD_SIM_JOIN);
        break;
    case SIM_FORK:
    case SIM_RELEASE:
    case SIM_ORDERED_BEGIN:
    case SIM_ORDERED_END:
    case SIM_TASK_CREATE:
    case SIM_TASK_BEGIN:
    case SIM_THREAD_CREATE:
    case SIM_THREAD_END:
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
    in_order(&connection);
    number_barriers(&connection);
    each_call(&connection, find_first_leave);
    each_call(&connection, find_latest);
    number_meetings(&connection);
    each_call(&connection, connect);
    for (uint32_t t = 0; t < first->process->n_locations; t++) {
        free(first[t].thread_calls);
        first[t].thread_calls   = NULL;
        first[t].n_thread_calls = first[t].capacity_thread_calls = 0;
    }
    hd_map_fini(&connection.instance_of);
    hd_map_fini(&connection.group_of);
    hd_map_fini(&connection.ended);
    hd_map_fini(&connection.begun);
    hd_map_fini(&connection.children);
    hd_map_fini(&connection.waited);
    free(connection.instances);
    free(connection.meetings);
    free(connection.ends);
    free(connection.moved);
}
