/* replay/time_paths.c: goes through the intervals and the states of each thread, from bound to bound. */
#include "time_paths.h"

#include "interval_log.h"
#include "slice_cuts.h"
#include "state_log.h"

typedef struct spent { /* until when a thread was how long in the states of a kind of time */
    hd_state_cursor piece;
    bool            is_over;
    uint32_t        states; /* of hd_states_over_time */
    uint64_t        sum;    /* of pieces that are over */
} spent;

typedef struct entries {
    hd_severity *rows; /* [n] */
    size_t       n, capacity;
} entries;

typedef struct walk { /* of a thread */
    hd_slice_walk at;          /* the slice that is now, */
    uint64_t    begun;         /* what was spent before it, */
    int64_t    *sums;          /* [n_places] in call paths, in it, by place */
    uint32_t    n_places;      /* the last one: without a call path */
    spent       done;
    int         time;          /* of hd_times_over_time */
    entries    *out;
} walk;

static bool
is_of_kind(const spent *done)
{
    return (done->states >> hd_state_cursor_state(&done->piece) & 1) != 0;
}

/* How long it was until then; times ascend. */
static uint64_t
spent_until(spent *done, hd_time time)
{
    while (!done->is_over && done->piece.until <= time) {
        if (is_of_kind(done))
            done->sum += done->piece.until - done->piece.from;
        done->is_over = !hd_state_cursor_next(&done->piece);
    }
    return done->sum + (!done->is_over && done->piece.from < time && is_of_kind(done) ? time - done->piece.from : 0);
}

static void
put(walk *w, uint32_t place, int64_t ticks)
{
    if (ticks != 0)
        HD_PUSH(w->out->rows, w->out->n, w->out->capacity,
                ((hd_severity){ .call_path = place << HD_SERIES_SLICE_BITS | w->at.slice,
                                .metric = hd_times_over_time[w->time], .value = ticks }));
}

/* The slice is over. */
static void
end_slice(walk *w, uint64_t until)
{
    int64_t rest = (int64_t)(until - w->begun);

    for (uint32_t place = 0; place + 1 < w->n_places; place++) {
        put(w, place, w->sums[place]);
        rest -= w->sums[place];
        w->sums[place] = 0;
    }
    put(w, w->n_places - 1, rest);
    w->begun = until;
}

static void
pass_cut(walk *w, uint64_t until)
{
    end_slice(w, until);
    hd_slice_walk_pass(&w->at);
}

/* Adds what the interval has of the kind to the slice, or takes it back. Returns how long that is. */
static inline __attribute__((always_inline)) uint64_t
add_interval(walk *w, hd_interval_cursor interval, const uint8_t *places, int sign)
{
    uint64_t all = 0;

    while (hd_interval_cursor_has_entry(&interval)) {
        uint32_t node;
        hd_span  span;

        hd_interval_cursor_entry(&interval, &node, &span);
        if (places[node] == HD_NO_PLACE)
            continue;
        w->sums[places[node]] += sign * span;
        all += (uint64_t)span;
    }
    return all;
}

/* The place that all has which the interval has of the kind; HD_NONE: none, or several. */
static uint32_t
only_place(hd_interval_cursor interval, const uint8_t *places)
{
    uint32_t place = HD_NONE;

    while (hd_interval_cursor_has_entry(&interval)) {
        uint32_t node;
        hd_span  span;

        hd_interval_cursor_entry(&interval, &node, &span);
        if (places[node] != HD_NO_PLACE && place != HD_NONE && places[node] != place)
            return HD_NONE;
        if (places[node] != HD_NO_PLACE)
            place = places[node];
    }
    return place;
}

