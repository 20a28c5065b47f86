/* openmp-patterns/team.c: teams. An instance of a team, and a barrier of it, is made when the first thread comes to it,
 * and found by the others from the one before. */
#include "team.h"

/* An instance of a team: the k-th time that it begins. */
struct hd_team_instance {
    hd_time  fork, join;    /* of the forking thread; HD_TIME_NONE: not recorded */
    hd_time  first_enter;   /* of its parallel region */
    uint32_t owner;         /* thread that forked it, HD_NONE: not recorded */
    uint32_t n_threads;     /* that began it */
    uint32_t next;          /* of its communicator; HD_NONE: none */
    uint32_t first_barrier; /* likewise, the first that a thread left */
};

struct hd_team_barrier {
    hd_time  latest;    /* enter */
    uint32_t thread;    /* whose that was, the lowest among equals */
    uint32_t n_threads; /* that took part */
    uint32_t next;      /* of the instance; HD_NONE: none */
    bool     has_tasks; /* a thread ran tasks in it */
};

#define HD_TIME_NONE UINT64_MAX

static uint32_t
new_instance(hd_team_books *books)
{
    HD_SCRATCH_PUSH(books->process->scratch, books->instances, books->n_instances, books->capacity_instances,
                    ((hd_team_instance){ .fork = HD_TIME_NONE, .join = HD_TIME_NONE, .owner = HD_NONE, .next = HD_NONE,
                                         .first_enter = HD_TIME_NONE, .first_barrier = HD_NONE }));
    return (uint32_t)books->n_instances - 1;
}

/* The first instance of the communicator, made if it is not there. */
static uint32_t
first_instance(hd_team_books *books, uint32_t comm)
{
    bool      is_new;
    uint64_t *first = hd_map_add(&books->first_instances, comm, &is_new);

    if (is_new)
        *first = new_instance(books);
    return (uint32_t)*first;
}

static void
begin_team(hd_team_walk *w)
{
    hd_team_books *books = w->books;
    uint32_t       number;

    if (w->last == NULL || w->last_comm != w->op.comm) {
        bool is_new;

        w->last      = hd_map_add(&w->begun, w->op.comm, &is_new);
        w->last_comm = w->op.comm;
        if (is_new)
            *w->last = HD_NONE;
    }
    if (*w->last == HD_NONE)
        number = first_instance(books, w->op.comm);
    else if ((number = books->instances[*w->last].next) == HD_NONE)
        books->instances[*w->last].next = number = new_instance(books);
    *w->last = number;
    HD_PUSH(w->teams, w->n_teams, w->capacity_teams, ((struct hd_membership){ number, HD_NONE }));
    if (w->op.owner)
        HD_PUSH(w->forked, w->n_forked, w->capacity_forked, number);
}

/* The next barrier of the innermost team. */
static void
reach_barrier(hd_team_walk *w)
{
    hd_team_books        *books = w->books;
    struct hd_membership *team  = &w->teams[w->n_teams - 1];
    uint32_t              number =
        team->barrier != HD_NONE ? books->barriers[team->barrier].next : books->instances[team->instance].first_barrier;

    if (number == HD_NONE) {
        number = (uint32_t)books->n_barriers;
        HD_SCRATCH_PUSH(books->process->scratch, books->barriers, books->n_barriers, books->capacity_barriers,
                        ((hd_team_barrier){ .next = HD_NONE }));
        if (team->barrier != HD_NONE)
            books->barriers[team->barrier].next = number;
        else
            books->instances[team->instance].first_barrier = number;
    }
    w->barrier = team->barrier = number;
}

static hd_team_instance *
instance_of(const hd_team_walk *w)
{
    return &w->books->instances[w->teams[w->n_teams - 1].instance];
}

static hd_team_barrier *
barrier_of(const hd_team_walk *w)
{
    return &w->books->barriers[w->barrier];
}

static void
survey_barrier(const hd_team_walk *w)
{
    hd_team_barrier *shared = barrier_of(w);

    shared->has_tasks |= hd_thread_op_suspended(&w->op, w->op.leave) > 0;
    if (shared->n_threads++ == 0 || w->op.enter > shared->latest) {
        shared->latest = w->op.enter;
        shared->thread = w->thread;
    }
}

void
hd_team_survey(hd_team_walk *w)
{
    hd_team_instance *team;

    if (w->op.kind == HD_THREAD_JOIN && w->n_forked > 0)
        w->books->instances[w->forked[w->n_forked - 1]].join = w->op.time;
    if (w->n_teams == 0)
        return;
    team = instance_of(w);
    if (w->op.kind == HD_THREAD_BARRIER)
        survey_barrier(w);
    else if (w->op.kind == HD_THREAD_PARALLEL)
        team->first_enter = hd_time_min(team->first_enter, w->op.enter);
    else if (w->op.kind == HD_THREAD_TEAM) {
        team->n_threads++;
        if (!w->op.owner)
            return;
        team->fork  = w->op.time;
        team->owner = w->thread;
    }
}

