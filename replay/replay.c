/* replay/replay.c: the phases of a replay, and what is constant for all of them. The unit of sums is the smallest
 * fraction of a tick with which no sum of the run overflows. */
#include "replay.h"

#include "backward_run.h"
#include "booked_times.h"
#include "collect_results.h"
#include "collect_counters.h"
#include "collect_counts.h"
#include "collect_delays.h"
#include "forward_run.h"
#include "sync_store.h"
#include "time_paths.h"

/* Of each thread of a process; one block, free() it. */
static const uint8_t *const *
places_of(const hd_path_fold *paths, const hd_loaded_process *process, const uint32_t *map)
{
    size_t          n = 0;
    const uint8_t **places;
    uint8_t        *at;

    for (uint32_t t = 0; t < process->n_locations; t++)
        n += process->locations[t].n_nodes;
    places = hd_realloc(NULL, process->n_locations * sizeof *places + n + 1, 1);
    at     = (uint8_t *)&places[process->n_locations];
    for (uint32_t t = 0; t < process->n_locations; t++) {
        places[t] = at;
        hd_path_fold_of_location(paths, &process->locations[t], map, at);
        at += process->locations[t].n_nodes;
    }
    return places;
}

/* Whether a process has one thread, as the one before, and the same places therefore. */
static bool
shares_places(const hd_replay_request *request, uint32_t p)
{
    const hd_loaded_process *process = &request->trace->processes[p];

    return p > 0 && request->maps[p - 1] == request->maps[p] && process[-1].n_locations == 1 &&
           process->n_locations == 1 && process[-1].locations[0].map == process->locations[0].map &&
           process[-1].locations[0].n_nodes == process->locations[0].n_nodes;
}

/* Series of waiting time, those of process p at the vproc. Processes of a worker whose rows are joined share the times,
 * so that these do not grow with the number of processes. */
static void
make_series(hd_replay *replay, uint32_t p, uint32_t vproc, hd_map *first_of)
{
    const hd_replay_request *request = replay->request;
    uint32_t                 process = request->trace->processes[p].process.v;
    uint32_t                 worker  = hd_placement_worker(request->placement, request->trace->processes[p].process);
    hd_wait_series          *series  = &replay->series[vproc];
    uint64_t                *first;
    bool                     is_new;

    series->windows = &request->windows;
    if (request->paths != NULL)
        series->places = shares_places(request, p) ?
                         series[-1].places : /* of its only thread */
                         places_of(request->paths, &request->trace->processes[p], request->maps[p]);
    if (request->iterations != NULL) {
        series->n_iterations = request->iterations->n;
        series->iterations   = &request->iterations->of[p];
    }
    first = hd_map_add(first_of, (uint64_t)hd_series_first(process, replay->defs->n_processes) << 32 | worker, &is_new);
    if (is_new)
        *first = vproc;
    else {
        series->together = &replay->series[*first];
        return;
    }
    series->times       = HD_NEW(hd_wait_rows);
    series->times->most = hd_series_n_together(replay->defs->n_processes) > 1 ? HD_WAITS_MOST_SHARED :
                          HD_WAITS_MOST * (size_t)request->trace->processes[p].n_locations;
}

static void
make_vprocs(hd_replay *replay)
{
    const hd_trace *trace    = replay->request->trace;
    hd_map          first_of = { 0 };
    uint32_t        n        = 0;

    hd_table_init(&replay->vproc_of);
    for (uint32_t p = 0; p < trace->n_processes; p++)
        replay->n_vprocs += trace->processes[p].n_locations;
    replay->vprocs = hd_alloc_apart(replay->n_vprocs, sizeof *replay->vprocs);
    if (replay->request->windows.n > 0)
        replay->series = hd_alloc_apart(replay->n_vprocs + 1, sizeof *replay->series);
    for (uint32_t p = 0; p < trace->n_processes; p++) {
        const hd_loaded_process *process = &trace->processes[p];

        hd_table_add(&replay->vproc_of, process->process.v, n);
        if (replay->series != NULL)
            make_series(replay, p, n, &first_of);
        for (uint32_t t = 0; t < process->n_locations; t++) {
            replay->vprocs[n] = (hd_vproc){ .process = process, .location = &process->locations[t], .number = n,
                                            .process_id = process->process.v, .thread = t,
                                            .map = replay->request->maps[p] };
            if (replay->series != NULL)
                replay->vprocs[n].series = &replay->series[n - t];
            n++;
        }
    }
    hd_map_fini(&first_of);
}

/* The length of the run, or more where a location was recorded for longer than the definitions say. The same on all
 * ranks. */
static uint64_t
longest(const hd_replay_request *request)
{
    uint64_t length[1] = { request->defs->length };

    for (uint32_t p = 0; p < request->trace->n_processes; p++)
        for (uint32_t t = 0; t < request->trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &request->trace->processes[p].locations[t];
            uint64_t                  sum      = 0;

            for (uint32_t i = 0; i < location->n_nodes; i++)
                sum += (uint64_t)location->nodes[i].time;
            length[0] = sum > length[0] ? sum : length[0];
        }
    hd_analysis_comm_reduce(request->analysis_comm, length, 1, HD_MAX);
    return length[0];
}

