/* heddle series: waiting time over time. */
#include <string.h>

#include "commands.h"
#include "cube_reader.h"
#include "iteration_list.h"
#include "metric_select.h"
#include "series_page.h"
#include "terminal.h"

typedef struct hd_series_command_options {
    bool        help, csv, json;
    const char *report, *metric;
    uint32_t    by; /* hd_series_by */
    uint32_t    top, width;
} hd_series_command_options;

#define FIELD(field) offsetof(hd_series_command_options, field)
static const hd_option series_options[] = {
    { "metric", 'm', HD_TEXT, "(all wait states)", "METRIC", "of this one, by its id or name, a line for each process; or duration, of iterations", FIELD(metric) },
    { "top", 'n', HD_COUNT, "10", "N", "with --metric: how many processes", FIELD(top) },
    { "by", 0, HD_CHOICE, "best", "best|iterations|windows",
        "over iterations, or windows; best: over iterations if the report has them, else windows", FIELD(by) },
    { "csv", 0, HD_FLAG, NULL, NULL, "print a line per wait state, process and slice, separated by commas, with all digits", FIELD(csv) },
    HD_OPTION_WIDTH(FIELD(width)),
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all values", FIELD(json) },
    HD_OPTION_HELP,
};

static hd_status
series_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_series_command_options *options = options_;
    hd_series_options                page    = { .metric = HD_NONE, .by = (hd_series_by)options->by,
                                                .look = hd_terminal_look(options->width) };
    hd_cube                         *cube    = NULL;
    uint32_t                         metric  = HD_NONE;
    hd_status                        status;

    (void)analysis_comm;
    *exit_code      = HD_EXIT_OK;
    page.look.n_top = options->top;
    page.format     = options->json ? HD_SERIES_JSON : options->csv ? HD_SERIES_CSV : HD_SERIES_TEXT;
    if (options->json && options->csv)
        return hd_fail(HD_EUSAGE, "--csv and --json exclude each other");
    status = hd_cube_open(options->report, &cube);
    if (status == HD_OK && options->metric != NULL && strcmp(options->metric, "duration") == 0)
        page.metric = HD_SERIES_DURATION;
    else if (status == HD_OK && options->metric != NULL)
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
    .what           = "print waiting time over iterations or time",
    .text           = "Prints, for each wait state, how its waiting time is distributed over the iterations of the program (regions that "
                      "the archive marks as dynamic, or heddle analyze --iterations), or over the windows that divide the main "
                      "window (heddle analyze --windows): a line of blocks, whose heights are relative to the highest one "
                      "of the line, and the iteration or window with most of it. With iterations, in words, too: chronic (in most of "
                      "them), uneven, transient (in few of them), growing or shrinking, repeated. With --metric a line is a process.",
    .example        = "heddle series heddle.cubex\tall wait states, the largest first\n"
                      "heddle series heddle.cubex --metric mpi_latesender\tthe processes that wait longest in Late Sender\n"
                      "heddle series heddle.cubex --csv > series.csv\tfor a spreadsheet",
    .options        = series_options,
    .n_options      = sizeof series_options / sizeof *series_options,
    .bytes          = sizeof(hd_series_command_options),
    .run            = series_run,
};
