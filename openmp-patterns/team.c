/* openmp-patterns/team.c: teams, in several passes over the thread logs of a process: numbers of instances and
 * barriers, the last thread at each barrier, then the waiting times. Passes keep less in memory than a table of all
 * threads at all barriers. */
#include "team.h"

#include "map.h"

/* An instance of a team: the k-th time that it begins. Its barriers are numbered in the order in which a thread left
 * them. */
typedef struct instance {
    hd_time  fork, join;    /* of the forking thread; HD_TIME_NONE: not recorded */
    uint64_t first_barrier; /* in books.barriers */
    uint32_t n_barriers;    /* the most that one thread took part in */
    uint32_t owner;         /* thread that forked it, HD_NONE: not recorded */
    uint32_t n_threads;     /* that began it */
    hd_time  first_enter;   /* of its parallel region */
} instance;

typedef struct barrier {
    hd_time  latest;    /* enter */
    bool     has_tasks; /* a thread ran tasks in it */
    uint32_t thread;    /* whose that was, the lowest among equals */
    uint32_t n_threads; /* that took part */
} barrier;

#define HD_TIME_NONE UINT64_MAX

typedef struct team_books {
    const hd_loaded_process *process;
    hd_severities *const    *severities;
    hd_wait_series          *series;         /* NULL: none is wanted */
    hd_map                   first_instance; /* communicator -> number of its first instance */
    instance                *instances;      /* [n_instances] */
    uint64_t                 n_instances;
    barrier                 *barriers; /* [barriers of all instances] */
    const hd_team_sink      *sink;     /* NULL: points are not wanted */
    struct {                            /* wait-state instances of the barriers first to last - 1 */
        hd_instance *instances;         /* [last - first] */
        uint64_t     first, last;
    }                        waits;
    uint32_t                 n_threads; /* 0: there are no idle threads */
} team_books;

/* A thread on its way through its log: the teams it is in, innermost last. */
typedef struct walk {
    team_books      *books;
    uint32_t         thread;
    hd_thread_cursor cursor;
    hd_thread_op     op;
    hd_map           begun; /* communicator -> instances begun so far */
    struct membership {
        uint64_t instance;
        uint32_t n_barriers;
    }       *teams; /* [n_teams] */
    size_t   n_teams, capacity_teams;
    uint64_t *forked; /* [n_forked] own instances that are not joined yet */
    size_t   n_forked, capacity_forked;
} walk;

static void
each_op(team_books *books, void (*visit)(walk *walk))
{
    for (uint32_t t = 0; t < books->process->n_locations; t++) {
        walk w = { .books = books, .thread = t };

        hd_thread_cursor_init(&w.cursor, &books->process->locations[t].threads);
        while (hd_thread_cursor_next(&w.cursor, &w.op)) {
            const uint64_t *first = books->n_instances > 0 && w.op.kind == HD_THREAD_TEAM
                                        ? hd_map_get(&books->first_instance, w.op.comm) : NULL;

            if (first != NULL) {
                bool      is_new;
                uint64_t *n = hd_map_add(&w.begun, w.op.comm, &is_new);

                HD_PUSH(w.teams, w.n_teams, w.capacity_teams, ((struct membership){ .instance = *first + (*n)++ }));
                if (w.op.owner)
                    HD_PUSH(w.forked, w.n_forked, w.capacity_forked, w.teams[w.n_teams - 1].instance);
            }
            visit(&w);
            if (w.op.kind == HD_THREAD_TEAM_END && w.n_teams > 0)
                w.n_teams--;
            else if (w.op.kind == HD_THREAD_JOIN && w.n_forked > 0)
                w.n_forked--;
            else if (w.op.kind == HD_THREAD_BARRIER && w.n_teams > 0)
                w.teams[w.n_teams - 1].n_barriers++;
        }
        free(w.teams);
        free(w.forked);
        hd_map_fini(&w.begun);
    }
}

