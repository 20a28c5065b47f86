/* replay/collect_counts.c: goes through the count log of each thread. */
#include "collect_counts.h"

#include "slice_cuts.h"

enum { N_TRACKS = 2 };

typedef enum counted_metric {
    VISITS, SYNCS_SEND, COMMS_SEND, BYTES_SENT, SYNCS_RECV, COMMS_RECV, BYTES_RCVD, SYNCS_COLL, COMMS_CXCH, COMMS_CSRC,
    COMMS_CDST, BYTES_COUT, BYTES_CIN, BYTES_PUT, BYTES_GET, N_COUNTED
} counted_metric;

static const hd_metric metrics[N_COUNTED] = {
    [VISITS] = HD_METRIC_visits,         [SYNCS_SEND] = HD_METRIC_syncs_send, [COMMS_SEND] = HD_METRIC_comms_send,
    [BYTES_SENT] = HD_METRIC_bytes_sent, [SYNCS_RECV] = HD_METRIC_syncs_recv, [COMMS_RECV] = HD_METRIC_comms_recv,
    [BYTES_RCVD] = HD_METRIC_bytes_rcvd, [SYNCS_COLL] = HD_METRIC_syncs_coll, [COMMS_CXCH] = HD_METRIC_comms_cxch,
    [COMMS_CSRC] = HD_METRIC_comms_csrc, [COMMS_CDST] = HD_METRIC_comms_cdst, [BYTES_COUT] = HD_METRIC_bytes_cout,
    [BYTES_CIN] = HD_METRIC_bytes_cin,   [BYTES_PUT] = HD_METRIC_bytes_put,   [BYTES_GET] = HD_METRIC_bytes_get,
};

typedef struct entries { /* of a process */
    hd_severity *rows;   /* [n] */
    size_t       n, capacity;
} entries;

typedef struct track { /* the windows, or the iterations, of a thread */
    hd_slice_walk at;
    hd_time       from;                        /* when the slice that is now begins */
    int64_t       sums[HD_SERIES_PATHS][N_COUNTED]; /* in it; 0: nothing */
    bool          is_touched[HD_SERIES_PATHS];
    uint8_t       touched[HD_SERIES_PATHS];    /* [n_touched] places with sums */
    uint32_t      n_touched;
    uint64_t      most;                        /* that is counted in a sum; more is damage */
    entries      *out;
} track;

static void
end_slice(track *of)
{
    for (uint32_t i = 0; i < of->n_touched; i++) {
        uint32_t place = of->touched[i];

        for (uint32_t k = 0; k < N_COUNTED; k++)
            if (of->sums[place][k] != 0)
                HD_PUSH(of->out->rows, of->out->n, of->out->capacity,
                        ((hd_severity){ .call_path = place << HD_SERIES_SLICE_BITS | of->at.slice,
                                        .metric = metrics[k], .value = of->sums[place][k] }));
        memset(of->sums[place], 0, sizeof of->sums[place]);
        of->is_touched[place] = false;
    }
    of->n_touched = 0;
}

static void
go_to(track *of, hd_time time)
{
    end_slice(of);
    of->at   = hd_slice_walk_at(of->at.cuts, time);
    of->from = of->at.next > 0 ? of->at.cuts->rows[of->at.next - 1].at : 0;
}

static inline void
add(const track *of, int64_t *sum, uint64_t value)
{
    int64_t room = (int64_t)of->most - *sum;

    *sum += room < 0 || value > (uint64_t)room ? room : (int64_t)value;
}

static inline void
add_data(const track *of, int64_t *sums, counted_metric empty, counted_metric full, counted_metric bytes, uint64_t value)
{
    sums[value == 0 ? empty : full]++;
    add(of, &sums[bytes], value);
}

static void
add_count(const track *of, int64_t *sums, const hd_count_entry *count)
{
    uint64_t first = count->values[0], second = count->values[1];

    switch (count->what) {
    case HD_COUNTED_VISIT:
        sums[VISITS]++;
        break;
    case HD_COUNTED_VISIT_BACK:
        sums[VISITS]--;
        break;
    case HD_COUNTED_SEND:
        add_data(of, sums, SYNCS_SEND, COMMS_SEND, BYTES_SENT, first);
        break;
    case HD_COUNTED_RECEIVE:
        add_data(of, sums, SYNCS_RECV, COMMS_RECV, BYTES_RCVD, first);
        break;
    case HD_COUNTED_COLLECTIVE:
        sums[first > 0 ? second > 0 ? COMMS_CXCH : COMMS_CSRC : second > 0 ? COMMS_CDST : SYNCS_COLL]++;
        add(of, &sums[BYTES_COUT], first);
        add(of, &sums[BYTES_CIN], second);
        break;
    case HD_COUNTED_ACCESS:
        add(of, &sums[BYTES_PUT], first);
        add(of, &sums[BYTES_GET], second);
        break;
    }
}

