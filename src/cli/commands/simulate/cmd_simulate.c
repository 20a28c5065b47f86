/* src/cli/commands/simulate/cmd_simulate.c: heddle simulate: loads an archive as heddle analyze does, and simulates. */
#include "cmd_simulate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyze.h"
#include "archive.h"
#include "curve_picture.h"
#include "launcher.h"
#include "memory.h"
#include "message.h"
#include "new_archive.h"
#include "new_file.h"
#include "page_writer.h"
#include "record_logs.h"
#include "same_file.h"
#include "simulated_report.h"
#include "simulated_trace.h"
#include "simulation_page.h"
#include "terminal.h"

typedef struct hd_simulate_options { /* the command line */
    bool        help, json, force, metrics, stat, quiet, verbose, advise, curves;
    const char *archive, *file, *times, *picture, *output, *page, *trace, *topology;
    hd_texts    what_if, curve;
    uint32_t    width;
    uint32_t    traces_per_rank, threads, max_open_files, mpi, placement, bind, clock, reader, instances;
} hd_simulate_options;

#define FIELD(field) offsetof(hd_simulate_options, field)
static const hd_option simulate_options[] = {
    { "what-if", 0, HD_TEXTS, NULL, "HYPOTHESIS", "simulate the run with this changed; may be given several times", FIELD(what_if) },
    { "file", 0, HD_TEXT, "(none)", "FILE", "read hypotheses from a file, one in each line; what follows a \"#\" at the begin of a line is a comment", FIELD(file) },
    { "advise", 0, HD_FLAG, NULL, NULL, "say what to change first; this is done if nothing else is asked for", FIELD(advise) },
    { "curve", 0, HD_TEXTS, NULL, "SELECTION", "show the run time when 0 to 100 % of the computation there are removed, and what determines it then; may be given several times", FIELD(curve) },
    { "curves", 0, HD_FLAG, NULL, NULL, "the same for the 8 call paths that are longest on the critical path", FIELD(curves) },
    { "picture", 0, HD_TEXT, "(none)", "FILE.svg", "also draw the curves into a file", FIELD(picture) },
    { "metrics", 0, HD_FLAG, NULL, NULL, "also show the time of each metric, recorded and simulated: the archive is read and analysed once more for each run", FIELD(metrics) },
    { "output", 'o', HD_TEXT, "(none)", "REPORT.cubex", "also analyse the simulated run, as heddle analyze does, and write its report; for one hypothesis", FIELD(output) },
    { "html", 0, HD_TEXT, "(none)", "FILE.html", "also write that report as an HTML page; with --output", FIELD(page) },
    { "stat", 0, HD_FLAG, NULL, NULL, "statistics of wait-state instances in that report, as of heddle analyze", FIELD(stat) },
    { "instances", 0, HD_SMALL_COUNT, "(the most severe of each call path)", "N",
        "keep the N most severe instances of each wait state in that report, as heddle analyze does; implies --stat", FIELD(instances) },
    { "topology", 0, HD_TEXT, "(as of heddle analyze)", "TOPOLOGY", "the process topology for message statistics in that report, as of heddle analyze", FIELD(topology) },
    { "trace", 0, HD_TEXT, "(none)", "DIR", "also write the archive with the new times, in a folder to create; for one hypothesis", FIELD(trace) },
    { "times", 0, HD_TEXT, "(none)", "FILE.tsv", "also write the recorded and new enter and leave of all calls, in ticks; for 8 hypotheses at most", FIELD(times) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace existing files", FIELD(force) },
    HD_OPTION_WIDTH(FIELD(width)),
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP, FIELD(json) },
    { "traces-per-rank", 0, HD_COUNT, "(no limit)", "N", "limit on processes of the program per analysis rank", FIELD(traces_per_rank) },
    { "threads", 't', HD_THREADS, "(OMP_NUM_THREADS, or the cores of the rank, shared with the other ranks of its node)", "T",
        "replay threads of each analysis rank", FIELD(threads) },
    { "max-open-files", 0, HD_COUNT, "(what the system allows)", "N", "limit on open archive files per analysis rank", FIELD(max_open_files) },
    { "placement", 0, HD_CHOICE, "block", "block|cyclic|node", "process placement on ranks", FIELD(placement) },
    { "bind", 0, HD_CHOICE, "core", "core|pu|numa|none", "binding of replay threads", FIELD(bind) },
    HD_OPTION_MPI(FIELD(mpi)),
    { "clock", 0, HD_CHOICE, "linear", "none|linear|clc", "timestamp correction, as of heddle analyze", FIELD(clock) },
    HD_OPTION_READER(FIELD(reader)),
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print results, warnings and errors only", FIELD(quiet) },
    { "verbose", 'v', HD_FLAG, NULL, NULL, "print the time of each phase", FIELD(verbose) },
    HD_OPTION_HELP,
};