/* How often each team begins: the most that a location saw, so that a location that ends early does no harm. */
static void
count_instances(team_books *books)
{
    for (uint32_t t = 0; t < books->process->n_locations; t++) {
        const hd_thread_log *log = &books->process->locations[t].threads;
        hd_thread_cursor     cursor;
        hd_thread_op         op;
        hd_map               begun = { 0 };
        bool                 is_new;

        if (!hd_thread_log_has(log, HD_THREAD_TEAM))
            continue;
        hd_thread_cursor_init(&cursor, log);
        while (hd_thread_cursor_next(&cursor, &op))
            if (op.kind == HD_THREAD_TEAM)
                (*hd_map_add(&begun, op.comm, &is_new))++;
        for (uint32_t i = 0; begun.slots != NULL && i <= begun.mask; i++)
            if (begun.slots[i].key != HD_MAP_FREE) {
                uint64_t *most = hd_map_add(&books->first_instance, begun.slots[i].key, &is_new);

                *most = begun.slots[i].value > *most ? begun.slots[i].value : *most;
            }
        hd_map_fini(&begun);
    }
    for (uint32_t i = 0; books->first_instance.slots != NULL && i <= books->first_instance.mask; i++)
        if (books->first_instance.slots[i].key != HD_MAP_FREE) {
            uint64_t n = books->first_instance.slots[i].value;

            books->first_instance.slots[i].value = books->n_instances;
            books->n_instances += n;
        }
    books->instances = hd_scratch_realloc(books->process->scratch, NULL, books->n_instances, sizeof *books->instances);
    for (uint64_t i = 0; i < books->n_instances; i++)
        books->instances[i] = (instance){ .fork = HD_TIME_NONE, .join = HD_TIME_NONE, .owner = HD_NONE,
                                          .first_enter = HD_TIME_NONE };
}

/* First time through: who forked what when, and how many barriers there are. */
static void
survey(walk *w)
{
    instance *team;

    switch (w->op.kind) {
    case HD_THREAD_TEAM:
        team = &w->books->instances[w->teams[w->n_teams - 1].instance];
        team->n_threads++;
        if (!w->op.owner)
            return;
        team->fork  = w->op.time;
        team->owner = w->thread;
        return;
    case HD_THREAD_PARALLEL:
        if (w->n_teams == 0)
            return;
        team              = &w->books->instances[w->teams[w->n_teams - 1].instance];
        team->first_enter = hd_time_min(team->first_enter, w->op.enter);
        return;
    case HD_THREAD_JOIN:
        if (w->n_forked > 0)
            w->books->instances[w->forked[w->n_forked - 1]].join = w->op.time;
        return;
    case HD_THREAD_BARRIER:
        if (w->n_teams == 0)
            return;
        team = &w->books->instances[w->teams[w->n_teams - 1].instance];
        if (team->n_barriers <= w->teams[w->n_teams - 1].n_barriers)
            team->n_barriers = w->teams[w->n_teams - 1].n_barriers + 1;
        return;
    default:
        return;
    }
}

static barrier *
barrier_of(walk *w)
{
    const struct membership *team = &w->teams[w->n_teams - 1];

    return &w->books->barriers[w->books->instances[team->instance].first_barrier + team->n_barriers];
}

/* Second time: when the last thread came to each barrier. */
static void
find_latest(walk *w)
{
    barrier *shared;

    if (w->op.kind != HD_THREAD_BARRIER || w->n_teams == 0)
        return;
    shared = barrier_of(w);
    shared->has_tasks |= hd_thread_op_suspended(&w->op, w->op.leave) > 0;
    if (shared->n_threads++ == 0 || w->op.enter > shared->latest) {
        shared->latest = w->op.enter;
        shared->thread = w->thread;
    }
}

static void
add_point(team_books *books, hd_team_point point)
{
    books->sink->point(books->sink->context, &point);
}

static void
add_move(team_books *books, hd_time_move move)
{
    books->sink->move(books->sink->context, &move);
}

