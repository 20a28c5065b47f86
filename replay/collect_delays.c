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
            const hd_map *table = &replay->delay_slices->tables[i];

            for (uint32_t k = 0; table->slots != NULL && k <= table->mask; k++) {
                hd_delay_slice_key key = hd_delay_slice_key_of(table->slots[k].key);

                if (table->slots[k].key != HD_MAP_FREE && !key.is_iterations)
                    sums[key.call_path] += table->slots[k].value;
            }
        }
        hd_analysis_comm_reduce(replay->request->analysis_comm, sums, tree->n, HD_SUM);
        for (uint32_t path = tree->n; path-- > 0;)
            if (tree->nodes[path].parent != HD_NONE)
                sums[tree->nodes[path].parent] += sums[path];
    }
    hd_path_fold_keep(sums, tree, fold);
    free(sums);
}

/* The table is empty then. entries: [tracks] */
static void
take_entries(hd_map *table, const hd_path_fold *fold, hd_severity *const *entries, size_t *n)
{
    for (uint32_t k = 0; table->slots != NULL && k <= table->mask; k++) {
        const hd_map_slot    *slot = &table->slots[k];
        hd_delay_slice_key    key  = hd_delay_slice_key_of(slot->key);
        const hd_delay_info  *info = &hd_delay_infos[slot->key != HD_MAP_FREE ? key.delay : 0];

        if (slot->key != HD_MAP_FREE)
            entries[key.is_iterations][n[key.is_iterations]++] =
                (hd_severity){ .call_path = (uint32_t)fold->places[key.call_path] << HD_SERIES_SLICE_BITS | key.slice,
                               .metric = key.is_long ? info->long_term : info->short_term,
                               .value = (int64_t)slot->value };
    }
    hd_map_fini(table);
}

static void
add_process(const collecting *c, uint32_t thread, const hd_vproc *vprocs)
{
    hd_map      *table = &c->replay->delay_slices->tables[vprocs->number];
    hd_severity *entries[HD_DELAY_TRACKS];
    size_t       n[HD_DELAY_TRACKS] = { 0 };

    for (uint32_t k = 0; k < HD_DELAY_TRACKS; k++)
        entries[k] = HD_NEW_UNSET(hd_severity, (size_t)table->n + 1);
    take_entries(table, &c->series->fold, entries, n);
    for (uint32_t k = 0; k < HD_DELAY_TRACKS; k++) {
        if (k < c->series->n_tracks)
            hd_delay_track_add(&c->of_threads[k][thread], entries[k], n[k], vprocs->process_id,
                               c->replay->defs->n_processes);
        free(entries[k]);
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
