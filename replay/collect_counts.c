/* replay/collect_counts.c: goes through the count log of each thread. */
#include "collect_counts.h"

#include "slice_cuts.h"

enum { N_TRACKS = 2 };

typedef enum counted_metric {
    VISITS, SYNCS_SEND, COMMS_SEND, BYTES_SENT, SYNCS_RECV, COMMS_RECV, BYTES_RCVD, SYNCS_COLL, COMMS_CXCH, COMMS_CSRC,
    COMMS_CDST, BYTES_COUT, BYTES_CIN, BYTES_PUT, BYTES_GET, RMA_CALLS, N_COUNTED = RMA_CALLS + HD_N_RMA_CALLS
} counted_metric;

static const hd_metric metrics[RMA_CALLS] = { /* those behind are hd_rma_calls */
    [VISITS] = HD_METRIC_visits,         [SYNCS_SEND] = HD_METRIC_syncs_send, [COMMS_SEND] = HD_METRIC_comms_send,
    [BYTES_SENT] = HD_METRIC_bytes_sent, [SYNCS_RECV] = HD_METRIC_syncs_recv, [COMMS_RECV] = HD_METRIC_comms_recv,
    [BYTES_RCVD] = HD_METRIC_bytes_rcvd, [SYNCS_COLL] = HD_METRIC_syncs_coll, [COMMS_CXCH] = HD_METRIC_comms_cxch,
    [COMMS_CSRC] = HD_METRIC_comms_csrc, [COMMS_CDST] = HD_METRIC_comms_cdst, [BYTES_COUT] = HD_METRIC_bytes_cout,
    [BYTES_CIN] = HD_METRIC_bytes_cin,   [BYTES_PUT] = HD_METRIC_bytes_put,   [BYTES_GET] = HD_METRIC_bytes_get,
};

typedef struct track { /* the windows, or the iterations, of a process */
    hd_slice_cuts cuts;
    hd_slice_walk at;
    hd_severity  *rows; /* [n] what is counted in slices that are over; some may be of the same place and slice */
    size_t        n, capacity;
} track;

typedef struct walk { /* of a replay thread, at a location of it */
    track    tracks[N_TRACKS];                 /* [n_tracks] */
    uint32_t n_tracks;
    hd_time  from, until;                      /* a part of the run that lies in one slice of each track */
    int64_t  sums[HD_SERIES_PATHS][N_COUNTED]; /* in it */
    bool     is_touched[HD_SERIES_PATHS];
    uint8_t  touched[HD_SERIES_PATHS];         /* [n_touched] places that have counted */
    uint32_t n_touched;
    int64_t  most;                             /* that is counted in a sum; more is damage */
} walk;

static hd_metric
metric_of(uint32_t counted)
{
    return counted < RMA_CALLS ? metrics[counted] : hd_rma_calls[counted - RMA_CALLS];
}

static void
put_sums(walk *w, uint32_t place)
{
    int64_t *sums = w->sums[place];

    for (uint32_t c = 0; c < N_COUNTED; c++)
        for (uint32_t k = 0; k < w->n_tracks && sums[c] != 0; k++) {
            track *of = &w->tracks[k];

            HD_PUSH(of->rows, of->n, of->capacity,
                    ((hd_severity){ .call_path = place << HD_SERIES_SLICE_BITS | of->at.slice, .metric = metric_of(c),
                                    .value = sums[c] }));
        }
    memset(sums, 0, sizeof w->sums[place]);
}

static void
end_part(walk *w)
{
    for (uint32_t i = 0; i < w->n_touched; i++) {
        put_sums(w, w->touched[i]);
        w->is_touched[w->touched[i]] = false;
    }
    w->n_touched = 0;
}

static void
go_to(walk *w, hd_time time)
{
    end_part(w);
    w->from  = 0;
    w->until = UINT64_MAX;
    for (uint32_t k = 0; k < w->n_tracks; k++) {
        track *of = &w->tracks[k];

        of->at   = hd_slice_walk_at(&of->cuts, time);
        w->from  = hd_time_max(w->from, hd_slice_walk_begin(&of->at));
        w->until = hd_time_min(w->until, hd_slice_walk_next(&of->at));
    }
}

static inline void
add(const walk *w, int64_t *sum, uint64_t value)
{
    uint64_t room = (uint64_t)(w->most - *sum);

    *sum += (int64_t)(value < room ? value : room);
}

static inline void
add_data(const walk *w, int64_t *sums, counted_metric empty, counted_metric full, counted_metric bytes, uint64_t value)
{
    sums[value == 0 ? empty : full]++;
    add(w, &sums[bytes], value);
}

/* calls: which calls for windows it is of. */
static void
add_visits(int64_t *sums, uint32_t calls, int64_t n)
{
    sums[VISITS] += n;
    for (uint32_t k = 0; HD_UNLIKELY(calls >> k != 0); k++)
        sums[RMA_CALLS + k] += (int64_t)(calls >> k & 1) * n;
}

static void
add_count(const walk *w, int64_t *sums, const hd_count_entry *count, uint32_t calls)
{
    uint64_t first = count->values[0], second = count->values[1];

    switch (count->what) {
    case HD_COUNTED_VISIT:
        add_visits(sums, calls, 1);
        break;
    case HD_COUNTED_VISIT_BACK:
        add_visits(sums, calls, -1);
        break;
    case HD_COUNTED_SEND:
        add_data(w, sums, SYNCS_SEND, COMMS_SEND, BYTES_SENT, first);
        break;
    case HD_COUNTED_RECEIVE:
        add_data(w, sums, SYNCS_RECV, COMMS_RECV, BYTES_RCVD, first);
        break;
    case HD_COUNTED_COLLECTIVE:
        sums[first > 0 ? second > 0 ? COMMS_CXCH : COMMS_CSRC : second > 0 ? COMMS_CDST : SYNCS_COLL]++;
        add(w, &sums[BYTES_COUT], first);
        add(w, &sums[BYTES_CIN], second);
        break;
    case HD_COUNTED_ACCESS:
        add(w, &sums[BYTES_PUT], first);
        add(w, &sums[BYTES_GET], second);
        break;
    }
}