static hd_span
wait_at(const walk *w, const barrier *shared)
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
book_barrier(walk *w)
{
    const barrier *shared   = barrier_of(w);
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
                                             .instance = (uint32_t)w->teams[w->n_teams - 1].instance,
                                             .number = (uint32_t)(shared - w->books->barriers),
                                             .delayer = shared->thread,
                                             .n_threads = shared->n_threads, .has_tasks = shared->has_tasks });
    if (w->books->sink != NULL && hd_thread_op_suspended(&w->op, w->op.leave) > 0)
        add_point(w->books, (hd_team_point){ .kind = HD_TEAM_LEAVE, .thread = w->thread, .enter = w->op.leave });
}

/* Threads without work are idle until the fork of a team that is not inside of another one. */
static void
add_parallel_point(walk *w, const instance *team, hd_span fork, hd_span join)
{
    uint32_t number = (uint32_t)w->teams[w->n_teams - 1].instance;
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
    if (fork > 0)
        add_move(w->books, (hd_time_move){ w->thread, w->op.call_path, enter, w->op.enter });
    if (join > 0)
        add_move(w->books, (hd_time_move){ w->thread, w->op.call_path, w->op.leave, w->op.leave + (hd_time)join });
}

/* On the side of the interval that the span is on, it belongs to the parallel region; above: the call path that it was
 * counted for so far, HD_NONE: none. */
static void
move_time(hd_severities *out, uint32_t call_path, uint32_t above, hd_span span)
{
    if (span == 0)
        return;
    hd_severity_add(out, HD_METRIC_time, call_path, span);
    if (above != HD_NONE)
        hd_severity_add(out, HD_METRIC_time, above, -span);
}

static void
move_times(hd_severities *out, const hd_analysis_intervals *intervals, uint32_t call_path, uint32_t above,
           hd_time begin, hd_time end)
{
    uint32_t      bits = hd_analysis_intervals_bits(intervals);
    hd_side_spans spans;

    if (intervals == NULL) {
        move_time(out, call_path, above, hd_span_between(begin, end));
        return;
    }
    spans = hd_analysis_intervals_split(intervals, begin, end);
    for (uint32_t side = 0; side < hd_analysis_intervals_n_sides(intervals); side++)
        move_time(out, (call_path & ~bits) | hd_side_bits[side],
                  above != HD_NONE ? (above & ~bits) | hd_side_bits[side] : HD_NONE, spans.on[side]);
}

/*   thread 0   ──fork··[ parallel region ]···join──      fork = enter - fork, management = that and join - leave
 *   thread 1          ···[ parallel region ]··           docs/metrics.md#thread-management
 * On the thread that forked, this time was counted for the call path of the fork so far, if it was in one. */
static void
book_parallel(walk *w)
{
    const instance  *team   = &w->books->instances[w->teams[w->n_teams - 1].instance];
    const hd_analysis_intervals *intervals = w->books->process->analysis_intervals;
    hd_severities   *out    = w->books->severities[w->thread];
    uint32_t         above  = w->books->process->locations[w->thread].nodes[w->op.call_path].parent;
    hd_span          fork = 0, join = 0;

    if (team->fork != HD_TIME_NONE && w->op.enter > team->fork)
        fork = hd_span_between(team->fork, w->op.enter);
    if (team->join != HD_TIME_NONE && team->join > w->op.leave)
        join = hd_span_between(w->op.leave, team->join);
    if (intervals != NULL)
        w->op.call_path |= hd_analysis_intervals_bits_of_call(intervals, w->op.enter - (hd_time)fork,
                                                              w->op.leave + (hd_time)join);
    if (w->books->sink != NULL)
        add_parallel_point(w, team, fork, join);
    if (fork + join == 0)
        return;
    if (fork > 0)
        hd_severity_add(out, HD_METRIC_omp_fork, w->op.call_path, fork);
    hd_severity_add(out, HD_METRIC_omp_management, w->op.call_path, fork + join);
    if (team->owner != w->thread || !w->op.is_inside)
        above = HD_NONE;
    move_times(out, intervals, w->op.call_path, above, w->op.enter - (hd_time)fork, w->op.enter);
    move_times(out, intervals, w->op.call_path, above, w->op.leave, w->op.leave + (hd_time)join);
}

