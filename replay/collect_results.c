/* replay/collect_results.c: brings together what profile, forward and backward replay found, worker by worker, in the
 * order of the locations. Tables of causes of all ranks are merged at the end. */
#include "collect_results.h"

#include "backward.h"
#include "booked_times.h"
#include "cause_slices.h"
#include "comm_members.h"
#include "critical_path.h"
#include "ideal_clock.h"
#include "message_matrix.h"
#include "profile_rows.h"
#include "result_rows.h"
#include "sync_store.h"
#include "sync_team.h"
#include "unfinished.h"

#define MAX_CAUSES 16384 /* rows that a report keeps */
#define MAX_PAIRS  1024

/* What other interfaces opened is not what the program asked for. */
static void
add_files(hd_vproc *vproc, const hd_defs *defs)
{
    static const hd_metric metrics[2][5] = {
        { HD_METRIC_io_reads, HD_METRIC_io_writes, HD_METRIC_io_others, HD_METRIC_io_bytes_read,
          HD_METRIC_io_bytes_written },
        { HD_METRIC_io_inner_operations, HD_METRIC_io_inner_operations, HD_METRIC_io_inner_operations,
          HD_METRIC_io_inner_bytes_read, HD_METRIC_io_inner_bytes_written },
    };
    const hd_loaded_location *location = vproc->location;

    for (size_t i = 0; i < location->more->n_file_uses; i++) {
        const hd_file_use *use      = &location->more->file_uses[i];
        const uint64_t     values[] = { use->reads, use->writes, use->others, use->bytes_read, use->bytes_written };
        bool               is_inner = hd_defs_files(defs)[use->file].is_inner != 0;

        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            if (values[v] != 0)
                hd_severity_add(&vproc->severities, metrics[is_inner][v], use->node, (int64_t)values[v]);
    }
}

static bool
is_before(const hd_severity *a, const hd_severity *b)
{
    return a->call_path < b->call_path || (a->call_path == b->call_path && a->metric < b->metric);
}

/* Adds a row to sorted ones; there is room for it. */
static void
insert_row(hd_severity *rows, size_t *n, const hd_severity *row)
{
    size_t low = 0, high = *n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (is_before(&rows[middle], row))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == *n || is_before(row, &rows[low])) {
        memmove(&rows[low + 1], &rows[low], (*n - low) * sizeof *rows);
        rows[low] = *row;
        ++*n;
    } else if (rows[low].value + row->value != 0)
        rows[low].value += row->value;
    else
        memmove(&rows[low], &rows[low + 1], (--*n - low) * sizeof *rows);
}

/* Call paths from n_call_paths on are those outside of the main window, which are the same ones: what is there is part
 * of what is at those. */
static void
join_startup(hd_location_result *result, uint32_t n_call_paths)
{
    size_t n_inside = result->n;

    while (n_inside > 0 && result->entries[n_inside - 1].call_path >= n_call_paths)
        n_inside--;
    result->n_startup = result->n - n_inside;
    result->startup   = HD_NEW_ARRAY(hd_severity, result->n_startup + 1);
    for (size_t i = 0; i < result->n_startup; i++) {
        result->startup[i] = result->entries[n_inside + i];
        result->startup[i].call_path -= n_call_paths;
    }
    result->n = n_inside;
    for (size_t i = 0; i < result->n_startup; i++)
        insert_row(result->entries, &result->n, &result->startup[i]);
}

/* Those of the analysis interval. */
static void
take_counters(const hd_replay *replay, const hd_vproc *vproc, const uint32_t *map, bool has_main,
              hd_location_result *result)
{
    const hd_counter_def *counters = hd_defs_counters(replay->defs);
    uint32_t              n        = replay->defs->n_counters, n_paths = replay->request->n_call_paths;
    hd_location_counters  inside;

    if (vproc->location->more->n_counter_nodes == 0 || n == 0)
        return;
    inside = hd_location_counters_take(vproc->location, map, counters, n, 0, n_paths);
    if (has_main) {
        result->startup_counters = hd_location_counters_take(vproc->location, map, counters, n, n_paths, 2 * n_paths);
        result->counters         = hd_location_counters_sum(&inside, &result->startup_counters, counters, n);
        hd_location_counters_fini(&inside);
    } else
        result->counters = inside;
}

static bool
are_packed(const hd_replay *replay)
{
    return replay->goes_back && replay->n_vprocs >= HD_PACKED_FROM;
}

