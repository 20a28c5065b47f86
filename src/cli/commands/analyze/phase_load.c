/* src/cli/commands/analyze/phase_load.c: reads the events: clock correction, op logs, and one call tree of all
 * ranks. */
#include "analyze.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "memory.h"
#include "region_metrics.h"
#include "signal_stop.h"
#include "archive_visibility.h"
#include "call_sites.h"

enum { OTHER_FILES = 64 }; /* that the MPI library, hwloc and the report have open, or may want to */

/* Each of them has one file open twice: for the OTF2 library, and to look it over before. */
static uint32_t
n_readers(const hd_analyze *run)
{
    struct rlimit limit;
    uint64_t      others = OTHER_FILES + (run->scratch != NULL ? HD_SCRATCH_FILES : 0), allowed;
    uint64_t      most   = run->options->max_open_files > 0 ? run->options->max_open_files : UINT64_MAX;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        allowed = limit.rlim_cur > others ? limit.rlim_cur - others : 1;
        most    = most < allowed ? most : allowed;
    }
    most = most > 1 ? most / 2 : 1;
    return most > run->n_threads ? run->n_threads : (uint32_t)most;
}

/* Where the trace's logs go when memory is limited. */
hd_status
hd_analyze_open_scratch(hd_analyze *run)
{
    const hd_analyze_options *options = run->options;
    hd_status                 status  = HD_OK;

    if (options->memory_limit > 0)
        status = hd_scratch_open(options->scratch, options->memory_limit, &run->scratch);
    else if (options->scratch != NULL) {
        status = hd_fail(HD_EUSAGE, "\"--scratch\" has an effect only with \"--memory-limit\"");
        hd_fail_detail("try", "--memory-limit 2G --scratch %s", options->scratch);
    }
    if (status != HD_OK && status != HD_EUSAGE) {
        hd_fail_detail("node", "%s, rank %" PRIu32, hd_analysis_comm_node_name(run->analysis_comm),
                       hd_analysis_comm_rank(run->analysis_comm).v);
        hd_fail_detail("try", "--scratch DIR");
    }
    status = hd_agree(run->analysis_comm, status);
    if (status == HD_OK && run->is_rank0 && hd_scratch_stats_get(run->scratch).is_memory)
        fprintf(stderr, "heddle: warning: the scratch directory \"%s\" is itself in memory, so it saves no memory\n"
                        "  try:     --scratch DIR on a disk\n", hd_scratch_directory(run->scratch));
    return status;
}

bool
hd_analyze_reads_counters(const hd_analyze *run)
{
    return run->options->compat == 0 && (run->options->counters == NULL || strcmp(run->options->counters, "none") != 0);
}

hd_load_request
hd_analyze_load_request(hd_analyze *run)
{
    bool is_simulated = run->times == NULL; /* else this is the simulated run */

    return (hd_load_request){ .anchor = run->anchor, .defs = run->defs, .regions = run->regions, .processes = run->processes,
                              .threads = run->threads, .n_processes = run->n_processes, .n_threads = run->n_threads,
                              .n_readers = n_readers(run), .compat = run->options->compat != 0, .reader = run->options->reader,
                              .counters = hd_analyze_reads_counters(run), .level_values = is_simulated && !run->options->no_series, .compared = is_simulated && !run->options->no_delay ? &run->compared : NULL,
                              .analysis_intervals = run->intervals, .finds_main_window = run->has_main_window,
                              .cuts = run->clusters.name != NULL ? &run->clusters.cuts : NULL,
                              .raw_clocks = run->clocks.mode == HD_CLOCK_NONE, .clocks = run->clocks.logs,
                              .times = run->times, .observer = run->observer,
                              .intervals = !run->options->no_delay || !run->options->no_critical_path,
                              .cuts_all = run->options->series == 1 && !run->options->no_series && run->options->compat == 0 &&
                                          run->n_sides == 1, /* else there are no windows */
                              .moments = is_simulated && (run->options->moments || run->options->simulate.n > 0),
                              .marks = is_simulated ? run->simulation.marks : NULL,
                              .states = run->states, .scratch = run->scratch, .n_done = &run->progress.done, .stop = hd_stop_mark(),
                              .on_thread = hd_analyze_bind_thread, .context = run };
}

