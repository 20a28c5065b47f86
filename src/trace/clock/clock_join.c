/* The threads of a process and the clock condition: numbers in channels, and the instances of their teams. */
#include "clock_join.h"

#include "channel_order.h"

static void
cancel(hd_clock_process *process, hd_clock_requests *const *requests, uint32_t by)
{
    for (size_t i = 0; i < requests[by]->n_cancelled; i++)
        for (uint32_t t = 0; t < process->n_locations; t++) {
            hd_clock_log *log = &process->logs[t];
            uint64_t      point;

            if (!hd_map_take(&requests[t]->open, requests[by]->cancelled[i], &point))
                continue;
            if (log->points[point].kind == HD_CLOCK_SEND)
                log->points[point].kind = HD_CLOCK_OTHER;
            break;
        }
}

/* Receives that another thread posted, which may have posted others in between. */
static void
find_foreign(const hd_clock_process *process, hd_clock_requests *const *requests, uint32_t thread)
{
    const hd_clock_log *log = &process->logs[thread];

    for (size_t i = 0; i < requests[thread]->n_foreign; i++)
        for (uint32_t t = 0; t < process->n_locations; t++) {
            hd_clock_foreign *foreign = &requests[thread]->foreign[i];
            uint64_t          post;

            if (t == thread || !hd_map_take(&requests[t]->posted, foreign->request, &post))
                continue;
            foreign->thread = t;
            foreign->post   = (uint32_t)post;
            log->channels[log->points[foreign->point].what].has_numbers = true;
            break;
        }
}

/* The key of a numbered point; false: it has no number. Sends: by their records; collectives: blocking ones by their
 * ends, others by their begins. */
static bool
key_of(const hd_clock_log *log, const hd_clock_point *point, hd_channel_use *use)
{
    if (point->kind == HD_CLOCK_SEND || point->kind == HD_CLOCK_RECEIVE) {
        const hd_channel *channel = &log->channels[point->what];

        hd_channel_use_set(use, (hd_channel_kind)channel->kind, channel->comm, channel->peer, channel->tag);
        return true;
    }
    if (point->kind == HD_CLOCK_BEGIN || point->kind == HD_CLOCK_END) {
        const hd_clock_collective *collective = &log->collectives[point->what];

        hd_channel_use_set(use, collective->is_nbc ? HD_CHANNEL_NBC : HD_CHANNEL_COLL, collective->comm, 0, 0);
        return (point->kind == HD_CLOCK_BEGIN) == collective->is_nbc;
    }
    return false;
}

static void
set_number(hd_clock_log *log, hd_clock_point *point, uint32_t number)
{
    if (point->kind == HD_CLOCK_SEND || point->kind == HD_CLOCK_RECEIVE) {
        point->number = number;
        log->channels[point->what].n++;
    } else
        log->collectives[point->what].number = number;
}

static bool
is_out_of_order(const hd_clock_log *log, const hd_clock_point *point)
{
    return point->kind == HD_CLOCK_RECEIVE && log->channels[point->what].has_numbers;
}

/* Of a process whose calls are all of one thread: in the order of the records, but for receives that were posted in
 * another one. */
static void
number_alone(hd_clock_log *log)
{
    hd_map counts = { 0 }; /* collectives: communicator * 2 + non-blocking -> how many so far */

    for (size_t i = 0; i < log->n; i++) {
        hd_clock_point *point = &log->points[i];
        hd_channel_use  use;
        bool            is_new;

        if (!key_of(log, point, &use) || is_out_of_order(log, point))
            continue;
        if (point->kind == HD_CLOCK_SEND || point->kind == HD_CLOCK_RECEIVE)
            set_number(log, point, log->channels[point->what].n);
        else
            set_number(log, point, (uint32_t)(*hd_map_add(&counts, use.key, &is_new))++);
    }
    hd_map_fini(&counts);
}

