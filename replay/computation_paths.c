/* replay/computation_paths.c: goes through the intervals and the states of each thread, from bound to bound. */
#include "computation_paths.h"

#include "interval_log.h"
#include "slice_cuts.h"
#include "state_log.h"

typedef struct computation { /* until when a thread has computed how long */
    hd_state_cursor piece;
    bool            is_over;
    uint64_t        sum; /* of pieces that are over */
} computation;

typedef struct part { /* of an interval */
    uint32_t place;
    int64_t  ticks;
} part;

typedef struct entries {
    hd_severity *rows; /* [n] */
    size_t       n, capacity;
} entries;

typedef struct walk { /* of a thread */
    hd_slice_walk at;          /* the slice that is now, */
    uint64_t    begun;         /* what was computed before it, */
    uint64_t    known;         /* in call paths, in it, */
    int64_t    *sums;          /* [n_places] by place */
    uint32_t    n_places;      /* the last one: without a call path */
    part       *parts;         /* [n_parts] of the interval */
    size_t      n_parts, capacity_parts;
    uint64_t    all;           /* their sum */
    computation done;
    entries    *out;
} walk;

static bool
is_computation(const hd_state_cursor *piece)
{
    hd_state state = hd_state_cursor_state(piece);

    return state == HD_STATE_USEFUL || state == HD_STATE_CREATE;
}

/* How long it has computed until then; times ascend. */
static uint64_t
computed_until(computation *done, hd_time time)
{
    while (!done->is_over && done->piece.until <= time) {
        if (is_computation(&done->piece))
            done->sum += done->piece.until - done->piece.from;
        done->is_over = !hd_state_cursor_next(&done->piece);
    }
    return done->sum + (!done->is_over && done->piece.from < time && is_computation(&done->piece) ?
                        time - done->piece.from : 0);
}

static void
put(walk *w, uint32_t place, int64_t ticks)
{
    if (ticks != 0)
        HD_PUSH(w->out->rows, w->out->n, w->out->capacity,
                ((hd_severity){ .call_path = place << HD_SERIES_SLICE_BITS | w->at.slice, .metric = HD_METRIC_comp,
                                .value = ticks }));
}

/* The slice is over. */
static void
end_slice(walk *w, uint64_t computed)
{
    for (uint32_t place = 0; place + 1 < w->n_places; place++) {
        put(w, place, w->sums[place]);
        w->sums[place] = 0;
    }
    put(w, w->n_places - 1, (int64_t)(computed - w->begun - w->known));
    w->begun = computed;
    w->known = 0;
}

static void
pass_cut(walk *w, uint64_t computed)
{
    end_slice(w, computed);
    hd_slice_walk_pass(&w->at);
}

static void
read_parts(walk *w, hd_interval_cursor *interval, const uint8_t *places)
{
    w->n_parts = 0;
    w->all     = 0;
    while (hd_interval_cursor_has_entry(interval)) {
        uint32_t node;
        hd_span  span;

        hd_interval_cursor_entry(interval, &node, &span);
        if (places[node] == HD_NO_PLACE)
            continue;
        HD_PUSH(w->parts, w->n_parts, w->capacity_parts, ((part){ places[node], span }));
        w->all += (uint64_t)span;
    }
}

static void
add_parts(walk *w)
{
    for (size_t i = 0; i < w->n_parts; i++)
        if (w->parts[i].place + 1 < w->n_places) {
            w->sums[w->parts[i].place] += w->parts[i].ticks;
            w->known += (uint64_t)w->parts[i].ticks;
        }
}

static bool
is_one_place(const walk *w)
{
    for (size_t i = 1; i < w->n_parts; i++)
        if (w->parts[i].place != w->parts[0].place)
            return false;
    return w->n_parts > 0;
}

/* Some of the computation of an interval. */
static void
add_some(walk *w, uint64_t computed)
{
    if (computed == w->all)
        add_parts(w);
    else if (computed > 0 && is_one_place(w) && w->parts[0].place + 1 < w->n_places) {
        w->sums[w->parts[0].place] += (int64_t)computed;
        w->known += computed;
    }
}

/* before: what was computed before the interval. Returns what was computed at its end. */
static uint64_t
divide(walk *w, const hd_interval_cursor *interval, uint64_t before)
{
    computation ahead = w->done;
    uint64_t    after = computed_until(&ahead, interval->until), now;
    bool        is_known = after - before == w->all;

    for (; hd_slice_walk_next(&w->at) < interval->until; before = now) {
        now = computed_until(&w->done, hd_slice_walk_next(&w->at));
        if (is_known)
            add_some(w, now - before);
        pass_cut(w, now);
    }
    if (is_known)
        add_some(w, after - before);
    w->done = ahead;
    return after;
}