static void
add_point(hd_team_books *books, hd_team_point point)
{
    books->sink->point(books->sink->context, &point);
}

static void
add_move(hd_team_books *books, hd_time_move move)
{
    books->sink->move(books->sink->context, &move);
}

static hd_span
wait_at(const hd_team_walk *w, const hd_team_barrier *shared)
{
    hd_time until = hd_time_min(shared->latest, w->op.leave);

    return w->op.is_cut ? 0 : hd_span_between(w->op.enter, until) - w->op.task_time -
           hd_thread_op_suspended(&w->op, until);
}

/*   thread 0   ──[ barrier··|task|·· ]──       waiting = from the own to the latest enter, without the tasks that it
 *                                              ran meanwhile
 *   thread 1   ─────────────────[barrier]──     docs/metrics.md#openmp-barriers
 *                |<-------->|    |>|
 * With --compat=scout26 the time of the tasks that it completed there is taken off instead, whenever they ran. Where
 * records are missing the latest enter can be that of another barrier, after this one was left. */
static void
book_barrier(hd_team_walk *w)
{
    const hd_team_barrier *shared = barrier_of(w);
    hd_metric      metric = w->op.is_explicit ? HD_METRIC_omp_ebarrier_wait : HD_METRIC_omp_ibarrier_wait;
    hd_time        place  = hd_thread_op_last_inside(&w->op), until = hd_time_min(shared->latest, w->op.leave);
    hd_span        wait   = wait_at(w, shared);

    if (wait > 0)
        hd_severity_add(w->books->severities[w->thread], metric, w->op.call_path, wait);
    if (wait > 0 && w->books->series != NULL && wait == hd_span_between(w->op.enter, until))
        hd_wait_series_add(w->books->series,
                           (hd_series_wait){ metric, w->thread, w->op.call_path, w->op.enter, wait });
    else if (wait > 0 && w->books->series != NULL)
        hd_wait_series_add_whole(w->books->series,
                                 (hd_series_wait){ metric, w->thread, w->op.call_path, w->op.enter, wait });
    if (w->books->sink != NULL)
        add_point(w->books, (hd_team_point){ .kind = HD_TEAM_BARRIER, .thread = w->thread, .call_path = w->op.call_path,
                                             .enter = place, .after_enter = hd_span_between(w->op.enter, place),
                                             .wait = wait > 0 ? wait : 0, .pruned =
                                                 hd_span_between(w->op.enter, w->op.leave),
                                             .instance = w->teams[w->n_teams - 1].instance,
                                             .number = w->barrier,
                                             .delayer = shared->thread,
                                             .n_threads = shared->n_threads, .has_tasks = shared->has_tasks });
    if (w->books->sink != NULL && hd_thread_op_suspended(&w->op, w->op.leave) > 0)
        add_point(w->books, (hd_team_point){ .kind = HD_TEAM_LEAVE, .thread = w->thread, .enter = w->op.leave });
}

/* Threads without work are idle until the fork of a team that is not inside of another one. */
static void
add_parallel_point(hd_team_walk *w, const hd_team_instance *team, hd_span fork)
{
    uint32_t number = w->teams[w->n_teams - 1].instance;
    hd_time  enter  = w->op.enter - (hd_time)fork;
    hd_span  after_first = hd_span_between(team->first_enter, w->op.enter);

    add_point(w->books, (hd_team_point){ .kind = HD_TEAM_PARALLEL, .thread = w->thread, .call_path = w->op.call_path,
                                         .enter = enter,
                                         .count = (uint32_t)w->n_teams,
                                         .pruned = fork > after_first ? fork - after_first : 0,
                                         .instance = number, .number = number, .delayer = team->owner,
                                         .n_threads = team->n_threads });
    if (team->owner == w->thread && w->n_teams == 1 && w->books->n_threads > 0 && team->n_threads > 1)
        add_point(w->books, (hd_team_point){ .kind = HD_TEAM_IDLE, .thread = w->thread, .enter = enter,
                                             .count = team->n_threads - 1, .instance = number });
}

