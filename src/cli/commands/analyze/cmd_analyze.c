/* heddle analyze: from an archive to a report, on all analysis ranks together. The phases stand in phases[] of this file. */
#include "cmd_analyze.h"

#include <stdlib.h>

#include "analyze.h"
#include "launcher.h"

#define FIELD(field) offsetof(hd_analyze_options, field)
static const hd_option analyze_options[] = {
    { "output", 'o', HD_TEXT, "(heddle.cubex beside the archive's anchor)", "REPORT.cubex", "name of the report",
        FIELD(output) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing report", FIELD(force) },
    { "html", 0, HD_FLAG, NULL, NULL, "also write the report as an HTML page, under its name with .html for .cubex", FIELD(html) },
    { "traces-per-rank", 0, HD_COUNT, "(no limit)", "N", "limit on processes of the program per analysis rank",
        FIELD(traces_per_rank) },
    { "threads", 't', HD_THREADS, "(OMP_NUM_THREADS, or the cores of the rank, shared with the other ranks of its node)", "T",
        "replay threads of each analysis rank", FIELD(threads) },
    { "max-open-files", 0, HD_COUNT, "(what the system allows)", "N",
        "limit on open archive files per analysis rank (two per reading thread); threads beyond the limit do not read",
        FIELD(max_open_files) },
    { "placement", 0, HD_CHOICE, "block", "block|cyclic|node",
        "process placement on ranks: block (neighbours together, balanced by events), cyclic, or node (processes of one node "
        "of the program together)",
        FIELD(placement) },
    { "bind", 0, HD_CHOICE, "core", "core|pu|numa|none", "binding of replay threads", FIELD(bind) },
    HD_OPTION_MPI(FIELD(mpi)),
    { "show-placement", 0, HD_FLAG, NULL, NULL, "print the core and the processes of each replay thread",
        FIELD(show_placement) },
    { "compat", 0, HD_CHOICE, "none", "none|scout26", "compute the numbers of the trace analyser of Scalasca 2.6",
        FIELD(compat) },
    { "clock", 0, HD_CHOICE, "linear", "none|linear|clc",
        "timestamp correction: none; linear (interpolate the measured clock offsets); clc (linear, then controlled logical clock, "
        "which corrects messages received before they were sent)",
        FIELD(clock) },
    { "clock-report", 0, HD_FLAG, NULL, NULL,
        "print clock drift, violations of the clock condition and their correction; a line for each location in "
        "REPORT.clocks.tsv",
        FIELD(clock_report) },
    { "topology", 0, HD_TEXT, "(the first one of the archive that all MPI processes are on, else the first)", "TOPOLOGY",
        "the process topology for message statistics: a name from the archive, grid:4x4, torus:8x8x8, file:PATH with coordinates "
        "of ranks or hosts, or none; and slurm:PATH, the switches of the site, alone or after a grid and a comma", FIELD(topology) },
    { "from", 0, HD_TIME, "0", "T", "start of the analysis interval: seconds since the first event, or a number with s, ms, us or ns",
        FIELD(from) },
    { "to", 0, HD_TIME, "END", "T", "end of the analysis interval; time is clipped to it, and a call's waiting counts only if the call lies entirely inside", FIELD(to) },
    { "roi", 0, HD_TEXTS, NULL, "REGION",
        "region of interest: only what happens in instances of this region counts, as for --from and --to; causes of waits and the critical path "
        "count from its first enter to its last leave; may be given several times",
        FIELD(regions) },
    { "no-delay", 0, HD_FLAG, NULL, NULL, "do not compute delay costs, the root causes of wait states",
        FIELD(no_delay) },
    { "no-critical-path", 0, HD_FLAG, NULL, NULL, "do not compute the critical path and its performance impact",
        FIELD(no_critical_path) },
    { "no-matrix", 0, HD_FLAG, NULL, NULL, "do not compute the communication matrix, which adds about 50 bytes to the report for each pair of processes",
        FIELD(no_matrix) },
    HD_OPTION_READER(FIELD(reader)),
    { "no-demangle", 0, HD_FLAG, NULL, NULL, "show names of C++ and Fortran functions as they were recorded, not as in the source",
        FIELD(no_demangle) },
    { "stat", 0, HD_FLAG, NULL, NULL,
        "statistics of wait-state instances per call path, and the most severe ones: in the report, in the summary, and "
        "in REPORT.stat for timeline viewers",
        FIELD(stat) },
    { "instances", 0, HD_SMALL_COUNT, "(the most severe of each call path)", "N",
        "keep the N most severe instances of each wait state, with time, waiting process and its peer; implies --stat", FIELD(instances) },
    { "windows", 0, HD_SMALL_COUNT, "100", "N",
        "time series: waiting time of each process in N windows of equal length, which divide the main window; at most 1024", FIELD(windows) },
    { "iterations", 0, HD_TEXTS, "(regions that the archive marks as dynamic, else a loop that is found in the MPI calls)", "REGION|none",
        "region whose instances are the iterations of the program: time series over them; may be given several times, then the one with the longest time counts; none: there are none",
        FIELD(iterations) },
    { "cluster", 0, HD_SMALL_COUNT, "(no such nodes)", "N",
        "nodes in the call tree for clusters of iterations that are alike, at most N of them (1 to 64): below the region of the iterations, or the innermost one that is around all of them; the archive is read twice",
        FIELD(cluster) },
    { "series", 0, HD_CHOICE, "best", "best|all",
        "time by call path over windows and iterations: best: computation where it grows or shrinks over iterations; all: computation, MPI and OpenMP always, and the critical path, classes of MPI calls, visits, messages and bytes, and delay costs of processes that delay", FIELD(series) },
    { "no-series", 0, HD_FLAG, NULL, NULL, "do not compute time series", FIELD(no_series) },
    { "simulate", 0, HD_TEXTS, NULL, "TEXT|FILE",
        "also predict the run time with something changed, in the report: a hypothesis of heddle simulate, \"advice\", \"curves\", \"curve SELECTION\", or a file of them; may be given several times",
        FIELD(simulate) },
    { "derived", 0, HD_TEXT, NULL, "FILE",
        "formulas of metrics that are computed from counters, besides those built in, one a line, such as: ipc [instructions/cycle] \"Instructions per cycle\" = {PAPI_TOT_INS|instructions} / {PAPI_TOT_CYC|cycles}",
        FIELD(derived) },
    { "counters", 0, HD_TEXT, "(instructions, cycles, CPU time and last-level misses, those that were recorded)", "NAME,...|none",
        "counters that root causes are compared by with those that waited for them: at most 8; none: counters are not read", FIELD(counters) },
    { "memory-limit", 0, HD_BYTES, "(no limit)", "BYTES",
        "memory limit of each analysis rank, such as 2G: data that grows with the trace length goes to files in a "
        "scratch directory (out of core)",
        FIELD(memory_limit) },
    { "scratch", 0, HD_TEXT, "(TMPDIR, or /tmp)", "DIR",
        "scratch directory for --memory-limit, on a local disk of each node; its files are removed at the end",
        FIELD(scratch) },
    { "with-startup", 0, HD_FLAG, NULL, NULL, "count MPI_Init and MPI_Finalize, too, in the summary and the page: in sums, percentages, wait states and root causes",
        FIELD(with_startup) },
    { "no-summary", 0, HD_FLAG, NULL, NULL, "write the report without printing a summary", FIELD(no_summary) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print warnings and errors only", FIELD(quiet) },
    { "verbose", 'v', HD_FLAG, NULL, NULL, "print the time of each phase, message counters of the replay, and all counters in the summary", FIELD(verbose) },
    HD_OPTION_HELP,
};

static void
end_all_ranks(void *context)
{
    hd_analyze *run = context;

    hd_output_unclaim(run->output);
    hd_output_drop(run->output);
    hd_analysis_comm_abort(run->analysis_comm, HD_EXIT_ERROR);
}

void
hd_analyze_begin(hd_analyze *run, hd_progress_level level)
{
    run->start       = hd_progress_now();
    run->is_rank0    = hd_analysis_comm_rank(run->analysis_comm).v == 0;
    run->start_bytes = hd_run_statistics_peak_bytes();
    hd_progress_init(&run->progress, run->is_rank0 ? level : HD_PROGRESS_QUIET, stderr);
    hd_fatal_handler_set(end_all_ranks, run);
}

void
hd_analyze_finish(hd_analyze *run)
{
    hd_analyze_catch_signals(NULL);
    hd_fatal_handler_set(NULL, NULL);
    hd_output_drop(run->output);
    hd_progress_fini(&run->progress);
    hd_excerpts_fini(&run->excerpts);
    hd_wait_graph_free(run->waits);
    if (run->has_result)
        hd_replay_result_fini(&run->result);
    free(run->states);
    free(run->rma_calls);
    free(run->mpi_classes);
    hd_efficiencies_fini(&run->efficiencies);
    hd_findings_fini(&run->findings);
    hd_run_statistics_fini(&run->statistics);
    hd_analyze_free_simulation(run);
    hd_analyze_drop_trace(run);
    for (uint32_t i = 0; run->instances != NULL && i < run->n_processes; i++)
        free(run->instances[i].parts);
    free(run->instances);
    free(run->intervals);
    free(run->is_wanted);
    free(run->regions);
    hd_iterations_fini(&run->iterations);
    hd_analyze_free_clusters(run);
    hd_path_fold_fini(&run->series_paths);
    hd_time_paths_fini(&run->time_paths);
    hd_clocks_fini(&run->clocks);
    hd_scratch_close(run->scratch);
    hd_binding_free(run->binding);
    hd_hop_tables_free(run->hop_tables);
    hd_choice_fini(&run->topology);
    hd_placement_free(run->placement);
    free(run->threads);
    hd_output_free(run->output);
    free(run->page);
    hd_derived_counters_free(run->derived);
    free(run->anchor);
}

static hd_status
analyze_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    static hd_status (*const phases[])(hd_analyze *) = { hd_analyze_read_what_if, hd_analyze_open, hd_analyze_prepare, hd_analyze_open_scratch,
                                                         hd_analyze_correct_clocks, hd_analyze_find_intervals,
                                                         hd_analyze_load, hd_analyze_unify, hd_analyze_find_clusters, hd_analyze_model, hd_analyze_replay, hd_analyze_find_excerpts,
                                                         hd_analyze_simulate, hd_analyze_report, hd_analyze_show };
    const hd_analyze_options *options = options_;
    hd_analyze                run     = { .analysis_comm = analysis_comm, .options = options };
    hd_progress_level         level   = HD_PROGRESS_NORMAL;
    hd_status                 status  = HD_OK;

    if (options->quiet)
        level = HD_PROGRESS_QUIET;
    else if (options->verbose)
        level = HD_PROGRESS_VERBOSE;
    hd_analyze_begin(&run, level);
    for (size_t i = 0; i < sizeof phases / sizeof *phases && status == HD_OK; i++)
        status = phases[i](&run);
    if (status == HD_OK)
        *exit_code = run.incomplete || run.signal != 0 ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    else if (status == HD_ESTOPPED)
        *exit_code = 128 + run.signal;
    hd_analyze_finish(&run);
    return status;
}

const hd_command hd_cmd_analyze = {
    .name           = "analyze",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_analyze_options, archive),
    .parallel       = true,
    .mpi_offset     = FIELD(mpi),
    .exit_codes     = "3\tthe archive is incomplete, or a signal stopped the analysis after the forward replay: the report holds what could be analysed\n"
                      "128+N\tsignal N stopped the analysis before there was anything to report",
    .former_letters = "n=traces-per-rank p=placement b=bind",
    .what           = "find the wait states of an archive and write a report",
    .text           = "Replays the communication of an OTF2 archive and writes a Cube4 report with the time, and the time "
                      "spent in waiting, per metric, call path and process. Then it prints a summary. ARCHIVE is the anchor "
                      "file (.otf2) or a folder that holds traces.otf2. The result does not depend on the number of ranks "
                      "and threads.\n\n"
                      "Flaws of the trace are no errors. They are printed as warnings and listed in a table beside the report "
                      "(REPORT.findings.tsv); the rest is analysed. If processes were blocked when the recording ended, the "
                      "summary shows the wait-for graph, and REPORT.waitgraph.dot draws it.",
    .example        = "heddle analyze traces.otf2\ton this machine, with all its cores\n"
                      "mpirun -n 16 heddle analyze traces.otf2 --threads 8\t16 ranks with 8 threads each\n"
                      "heddle analyze traces.otf2 -o lu.cubex --force\twrite the report to lu.cubex, replacing an older one\n"
                      "heddle analyze traces.otf2 --instances 20\talso the 20 most severe instances of each wait state",
    .options        = analyze_options,
    .n_options      = sizeof analyze_options / sizeof *analyze_options,
    .bytes          = sizeof(hd_analyze_options),
    .run            = analyze_run,
};
