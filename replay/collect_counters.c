/* replay/collect_counters.c: goes through the intervals and the counter log of each thread. */
#include "collect_counters.h"

#include "interval_log.h"
#include "slice_cuts.h"

typedef struct entries { /* of a process */
    hd_severity *rows;   /* [n] */
    size_t       n, capacity;
} entries;

typedef struct walk {    /* of a thread */
    hd_slice_walk         at;
    const hd_counter_log *log;
    size_t                next;      /* point */
    size_t               *before;    /* [n_nodes] how many points there were with the one that ends a slice before, */
    size_t               *now;       /* [n_nodes] and with the last one; 0: none. Points have sums since the begin */
    uint32_t             *touched;   /* [n_touched] nodes with points in the slice that is now */
    uint32_t              n_touched;
    const uint8_t        *places;    /* [n_nodes] */
    uint32_t              n_places;
    uint64_t             *sums;      /* [n_places][n_counters] 0 but while a slice ends */
    uint64_t              most;      /* that is counted in a sum; more is damage, and sums of all have 64 bits */
    entries              *out;
} walk;

static void
add_counts(walk *w, uint32_t node)
{
    uint32_t        n      = w->log->n_counters;
    uint64_t       *sums   = w->sums + w->places[node] * n;
    const uint64_t *to     = w->log->values + (w->now[node] - 1) * n;
    const uint64_t *before = w->before[node] > 0 ? w->log->values + (w->before[node] - 1) * n : NULL;

    for (uint32_t k = 0; k < n; k++)
        sums[k] += to[k] - (before != NULL ? before[k] : 0);
}

static void
put_sums(walk *w)
{
    uint32_t n = w->log->n_counters;

    for (uint32_t i = 0; i < w->n_places * n; i++) {
        uint64_t counted = w->sums[i] < w->most ? w->sums[i] : w->most;

        if (counted != 0)
            HD_PUSH(w->out->rows, w->out->n, w->out->capacity,
                    ((hd_severity){ .call_path = i / n << HD_SERIES_SLICE_BITS | w->at.slice, .metric = i % n,
                                    .value = (int64_t)counted }));
        w->sums[i] = 0;
    }
}

static void
end_slice(walk *w)
{
    if (w->n_touched == 0)
        return;
    for (uint32_t i = 0; i < w->n_touched; i++) {
        uint32_t node = w->touched[i];

        if (w->places[node] != HD_NO_PLACE)
            add_counts(w, node);
        w->before[node] = w->now[node];
    }
    w->n_touched = 0;
    put_sums(w);
}

static inline void
add_point(walk *w)
{
    uint32_t node = w->log->points[w->next++].node;

    if (w->now[node] == w->before[node])
        w->touched[w->n_touched++] = node;
    w->now[node] = w->next;
}

static inline bool
has_point(const walk *w, const hd_interval_cursor *interval)
{
    return w->next < w->log->n && w->log->points[w->next].from == interval->from;
}

/* Points are in the order of the entries of intervals, of which some have none. Of intervals that begin at the same
 * time all but the last one are empty. */
static void
add_interval(walk *w, hd_interval_cursor *interval)
{
    if (HD_LIKELY(interval->from < interval->until)) {
        while (has_point(w, interval))
            add_point(w);
        return;
    }
    while (has_point(w, interval) && hd_interval_cursor_has_entry(interval)) {
        uint32_t node;
        hd_span  time;

        hd_interval_cursor_entry(interval, &node, &time);
        if (w->log->points[w->next].node == node)
            add_point(w);
    }
}

static void
go_through(walk *w, const hd_interval_log *intervals)
{
    hd_interval_cursor interval;

    hd_interval_cursor_init(&interval, intervals);
    while (w->next < w->log->n && hd_interval_cursor_next(&interval)) {
        for (; hd_slice_walk_next(&w->at) < interval.until; hd_slice_walk_pass(&w->at))
            end_slice(w);
        add_interval(w, &interval);
    }
    end_slice(w);
}