/* On the side of the interval that the time is on, it belongs to the parallel region. */
static void
book_moves(hd_team_walk *w)
{
    const hd_analysis_intervals *intervals = w->books->process->analysis_intervals;
    const hd_team_moves         *moves     = &w->moves;
    uint32_t                     bits      = hd_analysis_intervals_bits(intervals);
    hd_severities               *out;

    if (moves->all == 0)
        return;
    out = w->books->severities[w->thread];
    if (moves->fork > 0)
        hd_severity_add(out, HD_METRIC_omp_fork, moves->call_path, moves->fork);
    hd_severity_add(out, HD_METRIC_omp_management, moves->call_path, moves->all);
    for (uint32_t side = 0; side < hd_analysis_intervals_n_sides(intervals); side++) {
        hd_span span = moves->sides.on[side];

        if (span == 0)
            continue;
        hd_severity_add(out, HD_METRIC_time, (moves->call_path & ~bits) | hd_side_bits[side], span);
        if (moves->above != HD_NONE)
            hd_severity_add(out, HD_METRIC_time, (moves->above & ~bits) | hd_side_bits[side], -span);
    }
}

static void
add_to_moves(hd_team_moves *moves, const hd_analysis_intervals *intervals, hd_time begin, hd_time end)
{
    hd_side_spans spans;

    moves->all += hd_span_between(begin, end);
    if (intervals == NULL) {
        moves->sides.on[HD_SIDE_INSIDE] += hd_span_between(begin, end);
        return;
    }
    spans = hd_analysis_intervals_split(intervals, begin, end);
    for (uint32_t side = 0; side < HD_N_SIDES; side++)
        moves->sides.on[side] += spans.on[side];
}

/* Of no call path here (hd_team_tell_moves()); streams of devices are no threads. */
static void
add_management(hd_team_walk *w, hd_time from, hd_span span)
{
    if (span > 0)
        hd_wait_series_add(w->books->series, (hd_series_wait){ HD_METRIC_omp_time, HD_NONE, 0, from, span });
}

/* Of a parallel region. */
static void
find_moves(const hd_team_walk *w, hd_span *fork, hd_span *join)
{
    const hd_team_instance *team = instance_of(w);

    *fork = *join = 0;
    if (team->fork != HD_TIME_NONE && w->op.enter > team->fork)
        *fork = hd_span_between(team->fork, w->op.enter);
    if (team->join != HD_TIME_NONE && team->join > w->op.leave)
        *join = hd_span_between(w->op.leave, team->join);
}

static void
tell_moves(const hd_team_walk *w, hd_span fork, hd_span join)
{
    if (fork > 0)
        add_move(w->books, (hd_time_move){ w->thread, w->op.call_path, w->op.enter - (hd_time)fork, w->op.enter });
    if (join > 0)
        add_move(w->books, (hd_time_move){ w->thread, w->op.call_path, w->op.leave, w->op.leave + (hd_time)join });
}

/*   thread 0   ──fork··[ parallel region ]···join──      fork = enter - fork, management = that and join - leave
 *   thread 1          ···[ parallel region ]··           docs/metrics.md#thread-management
 * On the thread that forked, this time was counted for the call path of the fork so far, if it was in one. */
static void
book_parallel(hd_team_walk *w)
{
    const hd_team_instance      *team      = instance_of(w);
    const hd_analysis_intervals *intervals = w->books->process->analysis_intervals;
    uint32_t                     above     = w->books->process->locations[w->thread].nodes[w->op.call_path].parent;
    hd_span                      fork, join;

    find_moves(w, &fork, &join);
    if (w->books->series != NULL) {
        add_management(w, w->op.enter - (hd_time)fork, fork);
        add_management(w, w->op.leave, join);
    }
    if (intervals != NULL)
        w->op.call_path |= hd_analysis_intervals_bits_of_call(intervals, w->op.enter - (hd_time)fork,
                                                              w->op.leave + (hd_time)join);
    if (w->books->sink != NULL) {
        add_parallel_point(w, team, fork);
        tell_moves(w, fork, join);
    }
    if (team->owner != w->thread || !w->op.is_inside)
        above = HD_NONE;
    if (HD_UNLIKELY(w->moves.call_path != w->op.call_path || w->moves.above != above)) {
        book_moves(w);
        w->moves = (hd_team_moves){ .call_path = w->op.call_path, .above = above };
    }
    w->moves.fork += fork;
    add_to_moves(&w->moves, intervals, w->op.enter - (hd_time)fork, w->op.enter);
    add_to_moves(&w->moves, intervals, w->op.leave, w->op.leave + (hd_time)join);
}

void
hd_team_book(hd_team_walk *w)
{
    if (w->op.kind == HD_THREAD_JOIN && w->books->sink != NULL && w->n_forked > 0)
        add_point(w->books, (hd_team_point){ .kind = HD_TEAM_JOIN, .thread = w->thread, .enter = w->op.time,
                                             .instance = w->forked[w->n_forked - 1] });
    if (w->n_teams == 0)
        return;
    if (w->op.kind == HD_THREAD_BARRIER)
        book_barrier(w);
    else if (w->op.kind == HD_THREAD_PARALLEL)
        book_parallel(w);
}