/* The interval may have cuts. before: what was spent before it. Returns what was spent at its end. */
static uint64_t
divide(walk *w, const hd_interval_cursor *interval, const uint8_t *places, uint64_t before)
{
    spent    ahead = w->done;
    uint64_t after = spent_until(&ahead, interval->until), all = add_interval(w, *interval, places, 1), now;
    uint32_t place = after - before == all ? only_place(*interval, places) : HD_NONE;
    bool     is_known = after - before == all;

    add_interval(w, *interval, places, -1);
    for (bool is_last = false; !is_last; before = now) {
        hd_time next = hd_slice_walk_next(&w->at);

        is_last = next >= interval->until;
        now     = is_last ? after : spent_until(&w->done, next);
        if (is_known && now - before == all)
            add_interval(w, *interval, places, 1);
        else if (place != HD_NONE)
            w->sums[place] += (int64_t)(now - before);
        if (!is_last)
            pass_cut(w, now);
    }
    w->done = ahead;
    return after;
}

/* Time that is in an interval log, but of another state, as a fork, or not at that time, as a task, has no call
 * path. */
static void
go_through(walk *w, const hd_loaded_location *location, const uint8_t *places)
{
    hd_interval_cursor interval;
    uint64_t           before = 0;
    hd_time            next;

    hd_interval_cursor_init(&interval, &location->intervals);
    hd_state_cursor_init(&w->done.piece, &location->states);
    w->done.is_over = !hd_state_cursor_next(&w->done.piece);
    for (; hd_slice_walk_next(&w->at) <= interval.until; pass_cut(w, before))
        before = spent_until(&w->done, hd_slice_walk_next(&w->at));
    before = spent_until(&w->done, interval.until);
    next   = hd_slice_walk_next(&w->at);
    while (hd_interval_cursor_next(&interval)) {
        uint64_t after;

        if (HD_UNLIKELY(next <= interval.until)) {
            before = divide(w, &interval, places, before);
            while (hd_slice_walk_next(&w->at) <= interval.until)
                pass_cut(w, before);
            next = hd_slice_walk_next(&w->at);
            continue;
        }
        after = spent_until(&w->done, interval.until);
        if (HD_UNLIKELY(add_interval(w, interval, places, 1) != after - before))
            add_interval(w, interval, places, -1);
        before = after;
    }
    while (!hd_slice_walk_is_over(&w->at))
        pass_cut(w, spent_until(&w->done, hd_slice_walk_next(&w->at)));
    end_slice(w, spent_until(&w->done, UINT64_MAX));
}

/* ---- forks and joins --------------------------------------------------------------------------------------------- */

typedef struct moves { /* of a process */
    const hd_vproc      *vprocs;
    const uint8_t       *places; /* hd_time_paths.places_of_moves */
    const hd_slice_cuts *cuts;
    entries             *out;
} moves;