/* Uses of a thread. all: false: only receives that are not completed in the order of their posts. */
static void
collect_uses(const hd_clock_log *log, const hd_clock_requests *requests, uint32_t thread, bool all, hd_scratch *scratch,
             hd_channel_use **uses, size_t *n, size_t *capacity)
{
    size_t i_foreign = 0;

    for (size_t i = 0; i < log->n; i++) {
        const hd_clock_point *point = &log->points[i];
        hd_channel_use        use   = { .time = point->time, .thread = thread, .position = (uint32_t)i,
                                        .post_thread = thread };

        while (i_foreign < requests->n_foreign && requests->foreign[i_foreign].point < i)
            i_foreign++;
        if (!key_of(log, point, &use) || (!all && !is_out_of_order(log, point)))
            continue;
        if (point->kind == HD_CLOCK_RECEIVE)
            use.post = point->number;
        if (i_foreign < requests->n_foreign && requests->foreign[i_foreign].point == i &&
            requests->foreign[i_foreign].thread != HD_NONE) {
            use.post_thread = requests->foreign[i_foreign].thread;
            use.post        = requests->foreign[i_foreign].post;
        }
        HD_SCRATCH_PUSH(scratch, *uses, *n, *capacity, use);
    }
}

static void
number_together(hd_clock_process *process, hd_clock_requests *const *requests, bool all, hd_scratch *scratch)
{
    hd_channel_use *uses = NULL;
    size_t          n = 0, capacity = 0;
    uint32_t        number = 0;

    for (uint32_t t = 0; t < process->n_locations; t++)
        collect_uses(&process->logs[t], requests[t], t, all, scratch, &uses, &n, &capacity);
    hd_channel_order_sort(uses, n);
    for (size_t i = 0; i < n; i++) {
        hd_clock_log *log = &process->logs[uses[i].thread];

        number = i > 0 && hd_channel_use_same(&uses[i - 1], &uses[i]) ? number + 1 : 0;
        set_number(log, &log->points[uses[i].position], number);
    }
    hd_scratch_free(scratch, uses);
}

static bool
is_any_out_of_order(const hd_clock_log *log)
{
    for (uint32_t i = 0; i < log->n_channels; i++)
        if (log->channels[i].has_numbers)
            return true;
    return false;
}

static void
number_points(hd_clock_process *process, hd_clock_requests *const *requests, hd_scratch *scratch)
{
    uint32_t n_calling = 0, calling = 0;

    for (uint32_t t = 0; t < process->n_locations; t++)
        if (process->logs[t].n_channels + process->logs[t].n_collectives > 0) {
            n_calling++;
            calling = t;
        }
    if (n_calling == 1)
        number_alone(&process->logs[calling]);
    if (n_calling > 1 || (n_calling == 1 && is_any_out_of_order(&process->logs[calling])))
        number_together(process, requests, n_calling > 1, scratch);
}

/* Only the first MPI_Init and MPI_Finalize of a process count. */
static void
drop_later_calls(const hd_defs *defs, hd_clock_log *log)
{
    for (size_t i = 0; i < log->n; i++) {
        hd_clock_point *point = &log->points[i];

        if ((point->kind == HD_CLOCK_BEGIN || point->kind == HD_CLOCK_END) &&
            log->collectives[point->what].comm >= defs->n_comms &&
            log->collectives[point->what].number != 0)
            point->kind = HD_CLOCK_OTHER;
    }
}

typedef struct open_team {
    uint32_t instance;
    uint32_t n_barriers; /* that were left */
} open_team;

typedef struct open_fork {
    size_t   point;
    uint32_t instance; /* HD_NONE: no team has begun after it yet */
} open_fork;

typedef struct team_places { /* of a process */
    hd_map teams;            /* communicator << 32 | instance -> index in team_instances */
    hd_map barriers;         /* instance of the team << 32 | number in it -> the same */
} team_places;

typedef struct team_walk { /* over the points of a thread, in their order */
    hd_clock_process *process;
    const hd_defs    *defs;
    uint32_t          location;
    hd_clock_log     *log;
    team_places      *places;
    hd_map            instances; /* communicator -> teams begun here */
    open_team        *teams;     /* [n_teams] the innermost one last */
    size_t            n_teams, capacity_teams;
    open_fork        *forks;     /* [n_forks] the innermost one last */
    size_t            n_forks, capacity_forks;
} team_walk;

