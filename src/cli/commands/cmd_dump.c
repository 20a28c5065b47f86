/* heddle dump: all values of a report as a table. */
#include "commands.h"
#include "cube_reader.h"
#include "dump.h"
#include "message.h"

typedef struct hd_dump_options {
    bool        help;
    const char *report;
} hd_dump_options;

static const hd_option dump_options[] = { HD_OPTION_HELP };

static hd_status
dump_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_dump_options *options = options_;
    hd_cube               *cube    = NULL;
    hd_status              status;

    (void)analysis_comm;
    status = hd_cube_open(options->report, &cube);
    if (status == HD_OK) {
        hd_message_left_out(stderr, cube);
        status = hd_dump(cube, stdout);
    }
    hd_cube_close(cube);
    *exit_code = HD_EXIT_OK;
    return status;
}

const hd_command hd_cmd_dump = {
    .name           = "dump",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_dump_options, report),
    .what           = "print all values of a report as a table",
    .text           = "Prints all values of a Cube4 report that are not zero, one on a line: metric, call path (regions "
                      "joined by \";\"), process, thread, value with 17 digits, separated by tabs. Values are exclusive "
                      "along the call tree and as stored along the metric tree. Reports of other tools can be read too.",
    .example        = "heddle dump heddle.cubex > values.tsv\tfor scripts, or to compare two reports",
    .options        = dump_options,
    .n_options      = sizeof dump_options / sizeof *dump_options,
    .bytes          = sizeof(hd_dump_options),
    .run            = dump_run,
};
