/* src/cli/commands/efficiency/cmd_efficiency.c: heddle efficiency: how good a run is, in figures that can be
 * compared. */
#include "cmd_efficiency.h"

#include "archive_report.h"
#include "efficiency_page.h"
#include "terminal.h"

typedef struct hd_efficiency_command_options {
    bool     help, json, csv, quiet, windows, iterations, with_startup;
    hd_texts reports, focus, rules;
    uint32_t width;
} hd_efficiency_command_options;

#define FIELD(field) offsetof(hd_efficiency_command_options, field)
static const hd_option efficiency_options[] = {
    { "focus", 0, HD_TEXTS, "(those with most of the time)", "REGION",
      "efficiencies of this region, all its call paths together; may be given several times", FIELD(focus) },
    { "windows", 0, HD_FLAG, NULL, NULL, "a line for each time window, too", FIELD(windows) },
    { "iterations", 0, HD_FLAG, NULL, NULL, "a line for each iteration of the program's loop, too", FIELD(iterations) },
    { "fail-if", 0, HD_TEXTS, NULL, "RULE",
      "exit with 4 if it holds: \"load_balance < 0.8\", \"whole:parallel < 60%\"; may be given several times",
      FIELD(rules) },
    { "csv", 0, HD_FLAG, NULL, NULL, "print a line per slice and region, separated by commas, with all digits",
      FIELD(csv) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all slices and iterations; all digits", FIELD(json) },
    { "with-startup", 0, HD_FLAG, NULL, NULL, "regions: count MPI_Init and MPI_Finalize, too", FIELD(with_startup) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print nothing but warnings", FIELD(quiet) },
    HD_OPTION_WIDTH(FIELD(width)),
    HD_OPTION_HELP,
};

static hd_status
show(const hd_efficiency_command_options *options, hd_cube *cube, hd_efficiency_rules *rules)
{
    hd_efficiency_options page = { .format  = options->json ? HD_EFFICIENCY_JSON : options->csv ? HD_EFFICIENCY_CSV :
                                                                                   HD_EFFICIENCY_TEXT,
                                   .focus   = (const char *const *)options->focus.text, .n_focus = options->focus.n,
                                   .windows = options->windows, .iterations = options->iterations, .quiet = options->quiet,
                                   .look    = hd_terminal_look(options->width) };

    page.look.with_startup = options->with_startup;
    return hd_efficiency_print(cube, stdout, rules, &page);
}

static hd_status
efficiency_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_efficiency_command_options *options = options_;
    hd_efficiency_rules                  rules   = { .n = 0 };
    hd_reports                           reports = { 0 };
    hd_status                            status  = HD_OK;
    int                                  failed  = HD_EXIT_OK;

    (void)analysis_comm;
    if (options->json && options->csv)
        status = hd_fail(HD_EUSAGE, "--json and --csv exclude each other");
    for (size_t i = 0; i < options->rules.n && status == HD_OK; i++)
        status = hd_efficiency_rules_add(&rules, options->rules.text[i]);
    if (status == HD_OK)
        status = hd_archive_reports_open(&options->reports, options->quiet || options->json || options->csv, &reports,
                                         &failed);
    if (status == HD_OK && failed == HD_EXIT_OK)
        status = show(options, reports.cubes[0], &rules);
    hd_reports_close(&reports);
    *exit_code = failed != HD_EXIT_OK ? failed : rules.n_met > 0 ? HD_EXIT_RULE :
                 rules.n_unsure > 0 ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    hd_efficiency_rules_fini(&rules);
    return status;
}

const hd_command hd_cmd_efficiency = {
    .name           = "efficiency",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_efficiency_command_options, reports),
    .operands_min   = 1,
    .operands_max   = 1,
    .what           = "print how good a run is: load balance, serialisation, transfer (POP)",
    .text           = "Prints the efficiencies of the POP model, of the main window (between MPI_Init and "
                      "MPI_Finalize) and of the whole run: parallel efficiency = load balance x communication "
                      "efficiency, communication efficiency = serialisation x transfer. Programs with threads have "
                      "the hybrid models, too: of processes and of threads, multiplied, and with losses added. From "
                      "80 % on an efficiency is acceptable. REPORT may be an archive, which is analysed on the fly.\n\n"
                      "A rule names an efficiency by its id: parallel, load_balance, communication, serialisation, "
                      "transfer; of programs with threads also mpi_parallel, mpi_load_balance, mpi_communication, "
                      "mpi_serialisation, mpi_transfer, openmp_parallel, openmp_load_balance, openmp_communication, "
                      "process, process_load_balance, process_communication, process_serialisation, "
                      "process_transfer, thread, serial_region, openmp, and lost_imbalance, lost_barrier, lost_absent "
                      "and others.",
    .example        = "heddle efficiency heddle.cubex\tof a report\n"
                      "heddle efficiency scorep_run/traces.otf2\tof an archive\n"
                      "heddle efficiency heddle.cubex --focus solve\tof a region\n"
                      "heddle efficiency heddle.cubex --fail-if 'load_balance < 0.8'\tfor a pipeline",
    .options        = efficiency_options,
    .n_options      = sizeof efficiency_options / sizeof *efficiency_options,
    .bytes          = sizeof(hd_efficiency_command_options),
    .run            = efficiency_run,
};