typedef struct simulate_run {
    const hd_simulate_options *options;
    hd_analyze_options         loads; /* of the analysis */
    hd_analyze                 analyze;
    hd_record_logs            *records; /* NULL: not needed */
    hd_simulated_metrics       metrics;
} simulate_run;

/* ---- what is asked for ------------------------------------------------------------------------------------------------------- */

/* New times of all records. */
static bool
wants_records(const hd_simulate_options *options)
{
    return options->output != NULL || options->trace != NULL || options->metrics;
}

static hd_status
check_names(const hd_simulate_options *options)
{
    const char *names[] = { options->output, options->page, options->times, options->picture, options->trace };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t j = 0; j < i; j++)
            if (names[i] != NULL && names[j] != NULL && hd_is_same_name(names[i], names[j]))
                return hd_fail(HD_EUSAGE, "two files cannot both be \"%s\"", names[i]);
    return HD_OK;
}

/* Nothing is: advice. */
static hd_status
read_what_if(simulate_run *run)
{
    const hd_simulate_options *options = run->options;
    hd_what_if                *what_if = &run->analyze.simulation.what_if;
    hd_status                  status  = check_names(options);

    for (size_t i = 0; i < options->what_if.n && status == HD_OK; i++)
        status = hd_what_if_add(what_if, options->what_if.text[i]);
    if (status == HD_OK && options->file != NULL)
        status = hd_what_if_read(what_if, options->file);
    for (size_t i = 0; i < options->curve.n && status == HD_OK; i++)
        status = hd_what_if_add_curve(what_if, options->curve.text[i]);
    what_if->wants_curves |= options->curves;
    what_if->wants_advice |= options->advise;
    if (status == HD_OK && what_if->n == 0 && options->file != NULL && !hd_what_if_needs_analysis(what_if)) {
        status = hd_fail(HD_EUSAGE, "there is no hypothesis in \"%s\"", options->file);
        hd_fail_detail("try", "lines such as: balance REGION");
    }
    what_if->wants_advice |= what_if->n == 0 && !hd_what_if_needs_analysis(what_if);
    if (status == HD_OK && options->times != NULL && (what_if->n > HD_SIM_LANES || what_if->n == 0))
        status = hd_fail(HD_EUSAGE, "--times is for 1 to %d hypotheses; there are %zu", HD_SIM_LANES, what_if->n);
    if (status == HD_OK && options->picture != NULL && !what_if->wants_curves && what_if->n_curves == 0) {
        status = hd_fail(HD_EUSAGE, "--picture draws curves, and none is asked for");
        hd_fail_detail("try", "--curves, or --curve SELECTION");
    }
    if (status == HD_OK && options->picture != NULL && !hd_file_has_ending(options->picture, ".svg"))
        status = hd_fail(HD_EUSAGE, "--picture: \"%s\" does not end in .svg: curves are drawn as SVG only",
                         options->picture);
    run->loads.simulation = status == HD_OK && what_if->n > 0 ? what_if->hypotheses[0].text : NULL;
    if (status == HD_OK && (options->output != NULL || options->trace != NULL) && what_if->n != 1) {
        status = hd_fail(HD_EUSAGE, "%s is of one simulated run; there are %zu hypotheses",
                         options->output != NULL ? "--output" : "--trace", what_if->n);
        hd_fail_detail("try", what_if->n > 1 ? "one hypothesis at a time, or \" + \" between changes of the same run"
                                             : "--what-if HYPOTHESIS");
    }
    if (status == HD_OK && options->metrics && what_if->n == 0) {
        status = hd_fail(HD_EUSAGE, "--metrics is of simulated runs, and there is no hypothesis");
        hd_fail_detail("try", "--what-if HYPOTHESIS");
    }
    if (status == HD_OK && options->page != NULL && options->output == NULL) {
        status = hd_fail(HD_EUSAGE, "--html is the page of a report");
        hd_fail_detail("try", "--output SIM.cubex --html %s", options->page);
    }
    if (status == HD_OK && options->output == NULL && (options->stat || options->instances > 0 || options->topology != NULL)) {
        status = hd_fail(HD_EUSAGE, "--stat, --instances and --topology have an effect only with --output");
        hd_fail_detail("try", "--output SIM.cubex");
    }
    return hd_agree(run->analyze.analysis_comm, status);
}

