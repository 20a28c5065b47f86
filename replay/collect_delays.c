/* replay/collect_delays.c: chooses the call paths that have series, and gives the costs of each process to them. */
#include "collect_delays.h"

#include "delay_slices.h"
#include "slice_cuts.h"

typedef struct collecting {
    hd_replay       *replay;
    hd_delay_series *series;
    hd_delay_track  *of_threads[HD_DELAY_TRACKS]; /* [replay threads] */
} collecting;

/* Costs at and below each call path, of all metrics and ranks, decide which are kept. */
static void
find_paths(const hd_replay *replay, hd_path_fold *fold)
{
    const hd_calltree *tree = replay->request->time_paths->tree;
    uint64_t          *sums = NULL;

    if (tree->n > HD_SERIES_PATHS) {
        sums = HD_NEW_ARRAY(uint64_t, tree->n);
        for (uint32_t i = 0; i < replay->n_vprocs; i++) {
            uint32_t       at = 0;
            hd_delay_chunk chunk;

            while (hd_delay_table_next(&replay->delay_slices->tables[i], &at, &chunk))
                for (uint32_t k = 0; k < HD_DELAY_CHUNK && !chunk.is_iterations; k++)
                    sums[chunk.call_path] += (uint64_t)chunk.costs[k];
        }
        hd_analysis_comm_reduce(replay->request->analysis_comm, sums, tree->n, HD_SUM);
        for (uint32_t path = tree->n; path-- > 0;)
            if (tree->nodes[path].parent != HD_NONE)
                sums[tree->nodes[path].parent] += sums[path];
    }
    hd_path_fold_keep(sums, tree, fold);
    free(sums);
}

typedef struct entries { /* of a process */
    hd_severity *rows;   /* [n] */
    size_t       n, capacity;
} entries;

/* The table is empty then. out: [tracks] */
static void
take_entries(hd_delay_table *table, const hd_path_fold *fold, entries *out)
{
    uint32_t       at = 0;
    hd_delay_chunk chunk;

    while (hd_delay_table_next(table, &at, &chunk)) {
        const hd_delay_info *info   = &hd_delay_infos[chunk.delay];
        uint32_t             metric = chunk.is_long ? info->long_term : info->short_term;
        uint32_t             place  = (uint32_t)fold->places[chunk.call_path] << HD_SERIES_SLICE_BITS;
        entries             *to     = &out[chunk.is_iterations];

        for (uint32_t k = 0; k < HD_DELAY_CHUNK; k++)
            if (chunk.costs[k] != 0)
                HD_PUSH(to->rows, to->n, to->capacity,
                        ((hd_severity){ .call_path = place | (chunk.first + k), .metric = metric,
                                        .value = chunk.costs[k] }));
    }
    hd_delay_table_fini(table);
}

static void
add_process(void *context, hd_worker *worker, hd_vproc *vprocs)
{
    const collecting *c                   = context;
    uint32_t          thread              = hd_worker_thread(worker);
    entries           of[HD_DELAY_TRACKS] = { { .n = 0 } };

    take_entries(&c->replay->delay_slices->tables[vprocs->number], &c->series->fold, of);
    for (uint32_t k = 0; k < c->series->n_tracks; k++) {
        hd_delay_track_add(&c->of_threads[k][thread], of[k].rows, of[k].n, vprocs->process_id,
                           c->replay->defs->n_processes);
        free(of[k].rows);
    }
}

static void
add_worker(void *context, hd_worker *worker)
{
    hd_each_process(((const collecting *)context)->replay, worker, add_process, context);
}

static void
collect(hd_replay *replay, hd_engine *engine, hd_delay_series *series)
{
    const hd_replay_request *request   = replay->request;
    uint32_t                 n_threads = hd_placement_n_threads(request->placement);
    uint32_t                 n_slices[HD_DELAY_TRACKS] = { request->windows.n + 2 };
    collecting               c = { .replay = replay, .series = series };

    series->n_tracks = 1;
    series->fraction = replay->delay_slices->fraction;
    if (hd_has_iterations(request->iterations))
        n_slices[series->n_tracks++] = hd_slices_of_iterations(request->iterations);
    find_paths(replay, &series->fold);
    for (uint32_t k = 0; k < series->n_tracks; k++) {
        c.of_threads[k] = HD_NEW_ARRAY(hd_delay_track, n_threads);
        for (uint32_t t = 0; t < n_threads; t++)
            hd_delay_track_init(&c.of_threads[k][t], n_slices[k]);
        hd_delay_track_init(&series->tracks[k], n_slices[k]);
    }
    hd_engine_each_worker(engine, add_worker, &c);
    for (uint32_t k = 0; k < series->n_tracks; k++) {
        for (uint32_t t = 0; t < n_threads; t++)
            hd_delay_track_join(&series->tracks[k], &c.of_threads[k][t], replay->defs->n_processes);
        free(c.of_threads[k]);
    }
}

void
hd_collect_delays(hd_collection *collection, hd_engine *engine)
{
    hd_replay *replay = collection->replay;

    if (replay->delay_slices != NULL && collection->has_costs)
        collect(replay, engine, &collection->result->delays);
    hd_delay_slices_free(replay->delay_slices, replay->n_vprocs);
    replay->delay_slices = NULL;
}

void
hd_gather_delays(hd_collection *collection)
{
    hd_delay_series_gather(&collection->result->delays, collection->replay->request->analysis_comm,
                           collection->replay->defs->n_processes);
}
