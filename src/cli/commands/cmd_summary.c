/* heddle summary: a report on one screen. */
#include "commands.h"
#include "cube_reader.h"
#include "message.h"
#include "summary.h"
#include "terminal.h"

typedef struct hd_summarize_options {
    bool        help, verbose, json, with_startup;
    const char *report;
    uint32_t    top, instances, width;
} hd_summarize_options;

static const hd_option summary_options[] = {
    { "top", 'n', HD_COUNT, "3", "N", "how many wait states, call paths and processes to name",
      offsetof(hd_summarize_options, top) },
    { "instances", 0, HD_COUNT, "(as many as --top)", "N",
        "how many of the most severe instances of each to list, if heddle analyze --stat or --instances kept them",
        offsetof(hd_summarize_options, instances) },
    { "with-startup", 0, HD_FLAG, NULL, NULL,
      "count MPI_Init and MPI_Finalize, too: in sums, percentages, wait states and root causes",
        offsetof(hd_summarize_options, with_startup) },
    { "verbose", 'v', HD_FLAG, NULL, NULL, "show metrics that are small or zero and the counters of the analysis "
      "itself, too", offsetof(hd_summarize_options, verbose) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with the same rows; all digits",
      offsetof(hd_summarize_options, json) },
    HD_OPTION_WIDTH(offsetof(hd_summarize_options, width)),
    HD_OPTION_HELP,
};

static hd_status
write_json(const char *report, const hd_summary_options *options)
{
    hd_cube  *cube   = NULL;
    hd_status status = hd_cube_open(report, &cube);

    if (status == HD_OK) {
        hd_message_left_out(stderr, cube);
        status = hd_summary_write_json(cube, stdout, options);
    }
    hd_cube_close(cube);
    return status;
}

static hd_status
summary_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_summarize_options *options = options_;
    const hd_summary_options    look    = { .n_top        = options->top,
                                            .n_instances  = options->instances,
                                            .is_verbose   = options->verbose,
                                            .with_startup = options->with_startup,
                                            .width        = options->width };

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    return options->json ? write_json(options->report, &look) : hd_summary_show(options->report, &look);
}

const hd_command hd_cmd_summary = {
    .name           = "summary",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_summarize_options, report),
    .what           = "print time breakdown, top wait states and their root causes",
    .text           = "Prints a report on one screen: time breakdown, load balance, top wait states with their call "
                      "paths and processes, their most severe instances, wait states by topology coordinate and by "
                      "node, root causes (delay costs), the critical path, communication statistics, unfinished "
                      "operations, trace diagnostics, and the analysis run.",
    .example        = "heddle summary heddle.cubex\twhat heddle analyze printed at its end\n"
                      "heddle summary heddle.cubex --instances 20\twith the 20 most severe instances of each wait "
                      "state\n"
                      "heddle summary heddle.cubex --json | jq .waits\tthe wait states, for a script",
    .options        = summary_options,
    .n_options      = sizeof summary_options / sizeof *summary_options,
    .bytes          = sizeof(hd_summarize_options),
    .run            = summary_run,
};
