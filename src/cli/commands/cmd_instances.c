/* heddle instances: the most severe instances of each wait state. */
#include "commands.h"
#include "cube_reader.h"
#include "instances_page.h"
#include "metric_select.h"
#include "terminal.h"

typedef struct hd_instances_command_options {
    bool        help, json, csv, with_startup;
    const char *report, *metric;
    uint32_t    top, width;
} hd_instances_command_options;

#define FIELD(field) offsetof(hd_instances_command_options, field)
static const hd_option instances_options[] = {
    { "metric", 'm', HD_TEXT, "(all wait states)", "METRIC", "only of this one, by its id or name", FIELD(metric) },
    { "top", 'n', HD_COUNT, "3", "N", "how many instances of each wait state, if the report has so many", FIELD(top) },
    { "csv", 0, HD_FLAG, NULL, NULL, "print a line per instance, separated by commas, with all digits", FIELD(csv) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP, FIELD(json) },
    { "with-startup", 0, HD_FLAG, NULL, NULL, "count MPI_Init and MPI_Finalize, too, as with their METRIC",
      FIELD(with_startup) },
    HD_OPTION_WIDTH(FIELD(width)),
    HD_OPTION_HELP,
};

static hd_status
instances_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_instances_command_options *options = options_;
    hd_instances_options                page    = { .look = hd_terminal_look(options->width) };
    hd_cube                            *cube    = NULL;
    uint32_t                            metric;
    hd_status                           status;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    if (options->json && options->csv)
        return hd_fail(HD_EUSAGE, "--csv and --json exclude each other");
    page.look.n_top        = options->top;
    page.look.with_startup = options->with_startup;
    page.format     = options->json ? HD_INSTANCES_JSON : options->csv ? HD_INSTANCES_CSV : HD_INSTANCES_TEXT;
    status          = hd_cube_open(options->report, &cube);
    if (status == HD_OK && options->metric != NULL)
        status = hd_metric_select(cube, options->metric, &metric);
    if (status == HD_OK && options->metric != NULL)
        page.metric = cube->metrics[metric].id;
    if (status == HD_OK)
        status = hd_instances_print(cube, stdout, &page);
    hd_cube_close(cube);
    return status;
}

const hd_command hd_cmd_instances = {
    .name           = "instances",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_instances_command_options, report),
    .what           = "print the most severe instances of wait states",
    .text           = "Prints, for each wait state, how long single waits were, and the most severe instances: their "
                      "number, waiting time, begin and end in seconds since the first event, process and thread, the "
                      "process that was waited for, and the call path. An instance is a call that waited, or all "
                      "members of a collective operation or barrier; process and times are then those of the longest "
                      "wait.\n\n"
                      "The report has as many instances as heddle analyze --instances kept; with --stat, the most "
                      "severe one of each call path. heddle extract --instance NUMBER writes the part of the archive "
                      "around an instance.",
    .example        = "heddle instances heddle.cubex\tthe three most severe ones of each wait state\n"
                      "heddle instances heddle.cubex --metric mpi_latesender --top 20\tof Late Sender, in more detail\n"
                      "heddle instances heddle.cubex --csv > instances.csv\tfor a spreadsheet",
    .options        = instances_options,
    .n_options      = sizeof instances_options / sizeof *instances_options,
    .bytes          = sizeof(hd_instances_command_options),
    .run            = instances_run,
};