static void
take_vproc(const hd_replay *replay, hd_vproc *vproc, hd_severities *severities, hd_location_result *result)
{
    const hd_analysis_intervals *intervals = vproc->process->analysis_intervals;
    uint32_t                    *map       = HD_NEW_ARRAY(uint32_t, vproc->location->n_nodes);
    bool                         has_main  = intervals != NULL && intervals->is_main_window;
    size_t                       n_profile;
    hd_severity                 *profile   = hd_profile_rows_take(vproc, &n_profile);

    for (uint32_t i = 0; i < vproc->location->n_nodes; i++) {
        map[i] = hd_vproc_call_path_if_any(vproc, i);
        if (has_main && map[i] != HD_NONE && (i & HD_OUTSIDE) != 0)
            map[i] += replay->request->n_call_paths;
    }
    result->location = vproc->location->location;
    result->entries  = hd_severities_take_with(severities, profile, n_profile, map, &result->n);
    free(profile);
    if (has_main)
        join_startup(result, replay->request->n_call_paths);
    take_counters(replay, vproc, map, has_main, result);
    free(map);
    if (are_packed(replay))
        hd_result_rows_pack(result);
}

typedef struct visiting {
    hd_collection *c;
    void         (*visit)(hd_collection *c, hd_worker *worker, hd_vproc *vprocs, hd_location_result *results);
} visiting;

static void
visit_process(void *context, hd_worker *worker, hd_vproc *vprocs)
{
    const visiting *v = context;

    v->visit(v->c, worker, vprocs, &v->c->result->locations[vprocs->number]);
}

/* The processes of one worker, on its thread: the first vproc of each, and its results. */
static void
each_process(hd_collection *c, hd_worker *worker,
             void (*visit)(hd_collection *c, hd_worker *worker, hd_vproc *vprocs, hd_location_result *results))
{
    hd_each_process(c->replay, worker, visit_process, &(visiting){ c, visit });
}

typedef struct process_at { /* context of an hd_wait_sink */
    hd_replay_worker *rh;
    hd_vproc       *vprocs;
} process_at;

static void
note_threads(void *context, const hd_instance *instance)
{
    const process_at *at    = context;
    hd_instance       whole = *instance;

    if (hd_node_is_outside(at->rh->replay, whole.waiters[0].call_path)) /* then all are */
        return;
    for (uint32_t i = 0; i < whole.n_waiters; i++) {
        whole.waiters[i].process   = at->vprocs->process_id;
        whole.waiters[i].call_path = hd_vproc_call_path(&at->vprocs[whole.waiters[i].thread],
                                                        whole.waiters[i].call_path);
    }
    whole.peer = at->vprocs->process_id;
    hd_instance_table_add(at->rh->statistics, &whole);
}

/* The patterns within the process, and what is known of its locations then. */
static void
book_process(hd_collection *c, hd_worker *worker, hd_vproc *vprocs, hd_location_result *results)
{
    const hd_team_sink         sink       = { hd_sync_add_team_point, hd_sync_add_time_move, vprocs };
    process_at                 at         = { hd_replay_worker_of(c->replay, worker), vprocs };
    const hd_wait_sink         waits      = { note_threads, &at };
    const hd_process_patterns *patterns   = c->replay->request->patterns;
    const hd_loaded_process   *process    = vprocs->process;
    hd_severities            **severities = HD_NEW_ARRAY(hd_severities *, process->n_locations);

    for (uint32_t i = 0; i < process->n_locations; i++) {
        if (!c->replay->request->compat)
            add_files(&vprocs[i], c->replay->defs);
        severities[i] = &vprocs[i].severities;
    }
    if (patterns != NULL)
        patterns->book(c->replay->request->patterns_context, hd_worker_thread(worker), process, severities,
                       vprocs->series,
                       c->replay->goes_back ? &sink : NULL,
                       at.rh->statistics != NULL ? &waits : NULL);
    for (uint32_t i = 0; i < process->n_locations; i++) {
        take_vproc(c->replay, &vprocs[i], &vprocs[i].severities, &results[i]);
        hd_severities_fini(&vprocs[i].severities);
        free(vprocs[i].links);
        hd_table_fini(&vprocs[i].send_channels);
    }
    free(severities);
}