/* ---- files ------------------------------------------------------------------------------------------------------------------- */

static hd_status
probe(const simulate_run *run, const char *path)
{
    int error = 0;

    if (path == NULL || !run->analyze.is_rank0)
        return HD_OK;
    if (!run->options->force && access(path, F_OK) == 0) {
        hd_fail(HD_EEXIST, "\"%s\" exists already", path);
        hd_fail_detail("try", "--force, or another name");
        return HD_EEXIST;
    }
    error = hd_new_file_probe(path);
    return error == 0 ? HD_OK : hd_fail(HD_EWRITE, "\"%s\" cannot be written: %s", path, hd_new_file_why(error));
}

/* Whatever --force says. */
static hd_status
spare_inputs(const simulate_run *run)
{
    const hd_simulate_options *options = run->options;
    const char                *names[] = { options->times, options->picture, options->page, options->output };

    for (size_t i = 0; i < sizeof names / sizeof *names && run->analyze.is_rank0; i++)
        if (names[i] != NULL && (hd_archive_has_file(run->analyze.anchor, names[i]) ||
                                 hd_choice_reads(options->topology, names[i]) ||
                                 (options->file != NULL && hd_is_same_file(options->file, names[i]))))
            return hd_fail(HD_EUSAGE, "\"%s\" is read, and is not replaced", names[i]);
    return HD_OK;
}

static hd_status
probe_files(const simulate_run *run)
{
    hd_status status = probe(run, run->options->times);

    if (status == HD_OK)
        status = probe(run, run->options->picture);
    return hd_agree(run->analyze.analysis_comm, status);
}

static void
put_times(const simulate_run *run, FILE *file)
{
    const hd_simulate_result *result = &run->analyze.simulation.result;

    fputs("process\tthread\tcall\tenter\tleave", file);
    for (size_t i = 0; i < result->n_outcomes; i++)
        fprintf(file, "\tenter_%zu\tleave_%zu", i + 1, i + 1);
    fputc('\n', file);
    fwrite(result->times, 1, result->times_bytes, file);
}

static void
put_curves(const simulate_run *run, FILE *file)
{
    hd_curve_picture_write(file, &run->analyze.simulation.predictions);
}

static int
fill(const simulate_run *run, int fd, void (*put)(const simulate_run *run, FILE *file))
{
    FILE *file = fdopen(dup(fd), "w");
    bool  is_well;

    if (file == NULL)
        return errno;
    put(run, file);
    is_well = ferror(file) == 0;
    errno   = 0;
    if (fclose(file) != 0 || !is_well)
        return errno != 0 ? errno : EIO;
    return 0;
}

/* path: NULL: not wanted. */
static hd_status
write_file(const simulate_run *run, const char *path, void (*put)(const simulate_run *run, FILE *file))
{
    hd_new_file file = { 0 };
    int         error;

    if (path == NULL)
        return HD_OK;
    error = hd_new_file_open(&file, path, false);
    if (error == 0)
        error = fill(run, file.fd, put);
    if (error == 0)
        error = hd_new_file_commit(&file, run->options->force);
    hd_new_file_fini(&file);
    return error == 0 ? HD_OK : hd_fail(HD_EWRITE, "\"%s\" cannot be written: %s", path, hd_new_file_why(error));
}