static inline void
put(track *of, uint8_t place, const hd_count_entry *count)
{
    if (HD_UNLIKELY(count->time < of->from || count->time >= hd_slice_walk_next(&of->at)))
        go_to(of, count->time);
    if (!of->is_touched[place])
        of->touched[of->n_touched++] = place;
    of->is_touched[place] = true;
    add_count(of, of->sums[place], count);
}

/* The log is empty then. tracks: [n_tracks] nothing is touched */
static void
go_through(const hd_vproc *vproc, track *tracks, uint32_t n_tracks)
{
    hd_count_log         *log    = &vproc->location->counting;
    hd_count_cursor       cursor = hd_count_log_begin(log);
    const uint8_t *const *places = vproc->series->places;

    for (uint32_t k = 0; k < n_tracks; k++)
        go_to(&tracks[k], 0);
    while (hd_count_cursor_next(&cursor)) {
        uint8_t place = places != NULL ? places[vproc->thread][cursor.count.node] : 0;

        for (uint32_t k = 0; k < n_tracks; k++)
            put(&tracks[k], place, &cursor.count);
    }
    for (uint32_t k = 0; k < n_tracks; k++)
        end_slice(&tracks[k]);
    hd_bytes_fini(&log->bytes);
}

/* ---- of all processes -------------------------------------------------------------------------------------------- */

typedef struct collecting {
    hd_replay         *replay;
    uint32_t           n_tracks;
    track             *tracks;               /* [replay threads][n_tracks] */
    hd_counter_series *of_threads[N_TRACKS]; /* [replay threads] of windows, of iterations */
} collecting;

static void
add_process(const collecting *c, uint32_t thread, const hd_vproc *vprocs)
{
    const hd_replay_request *request = c->replay->request;
    hd_slice_cuts            cuts[N_TRACKS];
    entries                  out[N_TRACKS] = { { .n = 0 } };
    track                   *tracks = &c->tracks[thread * c->n_tracks];

    for (uint32_t k = 0; k < c->n_tracks; k++) {
        cuts[k]           = hd_slice_cuts_of(request, vprocs, k == 1);
        tracks[k].at.cuts = &cuts[k];
        tracks[k].out     = &out[k];
    }
    for (uint32_t t = 0; t < vprocs->process->n_locations; t++)
        go_through(&vprocs[t], tracks, c->n_tracks);
    for (uint32_t k = 0; k < c->n_tracks; k++) {
        hd_counter_series_add(&c->of_threads[k][thread], out[k].rows, out[k].n, vprocs->process_id,
                              request->defs->n_processes);
        free(out[k].rows);
        free(cuts[k].rows);
    }
}

static void
add_worker(void *context, hd_worker *worker)
{
    const collecting *c      = context;
    hd_replay        *replay = c->replay;

    for (uint32_t i = hd_each_process(replay, worker, 0); i < replay->n_vprocs;
         i = hd_each_process(replay, worker, i + replay->vprocs[i].process->n_locations))
        add_process(c, hd_worker_thread(worker), &replay->vprocs[i]);
}

static bool
has_iterations(const hd_replay_request *request)
{
    return request->iterations != NULL && request->iterations->n > 0;
}

void
hd_collect_counts(hd_collection *collection, hd_engine *engine)
{
    hd_replay               *replay    = collection->replay;
    hd_replay_result        *result    = collection->result;
    const hd_replay_request *request   = replay->request;
    uint32_t                 n_threads = hd_placement_n_threads(request->placement);
    hd_counter_series       *series[N_TRACKS]   = { &result->counts, &result->iteration_counts };
    uint32_t                 n_slices[N_TRACKS] = { request->windows.n + 2 };
    collecting               c = { .replay = replay, .n_tracks = has_iterations(request) ? 2 : 1 };

    if (!hd_replay_counts_over_time(replay))
        return;
    if (c.n_tracks > 1)
        n_slices[1] = hd_slices_of_iterations(request->iterations);
    c.tracks = HD_NEW_ARRAY(track, n_threads * c.n_tracks);
    for (uint32_t i = 0; i < n_threads * c.n_tracks; i++)
        c.tracks[i].most = hd_counter_series_most(replay->defs->n_locations);
    for (uint32_t k = 0; k < c.n_tracks; k++) {
        c.of_threads[k] = HD_NEW_ARRAY(hd_counter_series, n_threads);
        for (uint32_t t = 0; t < n_threads; t++)
            hd_counter_series_init(&c.of_threads[k][t], n_slices[k]);
        hd_counter_series_init(series[k], n_slices[k]);
    }
    hd_engine_each_worker(engine, add_worker, &c);
    for (uint32_t k = 0; k < c.n_tracks; k++) {
        for (uint32_t t = 0; t < n_threads; t++)
            hd_counter_series_join(series[k], &c.of_threads[k][t], replay->defs->n_processes);
        free(c.of_threads[k]);
    }
    free(c.tracks);
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
    if (has_iterations(request))
        hd_counter_series_gather(&result->iteration_counts, request->analysis_comm, n_processes);
}