static void
gather_statistics(hd_replay *replay, hd_replay_result *result)
{
    for (uint32_t t = 1; t < hd_placement_n_threads(replay->request->placement); t++) {
        hd_instance_table_merge(replay->workers[0].statistics, replay->workers[t].statistics);
        hd_instance_table_free(replay->workers[t].statistics);
        replay->workers[t].statistics = NULL;
    }
    result->statistics = hd_instance_table_gather(replay->workers[0].statistics, replay->request->analysis_comm);
    hd_instance_table_free(replay->workers[0].statistics);
    replay->workers[0].statistics = NULL;
}

static void
book_worker(void *context, hd_worker *worker)
{
    each_process(context, worker, book_process);
}

/* Those of a process by window. */
static void
take_windows(hd_replay_result *result, hd_wait_series *of_process, uint32_t process, uint32_t n_processes)
{
    hd_series_take(&result->series, &result->path_series,
                   &(hd_series_request){ of_process->times,
                                         of_process->sums != NULL ? of_process->sums->windows : NULL,
                                         of_process->windows->n + 2, process, n_processes });
}

enum { MANY_BYTES = 1 << 20 };

/* Tables that are freed leave gaps, and rows are in large blocks. */
void
hd_collect_series(hd_collection *c)
{
    hd_replay               *replay         = c->replay;
    hd_replay_result        *result         = c->result;
    const hd_replay_request *request        = replay->request;
    uint32_t                 n_processes    = replay->defs->n_processes;
    bool                     has_iterations = hd_has_iterations(request->iterations);
    size_t                   freed_bytes    = 0;

    if (replay->series == NULL)
        return;
    if (has_iterations)
        hd_iteration_series_init(&result->iterations, request->iterations);
    result->series.n_slices = request->windows.n + 2;
    hd_path_series_init(&result->path_series, request->windows.n + 2);
    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        if (replay->vprocs[i].thread == 0)
            hd_wait_series_flush(&replay->series[i]);
    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        if (replay->vprocs[i].thread != 0)
            continue;
        freed_bytes += replay->series[i].times != NULL ? hd_record_run_bytes(&replay->series[i].times->run) : 0;
        take_windows(result, &replay->series[i], replay->vprocs[i].process_id, n_processes);
        if (has_iterations)
            hd_iteration_series_take(&result->iterations, &replay->series[i], replay->vprocs[i].process_id,
                                     n_processes);
        free(replay->series[i].times);
        free(replay->series[i].sums);
        if (replay->series[i + 1].places != replay->series[i].places) /* the last one that shares them */
            free((void *)(uintptr_t)replay->series[i].places);
        if (freed_bytes > MANY_BYTES) {
            hd_give_back();
            freed_bytes = 0;
        }
    }
    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        replay->vprocs[i].series = NULL;
    free(replay->series);
    replay->series = NULL;
}

void
hd_gather_series(hd_collection *c)
{
    const hd_replay_request *request     = c->replay->request;
    hd_replay_result        *result      = c->result;
    uint32_t                 n_processes = c->replay->defs->n_processes;

    if (request->windows.n == 0)
        return;
    hd_series_gather_packed(&result->series, request->analysis_comm, n_processes);
    hd_path_series_gather(&result->path_series, request->analysis_comm, n_processes);
    hd_iteration_series_gather(&result->iterations, request->analysis_comm, n_processes);
}

/* Of the run, or of the interval where one is asked for. */
static hd_time
ideal_end(const hd_vproc *vproc, const hd_windows *interval)
{
    if (interval->n > 0)
        return hd_ideal_at_end(vproc, hd_time_min(interval->to, vproc->location->states.until));
    return vproc->ideal.now + (hd_time)vproc->location->log.rest_outside;
}

/* The first thread of a process stands for it. */
static void
gather_ideal(const hd_replay *replay, hd_ideal_times *ideal)
{
    hd_analysis_comm *analysis_comm = replay->request->analysis_comm;
    uint64_t          latest[2]     = { 0, 0 };

    ideal->is_known  = replay->has_ideal;
    ideal->init_left = UINT64_MAX;
    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        const hd_vproc       *vproc = &replay->vprocs[i];
        const hd_ideal_clock *clock = &vproc->ideal;

        if (clock->has_init)
            ideal->init_left = hd_time_min(ideal->init_left, clock->init_left);
        if (clock->has_finalize)
            latest[0] = hd_time_max(latest[0], clock->finalize_entered);
        if (vproc->thread == 0)
            latest[1] = hd_time_max(latest[1], ideal_end(vproc, &replay->request->ideal));
    }
    hd_analysis_comm_reduce(analysis_comm, &ideal->init_left, 1, HD_MIN);
    hd_analysis_comm_reduce(analysis_comm, latest, 2, HD_MAX);
    ideal->finalize_entered = latest[0];
    ideal->end              = latest[1];
}