/* ---- the report -------------------------------------------------------------------------------------------------------------- */

static hd_status
probe_page(simulate_run *run)
{
    const char *path   = run->options->page;
    hd_status   status = HD_OK;

    if (path == NULL)
        return HD_OK;
    run->analyze.page = hd_strdup(path);
    if (run->analyze.is_rank0)
        status = hd_page_probe(path, run->options->force);
    return hd_agree(run->analyze.analysis_comm, status);
}

/* Where records are is needed to give them new times. */
static hd_status
load(simulate_run *run)
{
    hd_analyze *analyze = &run->analyze;

    if (wants_records(run->options)) {
        run->records      = hd_record_logs_new(analyze->defs, analyze->processes, analyze->n_processes);
        analyze->observer = &run->records->observer;
    }
    return hd_analyze_load(analyze);
}

/* What is written beside the archive that is known now. */
static hd_status
probe_beside(const simulate_run *run)
{
    const hd_simulate_options *options = run->options;
    hd_status                  status  = spare_inputs(run);

    if (status == HD_OK && options->trace != NULL && run->analyze.is_rank0)
        status = hd_new_archive_probe(options->trace, options->force, run->analyze.anchor);
    return hd_agree(run->analyze.analysis_comm, status);
}

static hd_status
write_trace(simulate_run *run)
{
    const hd_simulate_options *options    = run->options;
    bool                       has_losses = false;
    hd_status                  status;

    if (options->trace == NULL)
        return HD_OK;
    hd_progress_phase(&run->analyze.progress, &(hd_phase){ .what = "write archive" });
    status = hd_simulated_trace_write(&run->analyze,
                                      &(hd_simulated_trace){ .path = options->trace, .force = options->force,
                                                             .outcome = &run->analyze.simulation.result.outcomes[0], .recorded = &run->analyze.simulation.result.recorded },
                                      &has_losses);
    if (hd_analyze_is_stopped(&run->analyze, "while writing the archive") && status != HD_OK)
        return hd_analyze_end_stopped(&run->analyze);
    run->analyze.incomplete |= has_losses;
    if (status == HD_OK && run->analyze.is_rank0 && !options->quiet)
        fprintf(stderr, "heddle: archive \"%s\" of the simulated run is written\n", options->trace);
    return status;
}

/* Before what was loaded is forgotten. */
static hd_status
find_metrics(simulate_run *run)
{
    hd_record_logs_free(run->records);
    run->records = NULL;
    if (run->options->output == NULL)
        hd_analyze_gather_findings(&run->analyze); /* else the analysis of the simulated run does */
    return run->options->metrics ? hd_simulated_metrics_find(&run->analyze, &run->analyze.simulation.result, &run->metrics) : HD_OK;
}

static hd_status
write_report(simulate_run *run)
{
    hd_status status;

    if (run->options->output == NULL)
        return HD_OK;
    status       = hd_simulated_report_write(&run->analyze, &run->analyze.simulation.result.outcomes[0], &run->analyze.simulation.result.recorded);
    if (status == HD_OK && run->analyze.is_rank0 && !run->options->quiet)
        fprintf(stderr, "heddle: report \"%s\" of the simulated run is written\n", hd_output_path(run->analyze.output));
    return status;
}

/* ---- phases ------------------------------------------------------------------------------------------------------------------ */

/* Advice and curves start from what the analysis finds, which needs no matrix. */
static hd_status
replay(hd_analyze *analyze)
{
    const hd_analyze_options *all     = analyze->options;
    hd_analyze_options        options = *all;
    hd_status                 status;

    if (!hd_what_if_needs_analysis(&analyze->simulation.what_if))
        return HD_OK;
    options.no_matrix = true;
    analyze->options  = &options;
    status            = hd_analyze_replay(analyze);
    analyze->options  = all;
    return status == HD_OK && analyze->signal != 0 ? hd_analyze_end_stopped(analyze) : status;
}

