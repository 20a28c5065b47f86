/* src/cli/commands/analyze/phase_replay.c: forward and backward replay, and timeline excerpts of the most severe instances. */
#include "analyze.h"

#include "distance.h"
#include "signal_stop.h"
#include "threads.h"
#include "wavefront.h"

enum { DEFAULT_WINDOWS = 100 };

bool
hd_analyze_wants_statistics(const hd_analyze *run)
{
    return run->options->stat || run->options->instances > 0;
}

/* Where there is neither MPI nor OpenMP nobody is known to wait for anybody. */
bool
hd_analyze_uses(const hd_analyze *run, hd_paradigm paradigm)
{
    bool any = false;

    for (uint32_t i = 0; i < run->tree.n; i++)
        any |= hd_defs_regions(run->defs)[run->tree.nodes[i].region].paradigm == paradigm;
    return any;
}

bool
hd_analyze_is_parallel(const hd_analyze *run)
{
    return hd_analyze_uses(run, HD_PARADIGM_MPI) || hd_analyze_uses(run, HD_PARADIGM_OPENMP);
}

bool
hd_analyze_wants_causes(const hd_analyze *run)
{
    bool is_extended = run->options->compat == 0 && (hd_analyze_uses(run, HD_PARADIGM_PTHREAD) || hd_analyze_uses(run, HD_PARADIGM_SHMEM));

    return (hd_analyze_is_parallel(run) || is_extended) && !run->options->no_delay;
}

/* scout 2.6 has none. */
bool
hd_analyze_wants_matrix(const hd_analyze *run)
{
    return hd_analyze_uses(run, HD_PARADIGM_MPI) && run->options->compat == 0 && !run->options->no_matrix;
}

/* Windows of the main window; of a program without MPI, of the run. */
hd_windows
hd_analyze_choose_windows(const hd_analyze *run)
{
    hd_time  begin = run->defs->first_time, end = begin + run->defs->length;
    uint32_t n     = run->options->windows > 0 ? run->options->windows : DEFAULT_WINDOWS;

    if (run->options->no_series || run->options->compat != 0 || run->n_sides > 1)
        return (hd_windows){ .n = 0 };
    if (!run->has_main_window)
        return hd_windows_of(begin, end, n);
    return hd_windows_of(run->interval.from, hd_time_min(run->interval.to, end), n);
}

/* From here on there will be a report, however long it takes. */
static void
begin_backward_replay(void *context)
{
    hd_analyze *run = context;

    hd_stop_has_time();
    hd_progress_phase(&run->progress, &(hd_phase){ .what = "backward replay" });
}

/* Op logs are still there. */
static void
plan_excerpts(void *context, const hd_wait_statistics *statistics)
{
    hd_analyze *run = context;

    if (hd_analyze_wants_statistics(run))
        hd_excerpts_plan(run->analysis_comm, run->trace, statistics, &run->excerpts);
}

/* First to last event of all processes; what a damaged archive has before its begin does not count. */
static void
find_ends(const hd_analyze *run, hd_time *begin, hd_time *end)
{
    *begin = UINT64_MAX;
    *end   = 0;
    for (uint32_t p = 0; p < run->trace->n_processes; p++)
        for (uint32_t t = 0; t < run->trace->processes[p].n_locations; t++) {
            const hd_state_log *log = &run->trace->processes[p].locations[t].states;

            if (log->until == 0)
                continue;
            *begin = hd_time_min(*begin, log->begin);
            *end   = hd_time_max(*end, log->until);
        }
    hd_analysis_comm_reduce(run->analysis_comm, begin, 1, HD_MIN);
    hd_analysis_comm_reduce(run->analysis_comm, end, 1, HD_MAX);
    *begin = hd_time_max(*begin, run->defs->first_time);
}

/* What the analysis is of, where it is not the whole run: n == 0. */
static hd_windows
choose_main(const hd_analyze *run, hd_time begin, hd_time end)
{
    const hd_analysis_interval *main = run->is_wanted != NULL ? &run->share.window : &run->interval;
    hd_time                     from = hd_time_max(main->from, begin), to = hd_time_min(main->to, end);

    if ((!run->has_main_window && run->n_sides == 1) || from >= to || (run->n_sides == 1 && main->from < begin))
        return (hd_windows){ .n = 0 };
    return hd_windows_of(from, to, 1);
}

static hd_windows
choose_efficiency_windows(const hd_analyze *run, const hd_windows *main, hd_time begin)
{
    if (run->n_sides > 1 && main->n > 0 && !run->options->no_series)
        return hd_windows_of(main->from, main->to, run->options->windows > 0 ? run->options->windows : DEFAULT_WINDOWS);
    if (run->windows.n > 0 && (run->windows.from < begin || (run->has_main_window && main->n == 0)))
        return (hd_windows){ .n = 0 }; /* clocks or damage: they are no part of it */
    return run->windows;
}