hd_status
hd_analyze_correct_clocks(hd_analyze *run)
{
    hd_load_request request;
    hd_status       status;

    run->clocks.mode    = (hd_clock_mode)run->options->clock;
    run->clocks.reports = run->options->clock_report;
    request             = hd_analyze_load_request(run);
    if (run->clocks.mode == HD_CLOCK_CLC || run->clocks.reports)
        hd_progress_phase(&run->progress, &(hd_phase){ .what = "correct clocks" });
    status = hd_clocks_prepare(&run->clocks, &request,
        &(hd_clock_request){ .analysis_comm = run->analysis_comm, .defs = run->defs, .placement = run->placement,
                             .yield = run->yield,
                             .stop = hd_stop_mark(), .on_thread = hd_analyze_bind_thread, .context = run });
    if (hd_analyze_is_stopped(run, "while correcting clocks") && (status == HD_OK || status == HD_ESTOPPED))
        return hd_analyze_end_stopped(run);
    return status;
}

/* The main window, and the trace divided by it: loaded again where it was divided elsewhere. */
static hd_status
settle_main_window(hd_analyze *run, const hd_load_request *request)
{
    hd_load_request again = *request;
    uint64_t        fits  = 1;

    run->main_window = hd_main_window_find(run->trace);
    hd_analysis_comm_reduce(run->analysis_comm, &run->main_window.init_left, 1, HD_MIN);
    hd_analysis_comm_reduce(run->analysis_comm, &run->main_window.finalize_entered, 1, HD_MAX);
    if (!run->has_main_window)
        return HD_OK;
    run->has_main_window = run->main_window.init_left != UINT64_MAX;
    if (run->has_main_window) {
        run->interval = hd_main_window_of(&run->main_window);
        fits          = hd_main_window_fits(run->trace, &run->interval);
        for (uint32_t p = 0; p < run->n_processes; p++)
            run->intervals[p].window = run->interval;
    } else {
        free(run->intervals);
        run->intervals = NULL;
        fits           = 0;
    }
    hd_analysis_comm_reduce(run->analysis_comm, &fits, 1, HD_MIN);
    if (fits)
        return HD_OK;
    hd_trace_free(run->trace);
    run->trace               = NULL;
    again.analysis_intervals = run->intervals;
    again.finds_main_window  = false;
    again.n_done             = NULL;
    return hd_agree(run->analysis_comm, hd_trace_load(&again, &run->trace));
}

hd_status
hd_analyze_load(hd_analyze *run)
{
    const hd_process_def *processes = hd_defs_processes(run->defs);
    uint64_t              n_events  = 0;
    hd_load_request       request;
    hd_status             status;

    status = run->times == NULL ? hd_analyze_mark_regions(run) : HD_OK;
    if (status != HD_OK)
        return status;
    for (uint32_t i = 0; i < run->n_processes; i++)
        n_events += processes[run->processes[i]].n_events;
    hd_progress_phase(&run->progress,
                      &(hd_phase){ .what = "load", .own = n_events, .all = run->defs->n_events, .unit = "events" });
    if (run->options->compat == 0 && run->states == NULL) /* loaded once more: simulated runs */
        run->states = hd_region_states(run->defs);
    if (run->options->series == 1 && run->rma_calls == NULL)
        run->rma_calls = hd_region_rma_calls(run->defs);
    if (run->options->series == 1 && run->mpi_classes == NULL)
        run->mpi_classes = hd_region_mpi_classes(run->defs);
    request = hd_analyze_load_request(run);
    status  = hd_agree(run->analysis_comm, hd_trace_load(&request, &run->trace));
    if (status == HD_OK)
        status = settle_main_window(run, &request);
    if (hd_analyze_is_stopped(run, "while loading") && (status == HD_OK || status == HD_ESTOPPED))
        return hd_analyze_end_stopped(run);
    if (status == HD_OK)
        status = hd_analyze_find_iterations(run);
    return status == HD_OK ? hd_check_archive_visibility(run->analysis_comm, run->anchor, run->trace) : status;
}