/* What is in an interval log, but not computed, as a fork, or not at that time, as a task, has no call path. */
static void
go_through(walk *w, const hd_loaded_location *location, const uint8_t *places)
{
    hd_interval_cursor interval;
    uint64_t           before = 0;

    hd_interval_cursor_init(&interval, &location->intervals);
    hd_state_cursor_init(&w->done.piece, &location->states);
    w->done.is_over = !hd_state_cursor_next(&w->done.piece);
    for (; hd_slice_walk_next(&w->at) <= interval.until; pass_cut(w, before))
        before = computed_until(&w->done, hd_slice_walk_next(&w->at));
    before = computed_until(&w->done, interval.until);
    while (hd_interval_cursor_next(&interval)) {
        read_parts(w, &interval, places);
        if (HD_LIKELY(hd_slice_walk_next(&w->at) >= interval.until)) {
            uint64_t after = computed_until(&w->done, interval.until);

            if (after - before == w->all)
                add_parts(w);
            before = after;
        } else
            before = divide(w, &interval, before);
        for (; hd_slice_walk_next(&w->at) <= interval.until; )
            pass_cut(w, before);
    }
    while (!hd_slice_walk_is_over(&w->at))
        pass_cut(w, computed_until(&w->done, hd_slice_walk_next(&w->at)));
    end_slice(w, computed_until(&w->done, UINT64_MAX));
}

/* ---- of all processes -------------------------------------------------------------------------------------------- */

typedef struct collecting {
    hd_replay      *replay;
    hd_path_series *of_threads; /* [replay threads] */
    bool            is_iterations;
} collecting;

static void
add_process(void *context, hd_worker *worker, const hd_vproc *vprocs, const hd_slice_cuts *cuts)
{
    const collecting        *c       = context;
    const hd_replay_request *request = c->replay->request;
    const hd_path_fold      *fold    = request->computation_paths;
    entries                  out     = { .n = 0 };

    for (uint32_t t = 0; t < vprocs->process->n_locations; t++) {
        const hd_loaded_location *location = vprocs[t].location;
        walk     w = { .at = { .cuts = cuts }, .n_places = fold->n, .sums = HD_NEW_ARRAY(int64_t, fold->n),
                       .out = &out };
        uint8_t *places = hd_slice_places(&vprocs[t], fold);

        if (hd_defs_locations(request->defs)[location->location].type == HD_LOCATION_CPU)
            go_through(&w, location, places);
        free(places);
        free(w.sums);
        free(w.parts);
    }
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

static void
collect(hd_replay *replay, hd_engine *engine, bool is_iterations, uint32_t n_slices, hd_path_series *series)
{
    uint32_t   n_threads = hd_placement_n_threads(replay->request->placement);
    collecting c         = { replay, HD_NEW_ARRAY(hd_path_series, n_threads), is_iterations };

    for (uint32_t t = 0; t < n_threads; t++)
        hd_path_series_init(&c.of_threads[t], n_slices);
    hd_path_series_init(series, n_slices);
    hd_engine_each_worker(engine, add_worker, &c);
    for (uint32_t t = 0; t < n_threads; t++)
        hd_path_series_join(series, &c.of_threads[t], replay->defs->n_processes);
    free(c.of_threads);
}

/* [iterations] ticks of all processes of the rank */
static void
add_up_iterations(const hd_replay *replay, uint32_t n, uint64_t *sums)
{
    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        const hd_time_sums *of    = replay->series[i].sums;
        const uint64_t     *times = of != NULL ? of->iterations[0] : NULL; /* hd_times_over_time: computation */

        for (uint32_t k = 0; times != NULL && k < n; k++)
            sums[k] += times[k + 1];
    }
}

/* Of all iterations, or without the first and the last one, as the summary says it. The same on all ranks. */
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

void
hd_collect_computation_paths(hd_collection *collection, hd_engine *engine)
{
    hd_replay               *replay     = collection->replay;
    hd_replay_result        *result     = collection->result;
    const hd_replay_request *request    = replay->request;
    const hd_iterations     *iterations = request->iterations;

    if (replay->series == NULL || request->computation_paths == NULL ||
        !(request->all_series || has_drift(replay, iterations)))
        return;
    collect(replay, engine, false, request->windows.n + 2, &result->computation_paths);
    if (iterations != NULL && iterations->n > 0)
        collect(replay, engine, true, hd_slices_of_iterations(iterations), &result->iteration_computation_paths);
    result->has_computation_paths = true;
}

void
hd_gather_computation_paths(hd_collection *collection)
{
    const hd_replay_request *request     = collection->replay->request;
    uint32_t                 n_processes = collection->replay->defs->n_processes;
    hd_replay_result        *result      = collection->result;

    if (!result->has_computation_paths)
        return;
    hd_path_series_gather(&result->computation_paths, request->analysis_comm, n_processes);
    if (request->iterations != NULL && request->iterations->n > 0)
        hd_path_series_gather(&result->iteration_computation_paths, request->analysis_comm, n_processes);
}