static hd_slice_kind
main_kind(const hd_analyze *run)
{
    return run->is_wanted != NULL ? HD_SLICE_REGIONS : run->n_sides > 1 ? HD_SLICE_INTERVAL : HD_SLICE_MAIN;
}

/* For each thread of the replay, for add_up_efficiencies(). */
static hd_efficiencies *
begin_efficiencies(hd_analyze *run)
{
    uint32_t         n_threads = hd_placement_n_threads(run->placement);
    hd_efficiencies *of_threads;
    hd_windows       main, windows;
    hd_time          begin, end;

    if (run->states == NULL)
        return NULL;
    find_ends(run, &begin, &end);
    if (begin >= end)
        return NULL;
    main    = choose_main(run, begin, end);
    windows = choose_efficiency_windows(run, &main, begin);
    hd_efficiencies_fini(&run->efficiencies); /* of the simulated run before */
    run->efficiencies = hd_efficiencies_new(begin, end, &main, main_kind(run), &windows);
    if (run->windows.n > 0)
        hd_efficiencies_of_iterations(&run->efficiencies, &run->iterations, run->trace);
    of_threads = HD_NEW_ARRAY(hd_efficiencies, n_threads);
    of_threads[0] = run->efficiencies; /* the first one adds to what will be the sum */
    for (uint32_t t = 1; t < n_threads; t++)
        of_threads[t] = hd_efficiencies_like(&run->efficiencies);
    return of_threads;
}

static void
add_up_efficiencies(hd_analyze *run, hd_efficiencies *of_threads)
{
    for (uint32_t t = 1; of_threads != NULL && t < hd_placement_n_threads(run->placement); t++) {
        hd_efficiencies_add(&run->efficiencies, &of_threads[t]);
        hd_efficiencies_fini(&of_threads[t]);
    }
    free(of_threads);
}

/* What ideal clocks are of. */
static hd_windows
ideal_interval(const hd_analyze *run)
{
    const hd_efficiencies *all = &run->efficiencies;

    if (run->n_sides == 1 || all->n < 2 || !hd_slice_is_main(all->slices[1].kind))
        return (hd_windows){ .n = 0 };
    return hd_windows_of(all->slices[1].from, all->slices[1].to, 1);
}

/* No thread works faster than it did, so the run is at least as long as each of them works. */
static uint64_t
ideal_length(const hd_efficiency_slice *slice, hd_time from, hd_time to)
{
    uint64_t length = from < to ? to - from : 0;

    length = length > slice->sums[HD_EFFICIENCY_max_useful] ? length : slice->sums[HD_EFFICIENCY_max_useful];
    return length > slice->sums[HD_EFFICIENCY_max_outside] ? length : slice->sums[HD_EFFICIENCY_max_outside];
}

static void
end_efficiencies(hd_analyze *run)
{
    const hd_ideal_times *ideal = &run->result.ideal;

    if (run->efficiencies.n == 0)
        return;
    hd_efficiencies_reduce(&run->efficiencies, run->analysis_comm);
    for (size_t i = 0; i < run->efficiencies.n && ideal->is_known; i++) {
        hd_efficiency_slice *slice = &run->efficiencies.slices[i];

        if (slice->kind == HD_SLICE_WHOLE && slice->sums[HD_EFFICIENCY_mpi] == 0)
            slice->ideal = slice->to - slice->from; /* also where a first thread ends before others */
        else if (slice->kind == HD_SLICE_INTERVAL || slice->kind == HD_SLICE_REGIONS ||
                 (slice->kind == HD_SLICE_WHOLE && run->n_sides == 1))
            slice->ideal = ideal_length(slice, slice->from, ideal->end);
        else if (slice->kind == HD_SLICE_MAIN)
            slice->ideal = ideal_length(slice, ideal->init_left,
                                        ideal->finalize_entered > 0 ? ideal->finalize_entered : ideal->end);
        else
            continue;
        /* clocks of other threads begin as recorded, so later than the first one's, which was in MPI before */
        slice->has_ideal = slice->sums[HD_EFFICIENCY_mpi_elsewhere] == 0 || slice->ideal <= slice->to - slice->from;
    }
}

/* They need interval logs. */
static bool
has_time_paths(const hd_analyze *run)
{
    return run->time_paths.tree != NULL && (!run->options->no_delay || !run->options->no_critical_path);
}