static hd_status
simulate(simulate_run *run)
{
    hd_analyze *analyze = &run->analyze;
    hd_status   status;

    analyze->simulation.wants_times = run->options->times != NULL;
    analyze->simulation.records     = run->records != NULL ? (hd_record_log *const *)run->records->processes : NULL;
    status                          = hd_analyze_model(analyze);
    if (status == HD_OK)
        status = replay(analyze);
    if (status == HD_OK)
        status = hd_analyze_simulate(analyze);
    if (status == HD_OK && analyze->has_result) { /* that of the simulated run is another one */
        hd_replay_result_fini(&analyze->result);
        analyze->result     = (hd_replay_result){ 0 };
        analyze->has_result = false;
    }
    return status;
}

static hd_status
show(simulate_run *run)
{
    const hd_analyze        *analyze    = &run->analyze;
    const hd_simulation_run *own        = &analyze->simulation;
    hd_simulation            simulation = { .defs = analyze->defs, .archive = analyze->anchor, .hypotheses = own->what_if.hypotheses,
                                            .result = &own->result, .predictions = &own->predictions, .metrics = &run->metrics };
    hd_status                status     = HD_OK;

    hd_progress_end(&run->analyze.progress);
    if (analyze->is_rank0) {
        hd_message_findings(stderr, &analyze->findings, &(hd_message_trace){ .defs = analyze->defs, .tree = &analyze->tree });
        status = write_file(run, run->options->times, put_times);
        if (status == HD_OK)
            status = write_file(run, run->options->picture, put_curves);
        if (status == HD_OK && run->options->json)
            status = hd_simulation_write_json(&simulation, stdout);
        else if (status == HD_OK)
            hd_simulation_print(&simulation, &(hd_summary_options){ .width = hd_terminal_look(run->options->width).width }, stdout);
    }
    return hd_agree(analyze->analysis_comm, status);
}

static hd_status
run_phases(simulate_run *run)
{
    static hd_status (*const phases[])(hd_analyze *) = { hd_analyze_prepare, hd_analyze_correct_clocks };
    hd_analyze *analyze = &run->analyze;
    hd_status   status  = read_what_if(run);

    if (status == HD_OK)
        status = probe_files(run);
    if (status == HD_OK)
        status = probe_page(run);
    if (status == HD_OK && run->options->output != NULL)
        status = hd_analyze_open(analyze);
    else if (status == HD_OK && (status = hd_analyze_find_archive(analyze)) == HD_OK)
        status = hd_analyze_read_definitions(analyze);
    if (status == HD_OK)
        status = probe_beside(run);
    for (size_t i = 0; i < sizeof phases / sizeof *phases && status == HD_OK; i++)
        status = phases[i](analyze);
    if (status == HD_OK)
        status = load(run);
    if (status == HD_OK)
        status = hd_analyze_unify(analyze);
    if (status == HD_OK)
        status = simulate(run);
    if (status == HD_OK)
        status = find_metrics(run);
    if (status == HD_OK)
        status = show(run);
    if (status == HD_OK)
        status = write_trace(run);
    return status == HD_OK ? write_report(run) : status;
}

static hd_status
simulate_main(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_simulate_options *options = options_;
    simulate_run               run     = { .options = options, .analyze.analysis_comm = analysis_comm };
    hd_status                  status;

    run.analyze.options = &run.loads;
    run.loads = (hd_analyze_options){ .archive = options->archive, .traces_per_rank = options->traces_per_rank, .threads = options->threads,
                                      .max_open_files = options->max_open_files, .placement = options->placement, .bind = options->bind,
                                      .clock = options->clock, .reader = options->reader, .quiet = options->quiet || options->json, .verbose = options->verbose,
                                      .output = options->output, .force = options->force, .no_summary = true,
                                      .stat = options->stat, .instances = options->instances,
                                      .topology = options->output != NULL ? options->topology : "none", .moments = true, .to = HD_DURATION_END };
    hd_analyze_begin(&run.analyze, options->quiet ? HD_PROGRESS_QUIET : options->verbose ? HD_PROGRESS_VERBOSE : HD_PROGRESS_NORMAL);
    hd_analyze_catch_signals(&run.analyze);
    status     = run_phases(&run);
    *exit_code = status == HD_ESTOPPED ? 128 + run.analyze.signal : run.analyze.incomplete ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    hd_record_logs_free(run.records);
    hd_simulated_metrics_fini(&run.metrics);
    hd_analyze_finish(&run.analyze);
    return status;
}