/* The instance with that key, made if it is new. */
static uint32_t
team_instance_of(hd_clock_process *process, hd_map *team_instances, uint32_t of, uint32_t number)
{
    bool      is_new;
    uint64_t *place = hd_map_add(team_instances, (uint64_t)of << 32 | number, &is_new);

    if (is_new) {
        *place = process->n_team_instances;
        HD_PUSH(process->team_instances, process->n_team_instances, process->capacity_team_instances,
                ((hd_clock_team_instance){ 0 }));
    }
    return (uint32_t)*place;
}

/* The team of the innermost fork, if this thread is its master. */
static void
begin_team(team_walk *w, hd_clock_point *point)
{
    uint32_t   comm = point->what, instance;
    open_fork *fork = w->n_forks > 0 ? &w->forks[w->n_forks - 1] : NULL;
    bool       is_new;

    if (comm == HD_NONE)
        return;
    instance    = (uint32_t)(*hd_map_add(&w->instances, comm, &is_new))++;
    point->what = team_instance_of(w->process, &w->places->teams, comm, instance);
    HD_PUSH(w->teams, w->n_teams, w->capacity_teams, ((open_team){ point->what, 0 }));
    if (fork != NULL && fork->instance == HD_NONE && hd_defs_comms(w->defs)[comm].team_master == w->location) {
        fork->instance = w->log->points[fork->point].what = point->what;
        w->process->team_instances[point->what].has_fork       = true;
    }
}

static void
end_team(team_walk *w, hd_clock_point *point)
{
    if (w->n_teams == 0)
        return;
    point->what = w->teams[--w->n_teams].instance;
    w->process->team_instances[point->what].n_before++;
}

/* The k-th barrier of a thread in a team is one instance with the k-th of the others. */
static void
pass_barrier(team_walk *w, hd_clock_point *point)
{
    open_team *team = w->n_teams > 0 ? &w->teams[w->n_teams - 1] : NULL;

    if (team == NULL)
        return;
    point->what = team_instance_of(w->process, &w->places->barriers, team->instance, team->n_barriers);
    if (point->kind == HD_CLOCK_BARRIER_ENTER)
        w->process->team_instances[point->what].n_before++;
    else
        team->n_barriers++;
}

/* The teams of one thread: its points get their instances. */
static void
find_teams(team_walk *w)
{
    for (size_t i = 0; i < w->log->n; i++) {
        hd_clock_point *point = &w->log->points[i];

        switch (point->kind) {
        case HD_CLOCK_FORK:
            HD_PUSH(w->forks, w->n_forks, w->capacity_forks, ((open_fork){ i, HD_NONE }));
            break;
        case HD_CLOCK_TEAM_BEGIN:
            begin_team(w, point);
            break;
        case HD_CLOCK_TEAM_END:
            end_team(w, point);
            break;
        case HD_CLOCK_JOIN:
            if (w->n_forks > 0)
                point->what = w->forks[--w->n_forks].instance;
            break;
        case HD_CLOCK_BARRIER_ENTER:
        case HD_CLOCK_BARRIER_LEAVE:
            pass_barrier(w, point);
            break;
        default:
            break;
        }
    }
    free(w->teams);
    free(w->forks);
    hd_map_fini(&w->instances);
}

void
hd_clock_join(hd_clock_process *process, const hd_defs *defs, hd_clock_requests *const *requests, hd_scratch *scratch)
{
    team_places places = { 0 };
    uint32_t    first  = hd_defs_processes(defs)[process->process.v].first_location;

    for (uint32_t t = 0; t < process->n_locations; t++)
        cancel(process, requests, t);
    for (uint32_t t = 0; t < process->n_locations; t++)
        find_foreign(process, requests, t);
    number_points(process, requests, scratch);
    for (uint32_t t = 0; t < process->n_locations; t++) {
        drop_later_calls(defs, &process->logs[t]);
        find_teams(&(team_walk){ .process = process, .defs = defs, .location = first + t, .log = &process->logs[t],
                                 .places = &places });
    }
    hd_map_fini(&places.teams);
    hd_map_fini(&places.barriers);
}