void
hd_collect_forward(hd_collection *c, hd_engine *engine)
{
    c->result->n_locations = c->replay->n_vprocs;
    c->result->locations   = HD_NEW_ARRAY(hd_location_result, c->result->n_locations);
    hd_engine_each_worker(engine, book_worker, c);
    gather_ideal(c->replay, &c->result->ideal);
    if (c->replay->request->statistics)
        gather_statistics(c->replay, c->result);
    if (c->replay->request->matrix) {
        hd_message_matrix_take(c->replay, &c->result->matrix);
        hd_matrix_gather(&c->result->matrix, c->replay->request->analysis_comm);
    }
    if (!c->replay->request->compat) {
        const hd_trace *trace = c->replay->request->trace;

        for (uint32_t p = 0; p < trace->n_processes; p++)
            hd_file_table_add(&c->result->files, &trace->processes[p]);
        c->result->has_files = hd_file_table_gather(&c->result->files, c->replay->request->analysis_comm);
    }
    hd_unfinished_gather(c->replay, &c->result->unfinished);
    for (uint32_t t = 0; t < hd_placement_n_threads(c->replay->request->placement); t++)
        hd_channel_queues_fini(&c->replay->workers[t].channel_queues);
}

static bool
is_unattributed(uint32_t metric)
{
    for (hd_delay delay = 0; delay < HD_N_DELAYS; delay++)
        if (metric == hd_delay_infos[delay].unattributed)
            return true;
    return false;
}

/* What is booked outside of the interval goes, or, from the window of regions of interest, to `window`. But a wait
 * outside that had others inside follow, and that is unattributed, is reported at its call path. */
static void
drop_outside(const hd_sides *sides, hd_location_result *result)
{
    size_t   n_window;
    hd_costs costs;

    while (result->n > 0 && hd_is_beyond(sides, result->entries[result->n - 1].call_path))
        result->n--;
    n_window = result->n;
    while (result->n > 0 && hd_is_outside(sides, result->entries[result->n - 1].call_path))
        result->n--;
    result->n_window = n_window - result->n;
    if (result->n_window > 0)
        result->window = HD_NEW_ARRAY(hd_severity, result->n_window);
    for (size_t i = 0; i < result->n_window; i++) {
        result->window[i]           = result->entries[result->n + i];
        result->window[i].call_path = hd_inner_call_path(sides, result->window[i].call_path);
    }
    hd_costs_init(&costs);
    for (size_t i = 0; i < result->n_costs; i++) {
        const hd_cost *cost = &result->costs[i];

        if (!hd_is_outside(sides, cost->call_path))
            hd_cost_add(&costs, (hd_metric)cost->metric, cost->call_path, cost->value);
        else if (is_unattributed(cost->metric))
            hd_cost_add(&costs, (hd_metric)cost->metric, hd_inner_call_path(sides, cost->call_path), cost->value);
    }
    if (result->costs != NULL) {
        free(result->costs);
        result->costs = hd_costs_take(&costs, NULL, &result->n_costs);
    }
    hd_costs_fini(&costs);
}

/* While the first thread is outside of the main window, it makes others idle. */
static void
book_idle_of_startup(hd_vproc *master, const hd_location_result *worker)
{
    for (size_t i = 0; i < worker->n_startup; i++) {
        const hd_severity *entry = &worker->startup[i];

        if (entry->metric == HD_METRIC_omp_idle_threads || entry->metric == HD_METRIC_omp_limited_parallelism)
            hd_cost_add(&master->startup_costs, HD_METRIC_delay_ompidle, entry->call_path,
                        entry->metric == HD_METRIC_omp_idle_threads ? (double)entry->value : -(double)entry->value);
    }
}

