/* replay/time_paths.c: goes through the intervals and the states of each thread, from bound to bound. */
#include "time_paths.h"

#include "interval_log.h"
#include "slice_cuts.h"
#include "state_log.h"

enum { N_TRACKS = 2 };

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

typedef struct track { /* the windows, or the iterations */
    hd_slice_walk at;    /* the slice that is now, */
    uint64_t      begun; /* what was spent before it, */
    int64_t      *sums;  /* [n_places] in call paths, in it, by place */
    entries      *out;
} track;

typedef struct walk { /* of a thread */
    track    tracks[N_TRACKS]; /* [n_tracks] */
    uint32_t n_tracks;
    int64_t *sums;     /* [n_places] in call paths, of what the tracks do not have yet */
    uint32_t n_places; /* the last one: without a call path */
    spent    done;
    int      time;     /* of hd_times_over_time */
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

/* The same, of a time far ahead. */
static uint64_t
spent_far(spent *done, hd_time time)
{
    uint64_t sums[HD_STATE_LONG] = { 0 };

    while (!done->is_over && done->piece.until <= time) {
        sums[hd_state_cursor_state(&done->piece)] += done->piece.until - done->piece.from;
        hd_state_cursor_add(&done->piece, time, sums);
        done->is_over = !hd_state_cursor_next(&done->piece);
    }
    for (uint32_t state = 0; state < HD_N_STATES; state++)
        done->sum += (done->states >> state & 1) != 0 ? sums[state] : 0;
    return spent_until(done, time);
}

static void
put(const track *of, int time, uint32_t place, int64_t ticks)
{
    if (ticks != 0)
        HD_PUSH(of->out->rows, of->out->n, of->out->capacity,
                ((hd_severity){ .call_path = place << HD_SERIES_SLICE_BITS | of->at.slice,
                                .metric = hd_times_over_time[time], .value = ticks }));
}

/* The slice is over. until: what was spent until then */
static void
end_slice(const walk *w, track *of, uint64_t until)
{
    int64_t rest = (int64_t)(until - of->begun);

    for (uint32_t place = 0; place + 1 < w->n_places; place++) {
        put(of, w->time, place, of->sums[place]);
        rest -= of->sums[place];
        of->sums[place] = 0;
    }
    put(of, w->time, w->n_places - 1, rest);
    of->begun = until;
}

static void
pass_cut(const walk *w, track *of, uint64_t until)
{
    end_slice(w, of, until);
    hd_slice_walk_pass(&of->at);
}

/* When a slice of any track begins next. */
static hd_time
next_cut(const walk *w)
{
    hd_time next = UINT64_MAX;

    for (uint32_t k = 0; k < w->n_tracks; k++)
        next = hd_time_min(next, hd_slice_walk_next(&w->tracks[k].at));
    return next;
}

/* What was added up is of the slices that are now. */
static void
flush(walk *w)
{
    for (uint32_t place = 0; place < w->n_places; place++) {
        for (uint32_t k = 0; k < w->n_tracks; k++)
            w->tracks[k].sums[place] += w->sums[place];
        w->sums[place] = 0;
    }
}

/* Adds what the interval has of the kind, or takes it back. Returns how long that is. */
static inline __attribute__((always_inline)) uint64_t
add_interval(int64_t *sums, hd_interval_cursor interval, const uint8_t *places, int sign)
{
    uint64_t all = 0;

    while (hd_interval_cursor_has_entry(&interval)) {
        uint32_t node;
        hd_span  span;

        hd_interval_cursor_entry(&interval, &node, &span);
        if (places[node] == HD_NO_PLACE)
            continue;
        sums[places[node]] += sign * span;
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

/* The interval may have cuts of the track. done, before: until it begins; after: what was spent until it ends */
static void
divide(const walk *w, track *of, const hd_interval_cursor *interval, const uint8_t *places, uint64_t before,
       uint64_t after)
{
    spent    done     = w->done;
    uint64_t all      = add_interval(of->sums, *interval, places, 1), now;
    bool     is_known = after - before == all;
    uint32_t place    = is_known ? only_place(*interval, places) : HD_NONE;

    add_interval(of->sums, *interval, places, -1);
    for (bool is_last = false; !is_last; before = now) {
        hd_time next = hd_slice_walk_next(&of->at);

        is_last = next >= interval->until;
        now     = is_last ? after : spent_until(&done, next);
        if (is_known && now - before == all)
            add_interval(of->sums, *interval, places, 1);
        else if (place != HD_NONE)
            of->sums[place] += (int64_t)(now - before);
        if (!is_last)
            pass_cut(w, of, now);
    }
    while (hd_slice_walk_next(&of->at) <= interval->until)
        pass_cut(w, of, after);
}

/* No interval lies between where the state log is and then. */
static void
pass_cuts_until(walk *w, hd_time until)
{
    for (uint32_t k = 0; k < w->n_tracks; k++) {
        track *of   = &w->tracks[k];
        spent  done = w->done;

        while (!hd_slice_walk_is_over(&of->at) && hd_slice_walk_next(&of->at) <= until)
            pass_cut(w, of, spent_until(&done, hd_slice_walk_next(&of->at)));
    }
}

/* Flushes intervals up to one that may have cuts. all: what they have of the kind; before, now: what was spent before
 * them, and until they end */
static void
end_intervals(walk *w, uint64_t all, uint64_t before, uint64_t now)
{
    if (now - before != all)
        memset(w->sums, 0, w->n_places * sizeof *w->sums);
    flush(w);
}

/* Time that is in an interval log, but of another state, as a fork, or not at that time, as a task, has no call path:
 * threads have that in some intervals, locations without a log of threads in none. */
static void
go_through(walk *w, const hd_loaded_location *location, const uint8_t *places)
{
    bool               is_thread = location->more->threads.bytes.n > 0;
    hd_interval_cursor interval;
    uint64_t           before, all = 0;

    hd_interval_cursor_init(&interval, &location->intervals);
    hd_state_cursor_init(&w->done.piece, &location->states);
    w->done.is_over = !hd_state_cursor_next(&w->done.piece);
    pass_cuts_until(w, interval.until);
    before = spent_until(&w->done, interval.until);
    for (hd_time next = next_cut(w); hd_interval_cursor_next(&interval);) {
        uint64_t now, of_interval;

        if (HD_UNLIKELY(next <= interval.until)) {
            spent ahead;

            now = spent_far(&w->done, interval.from);
            end_intervals(w, all, before, now);
            ahead  = w->done;
            before = spent_until(&ahead, interval.until);
            all    = 0;
            for (uint32_t k = 0; k < w->n_tracks; k++)
                divide(w, &w->tracks[k], &interval, places, now, before);
            w->done = ahead;
            next    = next_cut(w);
            continue;
        }
        of_interval = add_interval(w->sums, interval, places, 1);
        if (!is_thread) {
            all += of_interval;
            continue;
        }
        now = spent_until(&w->done, interval.until);
        if (HD_UNLIKELY(of_interval != now - before))
            add_interval(w->sums, interval, places, -1);
        before = now;
    }
    end_intervals(w, all, before, spent_far(&w->done, interval.until));
    pass_cuts_until(w, UINT64_MAX);
    before = spent_until(&w->done, UINT64_MAX);
    for (uint32_t k = 0; k < w->n_tracks; k++)
        end_slice(w, &w->tracks[k], before);
}

/* ---- forks and joins --------------------------------------------------------------------------------------------- */

typedef struct moves { /* of a process */
    const hd_vproc *vprocs;
    const uint8_t  *places; /* hd_time_paths.places_of_moves */
    const track    *tracks; /* [n_tracks] */
    uint32_t        n_tracks;
} moves;

static void
put_move(void *context, const hd_time_move *move)
{
    const moves *m    = context;
    uint32_t     path = hd_vproc_call_path(&m->vprocs[move->thread], move->call_path);

    for (uint32_t k = 0; k < m->n_tracks; k++) {
        track at = { .at = hd_slice_walk_at(m->tracks[k].at.cuts, move->from), .out = m->tracks[k].out };

        for (hd_time from = move->from, until; from < move->until; from = until) {
            until = hd_time_min(hd_slice_walk_next(&at.at), move->until);
            put(&at, HD_TIME_OMP, m->places[path], hd_span_between(from, until));
            if (until < move->until)
                hd_slice_walk_pass(&at.at);
        }
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
    hd_path_series *of_threads[N_TRACKS]; /* [replay threads] of windows, of iterations */
    uint32_t        n_tracks;
    int             time;                 /* of hd_times_over_time */
} collecting;

/* tracks: where they begin, with what they give to */
static void
add_location(const collecting *c, const hd_vproc *vproc, const track *tracks)
{
    const hd_loaded_location *location = vproc->location;
    const hd_path_fold       *fold     = c->replay->request->time_paths->folds[c->time];
    walk     w = { .n_tracks = c->n_tracks, .sums = HD_NEW_ARRAY(int64_t, (size_t)fold->n * (1 + N_TRACKS)),
                   .n_places = fold->n, .done.states = hd_states_over_time[c->time], .time = c->time };
    uint8_t *places;

    if (hd_defs_locations(c->replay->request->defs)[location->location].type == HD_LOCATION_CPU) {
        places = hd_slice_places(vproc, fold);
        for (uint32_t k = 0; k < c->n_tracks; k++) {
            w.tracks[k]      = tracks[k];
            w.tracks[k].sums = &w.sums[(size_t)fold->n * (1 + k)];
        }
        go_through(&w, location, places);
        free(places);
    }
    free(w.sums);
}

static void
add_process(void *context, hd_worker *worker, hd_vproc *vprocs)
{
    const collecting        *c       = context;
    const hd_replay_request *request = c->replay->request;
    hd_slice_cuts            cuts[N_TRACKS];
    entries                  out[N_TRACKS] = { { .n = 0 } };
    track                    tracks[N_TRACKS];

    for (uint32_t k = 0; k < c->n_tracks; k++) {
        cuts[k]   = hd_slice_cuts_of(request, vprocs, k == 1);
        tracks[k] = (track){ .at.cuts = &cuts[k], .out = &out[k] };
    }
    for (uint32_t t = 0; t < vprocs->process->n_locations; t++)
        add_location(c, &vprocs[t], tracks);
    if (c->time == HD_TIME_OMP)
        each_move(request, vprocs, &(moves){ vprocs, request->time_paths->places_of_moves, tracks, c->n_tracks },
                  put_move);
    for (uint32_t k = 0; k < c->n_tracks; k++) {
        hd_path_series_add(&c->of_threads[k][hd_worker_thread(worker)], out[k].rows, out[k].n, vprocs->process_id,
                           request->defs->n_processes);
        free(out[k].rows);
        free(cuts[k].rows);
    }
}

static void
add_worker(void *context, hd_worker *worker)
{
    hd_each_process(((const collecting *)context)->replay, worker, add_process, context);
}

/* Processes ascend. n_slices, series: [n_tracks] */
static void
collect(hd_replay *replay, hd_engine *engine, int time, uint32_t n_tracks, const uint32_t *n_slices,
        hd_path_series *const *series)
{
    uint32_t   n_threads = hd_placement_n_threads(replay->request->placement);
    collecting c         = { .replay = replay, .n_tracks = n_tracks, .time = time };

    for (uint32_t k = 0; k < n_tracks; k++) {
        c.of_threads[k] = HD_NEW_ARRAY(hd_path_series, n_threads);
        for (uint32_t t = 0; t < n_threads; t++)
            hd_path_series_init(&c.of_threads[k][t], n_slices[k]);
    }
    hd_engine_each_worker(engine, add_worker, &c);
    for (uint32_t k = 0; k < n_tracks; k++) {
        for (uint32_t t = 0; t < n_threads; t++)
            hd_path_series_join(series[k], &c.of_threads[k][t], replay->defs->n_processes);
        free(c.of_threads[k]);
    }
}

/* ---- which are wanted -------------------------------------------------------------------------------------------- */

/* sums: [n iterations] ticks of computation of all processes of the rank */
static void
add_up_iterations(const hd_replay *replay, uint32_t n, uint64_t *sums)
{
    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        const hd_time_sums *of    = replay->series[i].sums;
        const uint64_t     *times = of != NULL ? of->iterations[HD_TIME_COMP] : NULL;

        for (uint32_t k = 0; times != NULL && k < n; k++)
            sums[k] += times[k + 1];
    }
}

/* Whether computation grows or shrinks: of all iterations, or without the first and the last one, as the summary says
 * it. The same on all ranks. */
static bool
has_drift(const hd_replay *replay, const hd_iterations *iterations)
{
    uint64_t *sums;
    bool      has;

    if (iterations == NULL || iterations->n < HD_VERDICT_LEAST)
        return false;
    sums = HD_NEW_ARRAY(uint64_t, iterations->n);
    add_up_iterations(replay, iterations->n, sums);
    hd_analysis_comm_reduce(replay->request->analysis_comm, sums, iterations->n, HD_SUM);
    has = hd_verdict_has_drift(sums, iterations->n) || hd_verdict_has_drift(&sums[1], iterations->n - 2);
    free(sums);
    return has;
}

typedef struct adding { /* forks and joins */
    hd_replay *replay;
    uint64_t **of_threads; /* [replay threads][n_call_paths] */
} adding;

static void
add_moves_of_process(void *context, hd_worker *worker, hd_vproc *vprocs)
{
    const adding *a = context;

    each_move(a->replay->request, vprocs, &(move_sums){ vprocs, a->of_threads[hd_worker_thread(worker)] }, add_move);
}

static void
add_moves(void *context, hd_worker *worker)
{
    hd_each_process(((const adding *)context)->replay, worker, add_moves_of_process, context);
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
    hd_path_series          *series[N_TRACKS] = { &result->time_paths, &result->iteration_time_paths };
    uint32_t                 n_slices[N_TRACKS] = { 0 }, n_tracks = 1;

    if (replay->series == NULL || request->time_paths == NULL ||
        !(request->all_series || has_drift(replay, iterations)))
        return;
    if (request->all_series) {
        hd_time_paths_find(request->time_paths, HD_TIME_MPI, NULL);
        find_paths_of_openmp(replay, engine);
    }
    n_slices[0] = request->windows.n + 2;
    if (hd_has_iterations(iterations))
        n_slices[n_tracks++] = hd_slices_of_iterations(iterations);
    for (uint32_t k = 0; k < n_tracks; k++)
        hd_path_series_init(series[k], n_slices[k]);
    for (int time = 0; time < HD_N_TIMES_OVER_TIME; time++)
        if (time == HD_TIME_COMP || request->all_series)
            collect(replay, engine, time, n_tracks, n_slices, series);
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
    if (hd_has_iterations(request->iterations))
        hd_path_series_gather(&result->iteration_time_paths, request->analysis_comm, n_processes);
}
