/* src/cli/commands/simulate/cmd_simulate.c: heddle simulate: loads an archive as heddle analyze does, and simulates. */
#include "cmd_simulate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze.h"
#include "curve_picture.h"
#include "memory.h"
#include "message.h"
#include "new_file.h"
#include "signal_stop.h"
#include "simulation_page.h"
#include "terminal.h"

typedef struct hd_simulate_options { /* the command line */
    bool        help, json, force, quiet, verbose, advise, curves;
    const char *archive, *file, *times, *svg;
    hd_texts    what_if, curve;
    uint32_t    width;
    uint32_t    traces_per_rank, threads, max_open_files, placement, bind, clock;
} hd_simulate_options;

#define FIELD(field) offsetof(hd_simulate_options, field)
static const hd_option simulate_options[] = {
    { "what-if", 0, HD_TEXTS, NULL, "HYPOTHESIS", "simulate the run with this changed; may be given several times", FIELD(what_if) },
    { "file", 0, HD_TEXT, "(none)", "FILE", "read hypotheses from a file, one in each line; what follows a \"#\" at the begin of a line is a comment", FIELD(file) },
    { "advise", 0, HD_FLAG, NULL, NULL, "say what to change first; this is done if nothing else is asked for", FIELD(advise) },
    { "curve", 0, HD_TEXTS, NULL, "SELECTION", "show the run time when 0 to 100 % of the computation there are removed, and what determines it then; may be given several times", FIELD(curve) },
    { "curves", 0, HD_FLAG, NULL, NULL, "the same for the 8 call paths that are longest on the critical path", FIELD(curves) },
    { "svg", 0, HD_TEXT, "(none)", "FILE.svg", "also draw the curves into a file", FIELD(svg) },
    { "times", 0, HD_TEXT, "(none)", "FILE.tsv", "also write the recorded and new enter and leave of all calls, in ticks; for 8 hypotheses at most", FIELD(times) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing FILE.svg or FILE.tsv", FIELD(force) },
    HD_OPTION_WIDTH(FIELD(width)),
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP, FIELD(json) },
    { "traces-per-rank", 0, HD_COUNT, "(no limit)", "N", "limit on processes of the program per analysis rank", FIELD(traces_per_rank) },
    { "threads", 't', HD_THREADS, "(OMP_NUM_THREADS, or the cores of the rank, shared with the other ranks of its node)", "T",
        "replay threads of each analysis rank", FIELD(threads) },
    { "max-open-files", 0, HD_COUNT, "(what the system allows)", "N", "limit on open archive files per analysis rank", FIELD(max_open_files) },
    { "placement", 0, HD_CHOICE, "block", "block|cyclic|node", "process placement on ranks", FIELD(placement) },
    { "bind", 0, HD_CHOICE, "core", "core|pu|numa|none", "binding of replay threads", FIELD(bind) },
    { "clock", 0, HD_CHOICE, "linear", "none|linear|clc", "timestamp correction, as of heddle analyze", FIELD(clock) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print results, warnings and errors only", FIELD(quiet) },
    { "verbose", 'v', HD_FLAG, NULL, NULL, "print the time of each phase", FIELD(verbose) },
    HD_OPTION_HELP,
};

typedef struct simulate_run {
    const hd_simulate_options *options;
    hd_analyze                 analyze;
} simulate_run;

/* ---- what is asked for ------------------------------------------------------------------------------------------------------- */

/* Nothing is: advice. */
static hd_status
read_what_if(simulate_run *run)
{
    const hd_simulate_options *options = run->options;
    hd_what_if                *what_if = &run->analyze.simulation.what_if;
    hd_status                  status  = HD_OK;

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
    run->analyze.simulation.wants_times = options->times != NULL;
    if (status == HD_OK && options->times != NULL && (what_if->n > HD_SIM_LANES || what_if->n == 0))
        status = hd_fail(HD_EUSAGE, "--times is for 1 to %d hypotheses; there are %zu", HD_SIM_LANES, what_if->n);
    if (status == HD_OK && options->svg != NULL && !what_if->wants_curves && what_if->n_curves == 0) {
        status = hd_fail(HD_EUSAGE, "--svg draws curves, and none is asked for");
        hd_fail_detail("try", "--curves, or --curve SELECTION");
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

static hd_status
probe_files(const simulate_run *run)
{
    hd_status status = probe(run, run->options->times);

    if (status == HD_OK)
        status = probe(run, run->options->svg);
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

/* ---- phases ------------------------------------------------------------------------------------------------------------------ */

/* Advice and curves start from what the analysis finds. */
static hd_status
replay(hd_analyze *analyze)
{
    hd_status status;

    if (!hd_what_if_needs_analysis(&analyze->simulation.what_if))
        return HD_OK;
    status = hd_analyze_replay(analyze);
    return status == HD_OK && analyze->signal != 0 ? hd_analyze_end_stopped(analyze) : status;
}

static hd_status
show(simulate_run *run)
{
    const hd_analyze *analyze    = &run->analyze;
    hd_simulation     simulation = { .defs = analyze->defs, .archive = analyze->anchor,
                                     .hypotheses = analyze->simulation.what_if.hypotheses,
                                     .result = &analyze->simulation.result, .predictions = &analyze->simulation.predictions };
    hd_status         status     = HD_OK;

    hd_progress_end(&run->analyze.progress);
    hd_analyze_gather_findings(&run->analyze);
    if (analyze->is_rank0) {
        hd_message_findings(stderr, &analyze->findings, &(hd_message_trace){ .defs = analyze->defs, .tree = &analyze->tree });
        status = write_file(run, run->options->times, put_times);
        if (status == HD_OK)
            status = write_file(run, run->options->svg, put_curves);
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
    static hd_status (*const phases[])(hd_analyze *) = { hd_analyze_find_archive, hd_analyze_read_definitions, hd_analyze_prepare,
                                                         hd_analyze_correct_clocks, hd_analyze_load, hd_analyze_unify,
                                                         hd_analyze_model, replay, hd_analyze_simulate };
    hd_status status = read_what_if(run);

    if (status == HD_OK)
        status = probe_files(run);
    for (size_t i = 0; i < sizeof phases / sizeof *phases && status == HD_OK; i++)
        status = phases[i](&run->analyze);
    return status == HD_OK ? show(run) : status;
}

static hd_status
simulate_main(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_simulate_options *options = options_;
    hd_analyze_options         loads   = { .archive = options->archive, .traces_per_rank = options->traces_per_rank,
                                           .threads = options->threads, .max_open_files = options->max_open_files,
                                           .placement = options->placement, .bind = options->bind, .clock = options->clock,
                                           .quiet = options->quiet, .verbose = options->verbose, .topology = "none", .no_matrix = true,
                                           .to = HD_DURATION_END };
    simulate_run               run     = { .options = options, .analyze = { .analysis_comm = analysis_comm, .options = &loads } };
    hd_status                  status;

    hd_analyze_begin(&run.analyze, options->quiet ? HD_PROGRESS_QUIET : options->verbose ? HD_PROGRESS_VERBOSE : HD_PROGRESS_NORMAL);
    hd_analyze_catch_signals(&run.analyze);
    status     = run_phases(&run);
    *exit_code = status == HD_ESTOPPED ? 128 + run.analyze.signal : run.analyze.incomplete ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    hd_analyze_finish(&run.analyze);
    return status;
}

const hd_command hd_cmd_simulate = {
    .name           = "simulate",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_simulate_options, archive),
    .parallel       = true,
    .exit_codes     = "3\tthe archive is incomplete: what could be read was simulated\n"
                      "128+N\tsignal N stopped the simulation",
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
                      "balance SELECTION [to mean|least|median] [over program|node]: all processes take equally long there.\n\n"
                      "without SELECTION: barriers and fences there take no time, and no process waits in them.\n\n"
                      "SELECTION is the end of a call path, such as \"solve\" or \"main > solve\", with everything below it; \"*\" is any region, "
                      "\"**\" any number of them. \"on process 0,2-5\", \"on node NAME\" and \"on thread 0\" may follow.\n\n"
                      "A file of --file may also have lines \"advice\", \"curves\" and \"curve SELECTION\".\n\n"
                      "OpenMP, locks, tasks and one-sided communication are not simulated yet: their calls take as long as recorded, and are "
                      "counted.",
    .example        = "heddle simulate traces.otf2\twhat to change first\n"
                      "heddle simulate traces.otf2 --what-if \"balance solve\"\tall processes take equally long in solve\n"
                      "heddle simulate traces.otf2 --what-if \"scale solve on process 0 1/2\" --what-if \"without MPI_Barrier\"\ttwo hypotheses\n"
                      "heddle simulate traces.otf2 --curves --svg curves.svg\twhich call paths are worth making faster, and how much\n"
                      "mpirun -n 4 heddle simulate traces.otf2 --file ideas.txt --json\thypotheses of a file, on 4 ranks",
    .options        = simulate_options,
    .n_options      = sizeof simulate_options / sizeof *simulate_options,
    .bytes          = sizeof(hd_simulate_options),
    .run            = simulate_main,
};