/* Call paths on other sides of the analysis interval are after those inside, in the process and in the tree. */
static void
map_sides(uint32_t **map, uint32_t n, uint32_t n_unified, uint32_t n_sides)
{
    *map = hd_realloc(*map, n_sides * (size_t)n + 1, sizeof **map);
    for (size_t i = n; i < n_sides * (size_t)n; i++)
        (*map)[i] = (*map)[i - n] + n_unified;
}

static void
unify_call_sites(hd_analyze *run)
{
    hd_process_sites *sites = HD_NEW_ARRAY(hd_process_sites, run->n_processes);

    for (uint32_t i = 0; i < run->n_processes; i++) {
        const hd_loaded_process *process = &run->trace->processes[i];

        sites[i] = (hd_process_sites){ .sites = process->call_sites, .map = run->maps[i], .n = process->n_nodes };
    }
    run->call_sites = hd_call_sites_unify(run->analysis_comm, sites, run->n_processes, run->tree.n);
    if (hd_analysis_comm_rank(run->analysis_comm).v == 0)
        run->call_sites = hd_call_sites_add_defined(run->call_sites, run->defs, &run->tree);
    free(sites);
}

/* A process whose map is that of the one before shares it, as most do in programs whose processes do the same. */
static void
share_map(uint32_t **maps, uint32_t i, const hd_process_tree *trees, uint32_t n_sides)
{
    size_t bytes = (size_t)n_sides * trees[i].n * sizeof *maps[i];

    if (i == 0 || trees[i - 1].n != trees[i].n || memcmp(maps[i - 1], maps[i], bytes) != 0)
        return;
    free(maps[i]);
    maps[i] = maps[i - 1];
}

hd_status
hd_analyze_unify(hd_analyze *run)
{
    hd_process_tree *trees = HD_NEW_ARRAY(hd_process_tree, run->n_processes);

    hd_progress_phase(&run->progress, &(hd_phase){ .what = "unify call trees" });
    run->maps = HD_NEW_ARRAY(uint32_t *, run->n_processes);
    for (uint32_t i = 0; i < run->n_processes; i++) {
        const hd_loaded_process *process = &run->trace->processes[i];

        trees[i] = (hd_process_tree){ .process = process->process, .nodes = process->nodes, .n = process->n_nodes };
    }
    hd_calltree_unify(run->analysis_comm, trees, run->n_processes, &run->tree, run->maps);
    if (run->defs->n_contexts > 0 && run->options->compat == 0)
        unify_call_sites(run);
    for (uint32_t i = 0; i < run->n_processes; i++) {
        if (run->n_sides > 1)
            map_sides(&run->maps[i], trees[i].n, run->tree.n, run->n_sides);
        share_map(run->maps, i, trees, run->n_sides);
        hd_loaded_process_drop_tree(&run->trace->processes[i]);
    }
    free(trees);
    return HD_OK;
}

void
hd_analyze_drop_trace(hd_analyze *run)
{
    for (uint32_t i = 0; run->maps != NULL && i < run->n_processes; i++)
        if (i + 1 == run->n_processes || run->maps[i + 1] != run->maps[i]) /* the last one that shares it */
            free(run->maps[i]);
    free(run->maps);
    hd_calltree_fini(&run->tree);
    free(run->call_sites);
    hd_trace_free(run->trace);
    run->maps       = NULL;
    run->call_sites = NULL;
    run->trace      = NULL;
}