/* What patterns make of the results of all locations of a process, they make of the part in the main window, too. */
static void
finish_patterns(hd_collection *c, hd_vproc *vprocs, hd_location_result *results)
{
    const hd_process_patterns *patterns = c->replay->request->patterns;
    const hd_loaded_process   *process  = vprocs->process;
    hd_location_result        *inside;

    if (process->analysis_intervals == NULL || !process->analysis_intervals->is_main_window ||
        process->n_locations == 1) { /* one location alone has nothing to do with others */
        patterns->finish(c->replay->request->patterns_context, process, results);
        return;
    }
    inside = HD_NEW_ARRAY(hd_location_result, process->n_locations);
    for (uint32_t i = 0; i < process->n_locations; i++) {
        inside[i].location = results[i].location;
        inside[i].entries  = hd_severities_difference(results[i].entries, results[i].n, results[i].startup,
                                                      results[i].n_startup, &inside[i].n);
    }
    patterns->finish(c->replay->request->patterns_context, process, results);
    patterns->finish(c->replay->request->patterns_context, process, inside);
    for (uint32_t i = 0; i < process->n_locations; i++) {
        free(results[i].startup);
        results[i].startup = hd_severities_difference(results[i].entries, results[i].n, inside[i].entries, inside[i].n,
                                                      &results[i].n_startup);
        free(inside[i].entries);
        if (i > 0 && c->has_costs)
            book_idle_of_startup(vprocs, &results[i]);
    }
    free(inside);
}

static void
finish_process(hd_collection *c, hd_worker *worker, hd_vproc *vprocs, hd_location_result *results)
{
    (void)worker;
    for (uint32_t i = 0; i < vprocs->process->n_locations; i++) {
        if (are_packed(c->replay) && !c->has_path)
            hd_result_rows_unpack(&results[i]);
        if (c->has_path)
            hd_critical_path_share(c->replay, c->path, &vprocs[i]);
        if (c->has_costs)
            results[i].costs = hd_costs_take(&vprocs[i].costs, NULL, &results[i].n_costs);
        hd_costs_fini(&vprocs[i].costs);
    }
    for (uint32_t i = 0; i < vprocs->process->n_locations && hd_sides_has(&c->replay->sides); i++)
        drop_outside(&c->replay->sides, &results[i]);
    if (c->replay->request->patterns != NULL)
        finish_patterns(c, vprocs, results);
    for (uint32_t i = 0; i < vprocs->process->n_locations; i++) {
        results[i].startup_costs = hd_costs_take(&vprocs[i].startup_costs, NULL, &results[i].n_startup_costs);
        hd_costs_fini(&vprocs[i].startup_costs);
    }
}

static void
finish_worker(void *context, hd_worker *worker)
{
    hd_collection  *c       = context;
    hd_replay_worker *rh    = hd_replay_worker_of(c->replay, worker);
    hd_scratch     *scratch = c->replay->scratch;

    each_process(c, worker, finish_process);
    hd_reduction_tree_scratch_fini(&rh->scratch);
    for (size_t i = 0; i < rh->n_lists; i++)
        hd_scratch_free(scratch, rh->lists[i]);
    hd_scratch_free(scratch, rh->lists);
    for (size_t i = 0; i < rh->n_node_maps; i++)
        free(rh->node_maps[i]);
    free(rh->node_maps);
    hd_backward_worker_fini(rh);
    hd_comm_members_fini(rh);
}

static void
add_to_path(hd_collection *c, hd_worker *worker, hd_vproc *vprocs, hd_location_result *results)
{
    for (uint32_t i = 0; i < vprocs->process->n_locations; i++) {
        if (are_packed(c->replay))
            hd_result_rows_unpack(&results[i]);
        hd_critical_path_add(hd_replay_worker_of(c->replay, worker), c->path, hd_worker_thread(worker), &vprocs[i],
                             &results[i]);
        hd_syncs_drop(vprocs[i].syncs);
    }
}

static void
add_to_path_worker(void *context, hd_worker *worker)
{
    each_process(context, worker, add_to_path);
}

static void
forget_vproc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    (void)rh, (void)worker;
    hd_syncs_drop(vproc->syncs);
}

static void
forget_syncs(void *context, hd_worker *worker)
{
    hd_each_vproc(context, worker, forget_vproc);
}

void
hd_collect_backward(hd_collection *c, hd_engine *engine)
{
    hd_critical_path path = { 0 };

    c->path = &path;
    if (c->has_path) {
        hd_critical_path_collect(c->replay, &path);
        hd_collect_path_times(c->replay, engine, path.lengths, c->result);
        hd_engine_each_worker(engine, add_to_path_worker, c);
        hd_critical_path_reduce(c->replay, &path);
    } else
        hd_engine_each_worker(engine, forget_syncs, c->replay);
    hd_engine_each_worker(engine, finish_worker, c);
    hd_critical_path_fini(&path);
    c->path = NULL;
}