/* Fractions of a tick that sums of quotients are counted in: as fine as 64 bits allow, with room for sums that are
 * 65,536 times the length of the run. */
static double
fraction(uint64_t length)
{
    uint32_t bits = 40;

    while (bits > 8 && length >> (46 - bits) > 0)
        bits--;
    return (double)(UINT64_C(1) << bits);
}

/* The same with room for all locations waiting all the time. */
static double
cause_fraction(const hd_defs *defs, uint64_t length)
{
    double whole = ((double)length + 1) * ((double)defs->n_locations + 1), fraction = 0x1p40;

    while (fraction > 0x1p-40 && fraction / 2 * whole >= 0x1p60)
        fraction /= 2;
    return fraction;
}

static hd_engine *
new_engine(const hd_replay *replay)
{
    const hd_replay_request *request   = replay->request;
    uint32_t                *processes = HD_NEW_ARRAY(uint32_t, replay->n_vprocs);
    hd_engine               *engine;

    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        processes[i] = replay->vprocs[i].process_id;
    engine = hd_replay_engine(request->analysis_comm, replay->defs, request->placement, processes,
                              (hd_engine_request){ .n_vprocs = replay->n_vprocs, .yield = request->yield,
                                                  .stop = request->stop,
                                                  .on_thread = request->on_thread, .context = request->context });
    free(processes);
    return engine;
}

/* Windows with exclusive locks. */
static void
find_exclusive(hd_replay *replay)
{
    const hd_defs *defs = replay->defs;

    if (defs->n_windows == 0)
        return;
    replay->exclusive = HD_NEW_ARRAY(uint64_t, defs->n_windows);
    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        const hd_oplog *log = &replay->vprocs[i].location->log;

        for (size_t c = 0; c < log->n_channels; c++)
            if (log->channels[c].exclusive)
                replay->exclusive[log->channels[c].comm - hd_first_window(defs)] = 1;
    }
    hd_analysis_comm_reduce(replay->request->analysis_comm, replay->exclusive, defs->n_windows, HD_MAX);
}

void
hd_replay_run(const hd_replay_request *request, hd_replay_result *result)
{
    uint32_t    n_threads = hd_placement_n_threads(request->placement);
    hd_replay   replay    = { .request = request, .defs = request->defs, .scratch = request->trace->scratch,
                              .compat = request->compat, .has_ideal = !request->compat,
                              .has_cause_slices = request->windows.n > 0 && !request->compat,
                              .goes_back = request->delays || request->critical_path,
                              .path_times = request->all_series && request->critical_path && !request->compat &&
                                            request->windows.n > 0 && request->time_paths != NULL };
    uint64_t    length    = longest(request);
    hd_engine  *engine;
    hd_collection all;

    hd_map_large_blocks();
    replay.fraction       = fraction(length);
    replay.cause_fraction = cause_fraction(request->defs, length);
    replay.sides          = hd_sides_of(request->n_call_paths, request->n_sides);
    replay.clock          = (hd_scout_clock){ request->defs->first_time, (double)request->defs->resolution };
    make_vprocs(&replay);
    replay.workers = hd_alloc_apart(n_threads, sizeof *replay.workers);
    *result             = (hd_replay_result){ .n_locations = 0 };
    engine              = new_engine(&replay);
    find_exclusive(&replay);

    if (!hd_forward_run(&replay, engine)) {
        result->stopped = HD_STOPPED_FORWARDS;
        return;
    }
    all = (hd_collection){ .replay = &replay, .result = result };
    hd_collect_forward(&all, engine);
    hd_collect_time_paths(&all, engine);
    hd_collect_counter_series(&all, engine);
    hd_collect_counts(&all, engine);
    if (request->forward_done != NULL)
        request->forward_done(request->context, &result->statistics);
    if (replay.goes_back) {
        if (request->goes_back != NULL)
            request->goes_back(request->context);
        hd_forward_complete(&replay, engine);
        hd_give_back();
    }
    hd_collect_series(&all);
    hd_collect_class_times(&replay, engine, result);
    for (uint32_t i = 0; i < replay.n_vprocs; i++) {
        hd_costs_init(&replay.vprocs[i].costs);
        hd_costs_init(&replay.vprocs[i].startup_costs);
    }
    if (replay.goes_back) {
        all.has_costs   = hd_backward_replay(&replay, engine);
        result->stopped = all.has_costs ? HD_STOPPED_NOWHERE : HD_STOPPED_BACKWARD;
    }
    hd_collect_delays(&all, engine);
    all.has_path = all.has_costs && request->critical_path;
    hd_collect_backward(&all, engine);
    hd_give_back(); /* the report takes large blocks, for which gaps are of no use */
    hd_collect_workers(&all, engine);
    hd_engine_free(engine);
    hd_table_fini(&replay.vproc_of);
    for (uint32_t i = 0; i < replay.n_vprocs; i++)
        hd_syncs_free(replay.vprocs[i].syncs);
    hd_gather_time_paths(&all);
    hd_gather_counter_series(&all);
    hd_gather_counts(&all);
    hd_gather_delays(&all);
    hd_gather_series(&all);
    free(replay.vprocs);
    free(replay.workers);
    free(replay.exclusive);
}