const hd_command hd_cmd_simulate = {
    .name           = "simulate",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_simulate_options, archive),
    .parallel       = true,
    .mpi_offset     = FIELD(mpi),
    .exit_codes     = "3\tthe archive is incomplete: what could be read was simulated\n"
                      "128+N\tsignal N stopped the simulation",
    .former_names   = "svg=picture",
    .what           = "predict the run time with something changed",
    .text           = "Computes new times of all calls of an archive with something changed: computation that is faster or balanced, or no barriers. "
                      "Messages and collective operations wait as they did in the recorded run, for the processes that are late then.\n\n"
                      "Without a hypothesis it says what to change first (--advise): it analyses the archive, simulates each region whose imbalance or delay costs are "
                      "large as balanced, and the run without each barrier; then the best of these changes, the best together with it, and so on.\n\n"
                      "With --what-if it prints the run time under each "
                      "hypothesis, and the time in MPI calls, since waiting that vanishes in one place may appear in another. "
                      "A hypothesis is one of these, or several joined by \" + \":\n\n"
                      "none: nothing changes; the recorded run time.\n\n"
                      "scale SELECTION FACTOR: computation there takes FACTOR times as long: 0.5, 1/3, 0.\n\n"
                      "balance SELECTION [to mean|least|median] [over program|node|row|team] [per REGION]: all processes and their threads take equally long there, or those of a node, "
                      "of a row of the program's topology, or the threads of each process; with a REGION in each of its instances.\n\n"
                      "remove delay SELECTION: the time by which computation there made others wait, as the analysis finds it, is taken away.\n\n"
                      "without SELECTION: barriers, also of threads, and fences there take no time, and no thread waits in them.\n\n"
                      "network latency A bandwidth B: A times the latency, B times the bandwidth of the recorded run; either may be omitted. "
                      "network ideal: data takes no time. network zero: calls of MPI take no time but waiting, and sends do not wait.\n\n"
                      "without messages SELECTION bytes A-B tag N: messages sent there take no time, and no process waits for them. bytes and tag may be "
                      "omitted.\n\n"
                      "eager BYTES: sends of up to that size do not wait for their receivers, larger ones do.\n\n"
                      "interference SELECTION off: pieces of computation longer than 3 times the median of their call path and process take the median.\n\n"
                      "overlap SELECTION: calls of MPI there with less than 100 us between them wait together.\n\n"
                      "place FILE: processes are on other nodes, by lines such as \"0-3,8 node1\".\n\n"
                      "SELECTION is the end of a call path, such as \"solve\" or \"main > solve\", with everything below it; \"MPI_Barrier:18\" is the one at that line, \"*\" is any region, "
                      "\"**\" any number of them. \"on process 0,2-5\", \"on node NAME\" and \"on thread 0\" may follow; "
                      "in scale and remove delay also \"in iteration 3,10-20\", of the region that the archive marks, or \"in iteration 10- of REGION\"; "
                      "a balance names it with per: \"balance solve in iteration 10- per REGION\".\n\n"
                      "A file of --file may also have lines \"advice\", \"curves\" and \"curve SELECTION\".\n\n"
                      "MPI-IO, SHMEM and some others are not simulated: their calls take as long as recorded, and are counted.",
    .example        = "heddle simulate traces.otf2\twhat to change first\n"
                      "heddle simulate traces.otf2 --what-if \"balance solve\"\tall processes take equally long in solve\n"
                      "heddle simulate traces.otf2 --what-if \"scale solve on process 0 1/2\" --what-if \"without MPI_Barrier\"\ttwo hypotheses\n"
                      "heddle simulate traces.otf2 --curves --picture curves.svg\twhich call paths are worth making faster, and how much\n"
                      "mpirun -n 4 heddle simulate traces.otf2 --file ideas.txt --json\thypotheses of a file, on 4 ranks",
    .options        = simulate_options,
    .n_options      = sizeof simulate_options / sizeof *simulate_options,
    .bytes          = sizeof(hd_simulate_options),
    .run            = simulate_main,
};