hd_status
hd_analyze_replay(hd_analyze *run)
{
    hd_message_patterns messages[4];
    size_t              n_messages = 0;
    uint64_t            n_calls    = run->trace->n_calls;
    hd_threads          threads;

    run->windows    = hd_analyze_choose_windows(run);
    if (hd_analyze_find_loop(run) != HD_OK)
        return HD_EUSAGE;
    if (run->windows.n > 0)
        hd_path_fold_find(run->analysis_comm, run->trace, run->maps, &run->tree, &run->series_paths);
    if (run->windows.n > 0 && run->states != NULL)
        hd_time_paths_init(run->analysis_comm, run->trace, run->maps, &run->tree, run->states, &run->time_paths);
    run->time_paths.classes = run->mpi_classes;
    run->has_causes = hd_analyze_wants_causes(run);
    run->has_path   = hd_analyze_is_parallel(run) && !run->options->no_critical_path;
    if (run->topology.cartesian != NULL) {
        messages[n_messages++] = hd_wavefront_patterns(run->topology.cartesian);
        messages[n_messages++] = hd_distance_in_hops(run->topology.cartesian);
    }
    if (run->topology.machine != NULL)
        messages[n_messages++] = hd_distance_on_machine(run->topology.machine);
    if (run->hop_tables != NULL)
        messages[n_messages++] = hd_hop_tables_patterns(run->hop_tables);
    hd_analysis_comm_reduce(run->analysis_comm, &n_calls, 1, HD_SUM);
    hd_progress_phase(&run->progress, &(hd_phase){ .what = "replay", .own = run->trace->n_calls, .all = n_calls, .unit = "calls" });
    hd_threads_init(&threads, run->defs, &run->tree, run->options->compat != 0);
    threads.efficiencies = begin_efficiencies(run);
    hd_replay_run(&(hd_replay_request){ .analysis_comm = run->analysis_comm, .defs = run->defs, .trace = run->trace, .maps = run->maps,
                      .placement = run->placement, .compat = run->options->compat != 0, .yield = run->yield,
                      .delays = run->has_causes, .critical_path = run->has_path, .compares_work = run->has_causes && run->compared.n > 0,
                      .n_call_paths = run->tree.n, .n_sides = run->n_sides,
                      .ideal = ideal_interval(run), .windows = run->windows, .paths = run->windows.n > 0 ? &run->series_paths : NULL, .iterations = run->windows.n > 0 ? &run->iterations : NULL,
                      .time_paths = has_time_paths(run) ? &run->time_paths : NULL, .all_series = run->options->series == 1, .rma_calls = run->rma_calls,
                      .keeps_logs = run->simulation.simulator != NULL || run->clusters.is_first, .found_delays = run->times == NULL ? run->simulation.found_delays : NULL,
                      .matrix = hd_analyze_wants_matrix(run), .statistics = hd_analyze_wants_statistics(run), .n_worst = run->options->instances,
                      .on_thread = hd_analyze_bind_thread, .context = run, .n_done = &run->progress.done,
                      .patterns = &hd_thread_patterns, .patterns_context = &threads,
                      .messages = messages, .n_messages = n_messages, .stop = hd_stop_mark(), .forward_done = plan_excerpts,
                      .goes_back = begin_backward_replay },
                  &run->result);
    run->has_result = true;
    hd_analyze_give_clusters(run);
    add_up_efficiencies(run, threads.efficiencies);
    hd_threads_fini(&threads);
    if (run->result.stopped != HD_STOPPED_NOWHERE)
        hd_analyze_is_stopped(run, run->result.stopped == HD_STOPPED_FORWARDS ? "while replaying" : "during backward replay");
    if (run->result.stopped == HD_STOPPED_FORWARDS)
        return hd_analyze_end_stopped(run);
    if (run->result.stopped == HD_STOPPED_BACKWARD)
        run->has_causes = run->has_path = false;
    hd_stop_has_time();
    end_efficiencies(run);
    if (run->hop_tables != NULL)
        hd_hop_tables_add_up(run->hop_tables, run->analysis_comm);
    return HD_OK;
}

hd_status
hd_analyze_find_excerpts(hd_analyze *run)
{
    hd_load_request request = hd_analyze_load_request(run);
    hd_status       status;

    if (!hd_analyze_wants_statistics(run) || hd_analyze_is_stopped(run, "while reading timeline excerpts"))
        return HD_OK;
    request.analysis_intervals = NULL; /* excerpts go beyond it */
    hd_progress_phase(&run->progress, &(hd_phase){ .what = "timeline excerpts" });
    status = hd_excerpts_read(run->analysis_comm, &request, run->maps, &run->excerpts);
    return status == HD_ESTOPPED && hd_analyze_is_stopped(run, "while reading timeline excerpts") ? HD_OK : status;
}
