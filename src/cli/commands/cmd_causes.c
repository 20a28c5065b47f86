/* heddle causes: who makes whom wait. */
#include "causes_page.h"
#include "commands.h"
#include "csv.h"
#include "cube_reader.h"
#include "terminal.h"

typedef struct hd_causes_command_options {
    bool        help;
    const char *report, *by, *of;
    bool        processes, tsv, csv, json, with_startup;
    uint32_t    top, width;
} hd_causes_command_options;

#define FIELD(field) offsetof(hd_causes_command_options, field)
static const hd_option causes_options[] = {
    { "of", 0, HD_TEXT, "(all)", "CALLPATH", "only waiting at this call path and below it", FIELD(of) },
    { "by", 0, HD_TEXT, "(all)", "CALLPATH", "only waiting caused by this call path and everything below it",
        FIELD(by) },
    { "processes", 0, HD_FLAG, NULL, NULL, "from process to process instead of from call path to call path",
      FIELD(processes) },
    { "top", 'n', HD_COUNT, "5", "N", "how many causes, and effects of each, to name", FIELD(top) },
    { "with-startup", 0, HD_FLAG, NULL, NULL,
        "count what MPI_Init and MPI_Finalize cause, too; always counted with --of, --by, --tsv, --csv and --json, and with "
        "--processes, as pairs have no call paths",
        FIELD(with_startup) },
    { "tsv", 0, HD_FLAG, NULL, NULL, "all rows of the table, separated by tabs, times in seconds", FIELD(tsv) },
    { "csv", 0, HD_FLAG, NULL, NULL, "the same, separated by commas", FIELD(csv) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all rows", FIELD(json) },
    HD_OPTION_WIDTH(FIELD(width)),
    HD_OPTION_HELP,
};

static hd_status
causes_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_causes_command_options *options = options_;
    hd_causes_options                page    =
        { .by = options->by, .of = options->of, .of_processes = options->processes,
          .is_tsv = options->tsv || options->csv, .is_json = options->json };
    hd_cube                         *cube    = NULL;
    FILE                            *file;
    hd_status                        status;

    (void)analysis_comm;
    if (options->processes && (options->by != NULL || options->of != NULL))
        return hd_fail(HD_EUSAGE, "--processes goes with neither --by nor --of: the table of processes has no call "
                       "paths");
    if (options->tsv + options->csv + options->json > 1)
        return hd_fail(HD_EUSAGE, "--tsv, --csv and --json exclude each other");
    page.look       = hd_terminal_look(options->width);
    page.look.n_top = options->top;
    page.look.with_startup = options->with_startup;
    status          = hd_cube_open(options->report, &cube);
    file = options->csv ? hd_csv_of_tsv(stdout) : stdout;
    if (status == HD_OK)
        status = hd_causes_print(cube, file, &page);
    if (file != stdout)
        fclose(file);
    hd_cube_close(cube);
    *exit_code = HD_EXIT_OK;
    return status;
}

const hd_command hd_cmd_causes = {
    .name           = "causes",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_causes_command_options, report),
    .former_letters = "p=processes",
    .what           = "print the root causes of wait states (delay costs)",
    .text           = "Prints which call paths cause waiting, and where it occurs. A delay can be long before the "
                      "waiting that it causes, and on a process that the waiting process never communicates with. "
                      "Costs propagated through other wait states are long-term, direct ones are short-term.\n\n"
                      "CALLPATH is given by its last regions, outer ones first, joined by \" > \", \";\" or \"/\": "
                      "\"solve;MPI_Recv\", or just \"MPI_Recv\" for all that end so.",
    .example        = "heddle causes heddle.cubex\tthe largest causes, and where they cause waiting\n"
                      "heddle causes heddle.cubex --of MPI_Allreduce\troot causes of the waiting in MPI_Allreduce\n"
                      "heddle causes heddle.cubex --by 'solve;compute'\tthe waiting that compute causes\n"
                      "heddle causes heddle.cubex --processes\twhich process delays which",
    .options        = causes_options,
    .n_options      = sizeof causes_options / sizeof *causes_options,
    .bytes          = sizeof(hd_causes_command_options),
    .run            = causes_run,
};