static void
book_op(walk *w)
{
    if (w->op.kind == HD_THREAD_JOIN && w->books->sink != NULL && w->n_forked > 0)
        add_point(w->books, (hd_team_point){ .kind = HD_TEAM_JOIN, .thread = w->thread, .enter = w->op.time,
                                             .instance = (uint32_t)w->forked[w->n_forked - 1] });
    if (w->n_teams == 0)
        return;
    if (w->op.kind == HD_THREAD_BARRIER)
        book_barrier(w);
    else if (w->op.kind == HD_THREAD_PARALLEL)
        book_parallel(w);
}

/* A barrier is one instance of all its threads; explicit or not is what it is to the one that waited longest. */
static void
add_to_barrier(walk *w)
{
    team_books    *books = w->books;
    const barrier *shared;
    hd_instance   *all, part;
    hd_span        wait;

    if (w->op.kind != HD_THREAD_BARRIER || w->n_teams == 0)
        return;
    shared  = barrier_of(w);
    wait = wait_at(w, shared);
    if ((uint64_t)(shared - books->barriers) < books->waits.first ||
        (uint64_t)(shared - books->barriers) >= books->waits.last || wait <= 0)
        return;
    if (books->process->analysis_intervals != NULL && !books->process->analysis_intervals->is_main_window &&
        (w->op.call_path & HD_OUTSIDE) != 0)
        return;
    all  = &books->waits.instances[(uint64_t)(shared - books->barriers) - books->waits.first];
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
note_barriers(team_books *books, uint64_t n_barriers, const hd_wait_sink *sink)
{
    uint64_t n_part = n_barriers / MAX_PARTS + 1;

    n_part                 = n_part < MIN_BARRIERS ? MIN_BARRIERS : n_part;
    n_part                 = n_part < n_barriers ? n_part : n_barriers;
    books->waits.instances = hd_scratch_alloc(books->process->scratch, n_part, sizeof *books->waits.instances);
    for (uint64_t first = 0; first < n_barriers; first += n_part) {
        books->waits.first = first;
        books->waits.last  = n_barriers - first < n_part ? n_barriers : first + n_part;
        for (uint64_t i = 0; i < n_part; i++)
            books->waits.instances[i].n_waiters = 0;
        each_op(books, add_to_barrier);
        for (uint64_t i = 0; i < books->waits.last - first; i++)
            if (books->waits.instances[i].n_waiters > 0)
                sink->wait(sink->context, &books->waits.instances[i]);
    }
    hd_scratch_free(books->process->scratch, books->waits.instances);
}

/* After the last join all other threads of the process are idle. */
static void
add_end(team_books *books)
{
    add_point(books, (hd_team_point){ .kind = HD_TEAM_IDLE, .thread = 0, .enter = HD_TIME_NONE - 1,
                                      .count = books->n_threads - 1 });
}

void
hd_team_book(const hd_loaded_process *process, hd_severities *const *severities, uint32_t n_threads,
             hd_wait_series *series, const hd_team_sink *sink, const hd_wait_sink *waits)
{
    team_books books    = { .process = process, .severities = severities, .series = series, .sink = sink,
                            .n_threads = n_threads };
    uint64_t n_barriers = 0;

    count_instances(&books);
    if (books.n_instances > 0) {
        each_op(&books, survey);
        for (uint64_t i = 0; i < books.n_instances; i++) {
            books.instances[i].first_barrier = n_barriers;
            n_barriers += books.instances[i].n_barriers;
        }
        books.barriers = hd_scratch_alloc(process->scratch, n_barriers, sizeof *books.barriers);
        each_op(&books, find_latest);
        each_op(&books, book_op);
        if (waits != NULL && n_barriers > 0)
            note_barriers(&books, n_barriers, waits);
        if (sink != NULL && n_threads > 1)
            add_end(&books);
    }
    hd_map_fini(&books.first_instance);
    hd_scratch_free(process->scratch, books.instances);
    hd_scratch_free(process->scratch, books.barriers);
}