static void
add_stats(hd_engine_stats *sum, const hd_engine_stats *thread)
{
    sum->n_worker_items += thread->n_worker_items;
    sum->n_thread_items += thread->n_thread_items;
    sum->n_rank_items += thread->n_rank_items;
    sum->n_messages += thread->n_messages;
    sum->message_bytes += thread->message_bytes;
    sum->n_blocks += thread->n_blocks;
    sum->idle_ns += thread->idle_ns;
    sum->run_ns += thread->run_ns;
}

/* Kinds stay apart; no row is dropped. */
static hd_cause_lags
gather_lags(hd_replay *replay)
{
    const hd_cause_selection all    = { .most = SIZE_MAX, .lump = hd_cause_lump_effects };
    hd_causes                slices = hd_cause_table_gather(&replay->workers[0].slices, replay->request->analysis_comm,
                                                            &all);
    hd_cause_lags            lags   = hd_cause_lags_of(&slices);

    free(slices.rows);
    return lags;
}

static void
gather_causes(hd_replay *replay, hd_replay_result *result, bool wanted)
{
    hd_analysis_comm        *analysis_comm = replay->request->analysis_comm;
    const hd_cause_selection causes        = { .most = MAX_CAUSES, .lump = hd_cause_lump_effects };
    const hd_cause_selection pairs         = { .most = MAX_PAIRS, .lump = hd_cause_lump_processes, .is_local = true };

    for (uint32_t t = 1; t < hd_placement_n_threads(replay->request->placement); t++) {
        hd_cause_table_merge(&replay->workers[0].causes, &replay->workers[t].causes);
        hd_cause_table_merge(&replay->workers[0].pairs, &replay->workers[t].pairs);
        hd_cause_table_fini(&replay->workers[t].causes);
        hd_cause_table_merge(&replay->workers[0].slices, &replay->workers[t].slices);
        hd_cause_table_fini(&replay->workers[t].pairs);
        hd_cause_table_fini(&replay->workers[t].slices);
    }
    hd_cause_slices_end(replay);
    if (!wanted) {
        hd_cause_table_fini(&replay->workers[0].causes);
        hd_cause_table_fini(&replay->workers[0].pairs);
        hd_cause_table_fini(&replay->workers[0].slices);
        return;
    }
    result->cause_fraction = replay->cause_fraction;
    result->causes         = hd_cause_table_gather(&replay->workers[0].causes, analysis_comm, &causes);
    result->pairs          = hd_cause_table_gather(&replay->workers[0].pairs, analysis_comm, &pairs);
    result->lags           = gather_lags(replay);
}

/* A location's rows are all of one worker. */
static void
gather_work(hd_replay *replay, hd_replay_result *result)
{
    hd_work_table_init(&result->work);
    for (uint32_t t = 0; t < hd_placement_n_threads(replay->request->placement); t++)
        hd_work_table_take(&result->work, &replay->workers[t].work);
    if (replay->request->compares_work)
        hd_work_table_gather(&result->work, replay->request->analysis_comm);
}

void
hd_collect_workers(hd_collection *c, hd_engine *engine)
{
    hd_replay        *replay    = c->replay;
    hd_replay_result *result    = c->result;
    uint32_t          n_threads = hd_placement_n_threads(replay->request->placement);

    result->threads = HD_NEW_ARRAY(hd_engine_stats, n_threads);
    for (uint32_t t = 0; t < n_threads; t++) {
        hd_replay_worker *rh = &replay->workers[t];

        result->threads[t] = hd_engine_stats_get(engine, t);
        add_stats(&result->stats, &result->threads[t]);
        for (size_t i = 0; i < rh->findings.n; i++) {
            rh->findings.rows[i].call_path = hd_inner_call_path(&replay->sides, rh->findings.rows[i].call_path);
            hd_findings_add(&result->findings, rh->findings.rows[i]);
        }
        result->n_received += rh->n_received;
        result->n_collectives += rh->n_collectives;
        hd_findings_fini(&rh->findings);
    }
    gather_causes(replay, result, c->has_costs);
    gather_work(replay, result);
}