void
hd_team_tell_moves(hd_team_walk *w)
{
    hd_span fork, join;

    if (w->n_teams == 0 || w->op.kind != HD_THREAD_PARALLEL)
        return;
    find_moves(w, &fork, &join);
    tell_moves(w, fork, join);
}

void
hd_team_each_op(hd_team_books *books, void (*visit)(hd_team_walk *walk, void *context), void *context)
{
    for (uint32_t t = 0; t < books->process->n_locations; t++) {
        hd_team_walk w = { .books = books, .thread = t };

        hd_thread_cursor_init(&w.cursor, &books->process->locations[t].more->threads);
        while (hd_thread_cursor_next(&w.cursor, &w.op)) {
            if (w.op.kind == HD_THREAD_TEAM)
                begin_team(&w);
            else if (w.op.kind == HD_THREAD_BARRIER && w.n_teams > 0)
                reach_barrier(&w);
            visit(&w, context);
            if (w.op.kind == HD_THREAD_TEAM_END && w.n_teams > 0)
                w.n_teams--;
            else if (w.op.kind == HD_THREAD_JOIN && w.n_forked > 0)
                w.n_forked--;
        }
        book_moves(&w);
        free(w.teams);
        free(w.forked);
        hd_map_fini(&w.begun);
    }
}

/* A barrier is one instance of all its threads; explicit or not is what it is to the one that waited longest. */
static void
add_to_barrier(hd_team_walk *w, void *context)
{
    hd_team_books         *books = w->books;
    const hd_team_barrier *shared;
    hd_instance           *all, part;
    hd_span                wait;

    (void)context;
    if (w->op.kind != HD_THREAD_BARRIER || w->n_teams == 0)
        return;
    shared = barrier_of(w);
    wait   = wait_at(w, shared);
    if (w->barrier < books->parts.first || w->barrier >= books->parts.last || wait <= 0)
        return;
    if (books->process->analysis_intervals != NULL && !books->process->analysis_intervals->is_main_window &&
        (w->op.call_path & HD_OUTSIDE) != 0)
        return;
    all  = &books->parts.instances[w->barrier - books->parts.first];
    part = (hd_instance){ .metric = w->op.is_explicit ? HD_METRIC_omp_ebarrier_wait : HD_METRIC_omp_ibarrier_wait,
                          .n_waiters = 1,
                          .waiting = wait, .enter = w->op.enter, .leave = w->op.leave, .peer_thread = shared->thread,
                          .waiters[0] = { .thread = w->thread, .call_path = w->op.call_path, .from = w->op.enter,
                                          .wait = wait } };
    hd_instance_add_part(all, &part);
    if (all->waiters[0].thread == w->thread)
        all->metric = part.metric;
}

/* Instances are larger than barriers, so there are some at a time: all threads are gone through once more for each such
 * part. */
enum { MAX_PARTS = 16, MIN_BARRIERS = 65536 };

static void
note_barriers(hd_team_books *books)
{
    uint64_t n_barriers = books->n_barriers, n_part = n_barriers / MAX_PARTS + 1;

    n_part                 = n_part < MIN_BARRIERS ? MIN_BARRIERS : n_part;
    n_part                 = n_part < n_barriers ? n_part : n_barriers;
    books->parts.instances = hd_scratch_alloc(books->process->scratch, n_part, sizeof *books->parts.instances);
    for (uint64_t first = 0; first < n_barriers; first += n_part) {
        books->parts.first = first;
        books->parts.last  = n_barriers - first < n_part ? n_barriers : first + n_part;
        for (uint64_t i = 0; i < n_part; i++)
            books->parts.instances[i].n_waiters = 0;
        hd_team_each_op(books, add_to_barrier, NULL);
        for (uint64_t i = 0; i < books->parts.last - first; i++)
            if (books->parts.instances[i].n_waiters > 0)
                books->waits->wait(books->waits->context, &books->parts.instances[i]);
    }
    hd_scratch_free(books->process->scratch, books->parts.instances);
}

/* After the last join all other threads of the process are idle. */
static void
add_end(hd_team_books *books)
{
    add_point(books, (hd_team_point){ .kind = HD_TEAM_IDLE, .thread = 0, .enter = HD_TIME_NONE - 1,
                                      .count = books->n_threads - 1 });
}

void
hd_team_end(hd_team_books *books)
{
    if (books->waits != NULL && books->n_barriers > 0)
        note_barriers(books);
    if (books->sink != NULL && books->n_instances > 0 && books->n_threads > 1)
        add_end(books);
    hd_map_fini(&books->first_instances);
    hd_scratch_free(books->process->scratch, books->instances);
    hd_scratch_free(books->process->scratch, books->barriers);
}