/* [n_nodes] of each call path of a location which of hd_rma_calls count its visits. free() it. */
static uint8_t *
calls_of(const hd_replay_request *request, const hd_vproc *vproc)
{
    const hd_loaded_location *location = vproc->location;
    uint8_t                  *calls    = HD_NEW_ARRAY(uint8_t, (size_t)location->n_nodes + 1);

    for (uint32_t node = 0; node < location->n_nodes; node++) {
        uint32_t path = hd_vproc_call_path_if_any(vproc, node);

        calls[node] = path != HD_NONE ? request->rma_calls[request->time_paths->tree->nodes[path].region] : 0;
    }
    return calls;
}

/* The log is empty then. */
static void
go_through(walk *w, const hd_replay_request *request, const hd_vproc *vproc)
{
    hd_count_log         *log    = &hd_loaded_location_more(vproc->location)->counting;
    hd_count_cursor       cursor = hd_count_log_begin(log);
    const uint8_t *const *places = vproc->series->places;
    uint8_t              *calls  = calls_of(request, vproc);

    while (hd_count_cursor_next(&cursor)) {
        uint8_t place = places != NULL ? places[vproc->thread][cursor.count.node] : 0;

        if (HD_UNLIKELY(cursor.count.time < w->from || cursor.count.time >= w->until))
            go_to(w, cursor.count.time);
        if (!w->is_touched[place])
            w->touched[w->n_touched++] = place;
        w->is_touched[place] = true;
        add_count(w, w->sums[place], &cursor.count, calls[cursor.count.node]);
    }
    end_part(w);
    free(calls);
    hd_bytes_fini(&log->bytes);
}

/* ---- of all processes -------------------------------------------------------------------------------------------- */

typedef struct collecting {
    hd_replay         *replay;
    walk              *walks;                /* [replay threads] */
    hd_counter_series *of_threads[N_TRACKS]; /* [replay threads] of windows, of iterations */
} collecting;

static void
add_process(void *context, hd_worker *worker, hd_vproc *vprocs)
{
    const collecting        *c       = context;
    const hd_replay_request *request = c->replay->request;
    uint32_t                 thread  = hd_worker_thread(worker);
    walk                    *w       = &c->walks[thread];

    for (uint32_t k = 0; k < w->n_tracks; k++)
        w->tracks[k] = (track){ .cuts = hd_slice_cuts_of(request, vprocs, k == 1) };
    go_to(w, 0);
    for (uint32_t t = 0; t < vprocs->process->n_locations; t++)
        go_through(w, request, &vprocs[t]);
    for (uint32_t k = 0; k < w->n_tracks; k++) {
        track *of = &w->tracks[k];

        hd_counter_series_add(&c->of_threads[k][thread], of->rows, of->n, vprocs->process_id,
                              request->defs->n_processes);
        free(of->rows);
        free(of->cuts.rows);
    }
}

static void
add_worker(void *context, hd_worker *worker)
{
    hd_each_process(((const collecting *)context)->replay, worker, add_process, context);
}

void
hd_collect_counts(hd_collection *collection, hd_engine *engine)
{
    hd_replay               *replay    = collection->replay;
    hd_replay_result        *result    = collection->result;
    const hd_replay_request *request   = replay->request;
    uint32_t                 n_threads = hd_placement_n_threads(request->placement), n_tracks = 1;
    hd_counter_series       *series[N_TRACKS]   = { &result->counts, &result->iteration_counts };
    uint32_t                 n_slices[N_TRACKS] = { request->windows.n + 2 };
    collecting               c = { .replay = replay };

    if (!hd_replay_counts_over_time(replay))
        return;
    if (hd_has_iterations(request->iterations))
        n_slices[n_tracks++] = hd_slices_of_iterations(request->iterations);
    c.walks = HD_NEW_ARRAY(walk, n_threads);
    for (uint32_t t = 0; t < n_threads; t++) {
        c.walks[t].n_tracks = n_tracks;
        c.walks[t].most     = (int64_t)hd_counter_series_most(replay->defs->n_locations);
    }
    for (uint32_t k = 0; k < n_tracks; k++) {
        c.of_threads[k] = HD_NEW_ARRAY(hd_counter_series, n_threads);
        for (uint32_t t = 0; t < n_threads; t++)
            hd_counter_series_init(&c.of_threads[k][t], n_slices[k]);
        hd_counter_series_init(series[k], n_slices[k]);
    }
    hd_engine_each_worker(engine, add_worker, &c);
    for (uint32_t k = 0; k < n_tracks; k++) {
        for (uint32_t t = 0; t < n_threads; t++)
            hd_counter_series_join(series[k], &c.of_threads[k][t], replay->defs->n_processes);
        free(c.of_threads[k]);
    }
    free(c.walks);
    result->has_counts = true;
}

void
hd_gather_counts(hd_collection *collection)
{
    const hd_replay_request *request     = collection->replay->request;
    uint32_t                 n_processes = collection->replay->defs->n_processes;
    hd_replay_result        *result      = collection->result;

    if (!result->has_counts)
        return;
    hd_counter_series_gather(&result->counts, request->analysis_comm, n_processes);
    if (hd_has_iterations(request->iterations))
        hd_counter_series_gather(&result->iteration_counts, request->analysis_comm, n_processes);
}
