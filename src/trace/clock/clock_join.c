/* The threads of a process and the clock condition: numbers on channels that they share, and where they meet. */
#include "clock_join.h"

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

/* What the threads of a process share: a channel of messages, or the collectives of a communicator. */
typedef struct shared_use {
    uint64_t key, rest; /* equal for the same channel */
    hd_time  time;
    uint32_t thread, at; /* at: in points */
} shared_use;

static int
compare_uses(const void *a_, const void *b_)
{
    const shared_use *a = a_, *b = b_;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->rest != b->rest)
        return a->rest < b->rest ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* The key of a numbered point; false: it has no number. Messages: by their record; collectives: blocking ones by their ends, others by their
 * begins. */
static bool
key_of(const hd_clock_log *log, const hd_clock_point *point, shared_use *use)
{
    if (point->kind == HD_CLOCK_SEND || point->kind == HD_CLOCK_RECEIVE) {
        const hd_channel *channel = &log->channels[point->what];

        use->key  = (uint64_t)channel->kind << 32 | channel->comm;
        use->rest = (uint64_t)channel->peer << 32 | channel->tag;
        return true;
    }
    if (point->kind == HD_CLOCK_BEGIN || point->kind == HD_CLOCK_END) {
        const hd_clock_collective *collective = &log->collectives[point->what];

        use->key  = (uint64_t)(collective->is_nbc ? HD_CHANNEL_NBC : HD_CHANNEL_COLL) << 32 | collective->comm;
        use->rest = 0;
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

/* Of a process whose calls are all of one thread: in the order of the records. */
static void
number_alone(hd_clock_log *log)
{
    hd_map counts = { 0 }; /* collectives: communicator * 2 + non-blocking -> how many so far */

    for (size_t i = 0; i < log->n; i++) {
        hd_clock_point *point = &log->points[i];
        shared_use      use;
        bool            is_new;

        if (!key_of(log, point, &use))
            continue;
        if (point->kind == HD_CLOCK_SEND || point->kind == HD_CLOCK_RECEIVE)
            set_number(log, point, log->channels[point->what].n);
        else
            set_number(log, point, (uint32_t)(*hd_map_add(&counts, use.key, &is_new))++);
    }
    hd_map_fini(&counts);
}

static void
number_together(hd_clock_process *process, hd_scratch *scratch)
{
    shared_use *uses = NULL;
    size_t      n = 0, capacity = 0;
    uint32_t    number = 0;

    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t i = 0; i < process->logs[t].n; i++) {
            shared_use use = { .time = process->logs[t].points[i].time, .thread = t, .at = (uint32_t)i };

            if (key_of(&process->logs[t], &process->logs[t].points[i], &use))
                HD_SCRATCH_PUSH(scratch, uses, n, capacity, use);
        }
    if (n > 1)
        qsort(uses, n, sizeof *uses, compare_uses);
    for (size_t i = 0; i < n; i++) {
        hd_clock_log *log = &process->logs[uses[i].thread];

        number = i > 0 && uses[i].key == uses[i - 1].key && uses[i].rest == uses[i - 1].rest ? number + 1 : 0;
        set_number(log, &log->points[uses[i].at], number);
    }
    hd_scratch_free(scratch, uses);
}

static void
number_points(hd_clock_process *process, hd_scratch *scratch)
{
    uint32_t n_calling = 0, calling = 0;

    for (uint32_t t = 0; t < process->n_locations; t++)
        if (process->logs[t].n_channels + process->logs[t].n_collectives > 0) {
            n_calling++;
            calling = t;
        }
    if (n_calling == 1)
        number_alone(&process->logs[calling]);
    else if (n_calling > 1)
        number_together(process, scratch);
}

/* Only the first MPI_Init and MPI_Finalize of a process count. */
static void
drop_later_calls(const hd_defs *defs, hd_clock_log *log)
{
    for (size_t i = 0; i < log->n; i++) {
        hd_clock_point *point = &log->points[i];

        if ((point->kind == HD_CLOCK_BEGIN || point->kind == HD_CLOCK_END) && log->collectives[point->what].comm >= defs->n_comms &&
            log->collectives[point->what].number != 0)
            point->kind = HD_CLOCK_OTHER;
    }
}

typedef struct open_team { /* of a thread, while teams are put together */
    uint32_t meeting, n_barriers;
} open_team;

typedef struct open_fork {
    size_t   point;
    uint32_t meeting; /* HD_NONE: no team has begun behind it yet */
} open_fork;

static uint32_t
meeting_of(hd_clock_process *process, hd_map *meetings, uint64_t key)
{
    bool      is_new;
    uint64_t *place = hd_map_add(meetings, key, &is_new);

    if (is_new) {
        *place = process->n_meetings;
        HD_PUSH(process->meetings, process->n_meetings, process->capacity_meetings, ((hd_clock_meeting){ 0 }));
    }
    return (uint32_t)*place;
}

typedef struct team_places { /* of a process */
    hd_map teams;            /* communicator << 32 | instance -> meeting */
    hd_map barriers;         /* meeting of the team << 32 | number in it -> meeting */
} team_places;

/* The teams of one thread: its points learn their meetings. */
static void
find_teams(hd_clock_process *process, const hd_defs *defs, uint32_t location, hd_clock_log *log, team_places *places)
{
    hd_map     instances = { 0 }; /* communicator -> teams begun here */
    size_t     n_teams = 0, capacity_teams = 8, n_forks = 0, capacity_forks = 8;
    open_team *teams = HD_NEW_ARRAY(open_team, capacity_teams);
    open_fork *forks = HD_NEW_ARRAY(open_fork, capacity_forks);
    bool       is_new;

    for (size_t i = 0; i < log->n; i++) {
        hd_clock_point *point = &log->points[i];
        uint32_t        comm  = point->what, instance;
        open_team      *team  = n_teams > 0 ? &teams[n_teams - 1] : NULL;

        switch (point->kind) {
        case HD_CLOCK_FORK:
            HD_PUSH(forks, n_forks, capacity_forks, ((open_fork){ i, HD_NONE }));
            break;
        case HD_CLOCK_TEAM_BEGIN:
            if (comm == HD_NONE)
                break;
            instance    = (uint32_t)(*hd_map_add(&instances, comm, &is_new))++;
            point->what = meeting_of(process, &places->teams, (uint64_t)comm << 32 | instance);
            HD_PUSH(teams, n_teams, capacity_teams, ((open_team){ point->what, 0 }));
            if (n_forks > 0 && forks[n_forks - 1].meeting == HD_NONE && hd_defs_comms(defs)[comm].team_master == location) {
                forks[n_forks - 1].meeting = log->points[forks[n_forks - 1].point].what = point->what;
                process->meetings[point->what].has_fork = true;
            }
            break;
        case HD_CLOCK_TEAM_END:
            if (team == NULL)
                break;
            point->what = team->meeting;
            process->meetings[point->what].n_before++;
            n_teams--;
            break;
        case HD_CLOCK_JOIN:
            if (n_forks > 0)
                point->what = forks[--n_forks].meeting;
            break;
        case HD_CLOCK_BARRIER_ENTER:
            if (team == NULL)
                break;
            point->what = meeting_of(process, &places->barriers, (uint64_t)team->meeting << 32 | team->n_barriers);
            process->meetings[point->what].n_before++;
            break;
        case HD_CLOCK_BARRIER_LEAVE:
            if (team != NULL)
                point->what = meeting_of(process, &places->barriers, (uint64_t)team->meeting << 32 | team->n_barriers++);
            break;
        default:
            break;
        }
    }
    free(teams);
    free(forks);
    hd_map_fini(&instances);
}

void
hd_clock_join(hd_clock_process *process, const hd_defs *defs, hd_clock_requests *const *requests, hd_scratch *scratch)
{
    team_places places = { 0 };
    uint32_t    first  = hd_defs_processes(defs)[process->process.v].first_location;

    for (uint32_t t = 0; t < process->n_locations; t++)
        cancel(process, requests, t);
    number_points(process, scratch);
    for (uint32_t t = 0; t < process->n_locations; t++) {
        drop_later_calls(defs, &process->logs[t]);
        find_teams(process, defs, first + t, &process->logs[t], &places);
    }
    hd_map_fini(&places.teams);
    hd_map_fini(&places.barriers);
}