static void
add_location(const hd_vproc *vproc, const hd_path_fold *fold, const hd_slice_cuts *cuts, uint64_t most,
             entries *out)
{
    const hd_loaded_location *location = vproc->location;
    size_t                    n        = location->n_nodes;
    walk                      w        = { .at = { .cuts = cuts }, .log = &location->more->counted, .out = out };
    uint8_t                  *places;

    if (location->more->counted.n == 0)
        return;
    places     = hd_slice_places(vproc, fold);
    w.places   = places;
    w.n_places = fold->n;
    w.most     = most;
    w.sums     = HD_NEW_ARRAY(uint64_t, (size_t)fold->n * location->more->counted.n_counters + 1);
    w.before   = HD_NEW_ARRAY(size_t, n + 1);
    w.now      = HD_NEW_ARRAY(size_t, n + 1);
    w.touched  = HD_NEW_UNSET(uint32_t, n + 1);
    go_through(&w, &location->intervals);
    free(w.before);
    free(w.now);
    free(w.touched);
    free(w.sums);
    free(places);
}

/* ---- of all processes -------------------------------------------------------------------------------------------- */

typedef struct collecting {
    hd_replay         *replay;
    hd_counter_series *of_threads; /* [replay threads] */
    bool               is_iterations;
    uint64_t           most;       /* that is counted in a sum */
} collecting;

static void
add_process(void *context, hd_worker *worker, hd_vproc *vprocs)
{
    const collecting        *c       = context;
    const hd_replay_request *request = c->replay->request;
    hd_slice_cuts            cuts    = hd_slice_cuts_of(request, vprocs, c->is_iterations);
    entries                  out     = { .n = 0 };

    for (uint32_t t = 0; t < vprocs->process->n_locations; t++)
        add_location(&vprocs[t], request->time_paths->folds[HD_TIME_COMP], &cuts, c->most, &out);
    hd_counter_series_add(&c->of_threads[hd_worker_thread(worker)], out.rows, out.n, vprocs->process_id,
                          request->defs->n_processes);
    free(cuts.rows);
    free(out.rows);
}

static void
add_worker(void *context, hd_worker *worker)
{
    hd_each_process(((const collecting *)context)->replay, worker, add_process, context);
}

static void
collect(hd_replay *replay, hd_engine *engine, bool is_iterations, uint32_t n_slices, hd_counter_series *series)
{
    uint32_t   n_threads = hd_placement_n_threads(replay->request->placement);
    collecting c         = { replay, HD_NEW_ARRAY(hd_counter_series, n_threads), is_iterations,
                             hd_counter_series_most(replay->defs->n_locations) };

    for (uint32_t t = 0; t < n_threads; t++)
        hd_counter_series_init(&c.of_threads[t], n_slices);
    hd_counter_series_init(series, n_slices);
    hd_engine_each_worker(engine, add_worker, &c);
    for (uint32_t t = 0; t < n_threads; t++)
        hd_counter_series_join(series, &c.of_threads[t], replay->defs->n_processes);
    free(c.of_threads);
}

void
hd_collect_counter_series(hd_collection *collection, hd_engine *engine)
{
    hd_replay               *replay  = collection->replay;
    hd_replay_result        *result  = collection->result;
    const hd_replay_request *request = replay->request;

    if (replay->series == NULL || request->time_paths == NULL || !request->compares_work)
        return;
    collect(replay, engine, false, request->windows.n + 2, &result->counters);
    if (hd_has_iterations(request->iterations))
        collect(replay, engine, true, hd_slices_of_iterations(request->iterations), &result->iteration_counters);
    result->has_counter_series = true;
}

void
hd_gather_counter_series(hd_collection *collection)
{
    const hd_replay_request *request     = collection->replay->request;
    uint32_t                 n_processes = collection->replay->defs->n_processes;
    hd_replay_result        *result      = collection->result;

    if (!result->has_counter_series)
        return;
    hd_counter_series_gather(&result->counters, request->analysis_comm, n_processes);
    if (hd_has_iterations(request->iterations))
        hd_counter_series_gather(&result->iteration_counters, request->analysis_comm, n_processes);
}
