/* heddle series: waiting time over time. */
#include "commands.h"
#include "cube_reader.h"
#include "metric_select.h"
#include "series_page.h"
#include "terminal.h"

typedef struct hd_series_command_options {
    bool        help, csv;
    const char *report, *metric;
    uint32_t    top, width;
} hd_series_command_options;

#define FIELD(field) offsetof(hd_series_command_options, field)
static const hd_option series_options[] = {
    { "metric", 'm', HD_TEXT, "(all wait states)", "METRIC", "of this one, by its id or name, a line for each process", FIELD(metric) },
    { "top", 'n', HD_COUNT, "10", "N", "with --metric: how many processes", FIELD(top) },
    { "csv", 0, HD_FLAG, NULL, NULL, "print a line per wait state, process and window, separated by commas, with all digits", FIELD(csv) },
    HD_OPTION_WIDTH(FIELD(width)),
    HD_OPTION_HELP,
};

static hd_status
series_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_series_command_options *options = options_;
    hd_series_options                page    = { .metric = HD_NONE, .is_csv = options->csv, .look = hd_terminal_look(options->width) };
    hd_cube                         *cube    = NULL;
    uint32_t                         metric  = HD_NONE;
    hd_status                        status;

    (void)analysis_comm;
    *exit_code      = HD_EXIT_OK;
    page.look.n_top = options->top;
    status          = hd_cube_open(options->report, &cube);
    if (status == HD_OK && options->metric != NULL)
        status = hd_metric_select(cube, options->metric, &metric);
    if (status == HD_OK && metric != HD_NONE) {
        page.metric = hd_metric_by_id(cube->metrics[metric].id);
        if (page.metric == HD_NONE)
            status = hd_fail(HD_EUSAGE, "metric \"%s\" is no wait state", options->metric);
    }
    if (status == HD_OK)
        status = hd_series_print(cube, stdout, &page);
    hd_cube_close(cube);
    return status;
}

const hd_command hd_cmd_series = {
    .name           = "series",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_series_command_options, report),
    .what           = "print waiting time over time",
    .text           = "Prints, for each wait state, how its waiting time is distributed over the windows that divide the main "
                      "window (heddle analyze --windows): a line of blocks, whose heights are relative to the highest one "
                      "of the line, and the window with most of it. With --metric a line is a process.",
    .example        = "heddle series heddle.cubex\tall wait states, the largest first\n"
                      "heddle series heddle.cubex --metric mpi_latesender\tthe processes that wait longest in Late Sender\n"
                      "heddle series heddle.cubex --csv > series.csv\tfor a spreadsheet",
    .options        = series_options,
    .n_options      = sizeof series_options / sizeof *series_options,
    .bytes          = sizeof(hd_series_command_options),
    .run            = series_run,
};