/* The first cut behind the time. */
static uint32_t
cut_behind(const hd_slice_cuts *cuts, hd_time time)
{
    uint32_t low = 0, high = cuts->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (cuts->rows[middle].at <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
put_move(void *context, const hd_time_move *move)
{
    const moves   *m    = context;
    uint32_t       path = hd_vproc_call_path(&m->vprocs[move->thread], move->call_path);
    walk           w    = { .at = { .cuts = m->cuts, .next = cut_behind(m->cuts, move->from) }, .time = HD_TIME_OMP,
                            .out = m->out };

    w.at.slice = w.at.next > 0 ? m->cuts->rows[w.at.next - 1].slice : 0;
    for (hd_time from = move->from, until; from < move->until; from = until) {
        until = hd_time_min(hd_slice_walk_next(&w.at), move->until);
        put(&w, m->places[path], hd_span_between(from, until));
        if (until < move->until)
            hd_slice_walk_pass(&w.at);
    }
}

typedef struct move_sums {
    const hd_vproc *vprocs; /* of the process */
    uint64_t       *sums;   /* [n_call_paths] ticks */
} move_sums;

static void
add_move(void *context, const hd_time_move *move)
{
    const move_sums *m = context;

    m->sums[hd_vproc_call_path(&m->vprocs[move->thread], move->call_path)] += move->until - move->from;
}

static void
each_move(const hd_replay_request *request, const hd_vproc *vprocs, void *context,
          void (*move)(void *context, const hd_time_move *move))
{
    if (request->patterns != NULL)
        request->patterns->tell_moves(vprocs->process, &(hd_team_sink){ .move = move, .context = context });
}

/* ---- of all processes -------------------------------------------------------------------------------------------- */

typedef struct collecting {
    hd_replay      *replay;
    hd_path_series *of_threads; /* [replay threads] */
    bool            is_iterations;
    int             time;       /* of hd_times_over_time */
} collecting;

static void
add_location(const collecting *c, const hd_vproc *vproc, const hd_slice_cuts *cuts, entries *out)
{
    const hd_loaded_location *location = vproc->location;
    const hd_path_fold       *fold     = &c->replay->request->time_paths->folds[c->time];
    walk     w = { .at = { .cuts = cuts }, .n_places = fold->n, .sums = HD_NEW_ARRAY(int64_t, fold->n),
                   .done.states = hd_states_over_time[c->time], .time = c->time, .out = out };
    uint8_t *places = hd_slice_places(vproc, fold);

    if (hd_defs_locations(c->replay->request->defs)[location->location].type == HD_LOCATION_CPU)
        go_through(&w, location, places);
    free(places);
    free(w.sums);
}

static void
add_process(void *context, hd_worker *worker, const hd_vproc *vprocs, const hd_slice_cuts *cuts)
{
    const collecting        *c       = context;
    const hd_replay_request *request = c->replay->request;
    entries                  out     = { .n = 0 };

    for (uint32_t t = 0; t < vprocs->process->n_locations; t++)
        add_location(c, &vprocs[t], cuts, &out);
    if (c->time == HD_TIME_OMP)
        each_move(request, vprocs, &(moves){ vprocs, request->time_paths->places_of_moves, cuts, &out }, put_move);
    hd_path_series_add(&c->of_threads[hd_worker_thread(worker)], out.rows, out.n, vprocs->process_id,
                       request->defs->n_processes);
    free(out.rows);
}

static void
add_worker(void *context, hd_worker *worker)
{
    const collecting *c = context;

    hd_slice_each_process(c->replay, worker, c->is_iterations, add_process, context);
}

/* Processes of each kind ascend. */
static void
collect(hd_replay *replay, hd_engine *engine, bool is_iterations, uint32_t n_slices, const bool *is_wanted,
        hd_path_series *series)
{
    uint32_t n_threads   = hd_placement_n_threads(replay->request->placement);
    uint32_t n_processes = replay->defs->n_processes;

    hd_path_series_init(series, n_slices);
    for (int time = 0; time < HD_N_TIMES_OVER_TIME; time++) {
        collecting c = { replay, HD_NEW_ARRAY(hd_path_series, n_threads), is_iterations, time };

        for (uint32_t t = 0; t < n_threads && is_wanted[time]; t++)
            hd_path_series_init(&c.of_threads[t], n_slices);
        if (is_wanted[time])
            hd_engine_each_worker(engine, add_worker, &c);
        for (uint32_t t = 0; t < n_threads && is_wanted[time]; t++)
            hd_path_series_join(series, &c.of_threads[t], n_processes);
        free(c.of_threads);
    }
}

/* ---- which are wanted -------------------------------------------------------------------------------------------- */

/* sums: [HD_N_TIMES_OVER_TIME][n iterations] ticks of all processes of the rank */
static void
add_up_iterations(const hd_replay *replay, uint32_t n, uint64_t *sums)
{
    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        hd_wait_series_flush(&replay->series[i]);
    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        for (int time = 0; time < HD_N_TIMES_OVER_TIME; time++) {
            const hd_time_sums *of    = replay->series[i].sums;
            const uint64_t     *times = of != NULL ? of->iterations[time] : NULL;

            for (uint32_t k = 0; times != NULL && k < n; k++)
                sums[(size_t)time * n + k] += times[k + 1];
        }
}

/* Of all iterations, or without the first and the last one, as the summary says it. The same on all ranks. */
static void
find_drift(const hd_replay *replay, const hd_iterations *iterations, bool *has_drift)
{
    uint64_t *sums;
    uint32_t  n;

    if (iterations == NULL || iterations->n < HD_VERDICT_LEAST)
        return;
    n    = iterations->n;
    sums = HD_NEW_ARRAY(uint64_t, (size_t)HD_N_TIMES_OVER_TIME * n);
    add_up_iterations(replay, n, sums);
    hd_analysis_comm_reduce(replay->request->analysis_comm, sums, (size_t)HD_N_TIMES_OVER_TIME * n, HD_SUM);
    for (int time = 0; time < HD_N_TIMES_OVER_TIME; time++) {
        const uint64_t *of = &sums[(size_t)time * n];

        has_drift[time] = hd_verdict_has_drift(of, n) || hd_verdict_has_drift(&of[1], n - 2);
    }
    free(sums);
}

typedef struct adding { /* forks and joins */
    hd_replay *replay;
    uint64_t **of_threads; /* [replay threads][n_call_paths] */
} adding;

static void
add_moves(void *context, hd_worker *worker)
{
    const adding    *a      = context;
    hd_replay       *replay = a->replay;
    const hd_vproc  *vprocs;

    for (uint32_t i = hd_each_process(replay, worker, 0); i < replay->n_vprocs;
         i = hd_each_process(replay, worker, i + vprocs->process->n_locations)) {
        vprocs = &replay->vprocs[i];
        each_move(replay->request, vprocs, &(move_sums){ vprocs, a->of_threads[hd_worker_thread(worker)] }, add_move);
    }
}

/* Those of OpenMP: forks and joins have a share in it. */
static void
find_paths_of_openmp(hd_replay *replay, hd_engine *engine)
{
    const hd_replay_request *request   = replay->request;
    uint32_t                 n_threads = hd_placement_n_threads(request->placement), n = request->n_call_paths;
    adding                   a         = { replay, HD_NEW_ARRAY(uint64_t *, n_threads) };

    for (uint32_t t = 0; t < n_threads; t++)
        a.of_threads[t] = HD_NEW_ARRAY(uint64_t, (size_t)n + 1);
    hd_engine_each_worker(engine, add_moves, &a);
    for (uint32_t t = 1; t < n_threads; t++)
        for (uint32_t path = 0; path < n; path++)
            a.of_threads[0][path] += a.of_threads[t][path];
    hd_analysis_comm_reduce(request->analysis_comm, a.of_threads[0], n, HD_SUM);
    hd_time_paths_find(request->time_paths, HD_TIME_OMP, a.of_threads[0]);
    for (uint32_t t = 0; t < n_threads; t++)
        free(a.of_threads[t]);
    free(a.of_threads);
}

void
hd_collect_time_paths(hd_collection *collection, hd_engine *engine)
{
    hd_replay               *replay     = collection->replay;
    hd_replay_result        *result     = collection->result;
    const hd_replay_request *request    = replay->request;
    const hd_iterations     *iterations = request->iterations;
    bool                     is_wanted[HD_N_TIMES_OVER_TIME] = { false };

    if (replay->series == NULL || request->time_paths == NULL)
        return;
    if (request->all_series)
        memset(is_wanted, true, sizeof is_wanted);
    else
        find_drift(replay, iterations, is_wanted);
    if (!is_wanted[HD_TIME_COMP] && !is_wanted[HD_TIME_MPI] && !is_wanted[HD_TIME_OMP])
        return;
    if (is_wanted[HD_TIME_MPI])
        hd_time_paths_find(request->time_paths, HD_TIME_MPI, NULL);
    if (is_wanted[HD_TIME_OMP])
        find_paths_of_openmp(replay, engine);
    collect(replay, engine, false, request->windows.n + 2, is_wanted, &result->time_paths);
    if (iterations != NULL && iterations->n > 0)
        collect(replay, engine, true, hd_slices_of_iterations(iterations), is_wanted, &result->iteration_time_paths);
    result->has_time_paths = true;
}

void
hd_gather_time_paths(hd_collection *collection)
{
    const hd_replay_request *request     = collection->replay->request;
    uint32_t                 n_processes = collection->replay->defs->n_processes;
    hd_replay_result        *result      = collection->result;

    if (!result->has_time_paths)
        return;
    hd_path_series_gather(&result->time_paths, request->analysis_comm, n_processes);
    if (request->iterations != NULL && request->iterations->n > 0)
        hd_path_series_gather(&result->iteration_time_paths, request->analysis_comm, n_processes);
}
