/* heddle summary: what a report says, on one screen. */
#include "commands.h"
#include "cube_reader.h"
#include "summary.h"

typedef struct hd_summary_options {
    bool        help;
    const char *report;
} hd_summary_options;

static const hd_option summary_options[] = { HD_OPTION_HELP };

static hd_status
summary_run(const void *options_, hd_group *group, int *exit_code)
{
    const hd_summary_options *options = options_;
    hd_cube                  *cube    = NULL;
    hd_status                 status;

    (void)group;
    status = hd_cube_open(options->report, &cube);
    if (status == HD_OK)
        status = hd_summary(cube, stdout);
    hd_cube_close(cube);
    *exit_code = HD_EXIT_OK;
    return status;
}

const hd_command hd_cmd_summary = {
    .name           = "summary",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_summary_options, report),
    .what           = "print where the time went and the worst wait states",
    .text           = "Prints what a report says on one screen: where the time went, the worst wait states with their call paths and "
                      "processes, findings about the trace, and what the analysis itself took.",
    .example        = "heddle summary heddle.cubex\twhat heddle analyze printed at its end",
    .options        = summary_options,
    .n_options      = sizeof summary_options / sizeof *summary_options,
    .bytes          = sizeof(hd_summary_options),
    .run            = summary_run,
};
