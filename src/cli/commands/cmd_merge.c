/* heddle merge: what several reports have together, in one. */
#include "algebra.h"
#include "commands.h"
#include "result.h"

typedef struct hd_merge_options {
    bool            help;
    hd_texts        reports;
    hd_result_place place;
    bool            quiet;
} hd_merge_options;

#define FIELD(field) offsetof(hd_merge_options, field)
static const hd_option merge_options[] = {
    { "output", 'o', HD_TEXT, "merge.cubex", "REPORT.cubex", "name of the report", FIELD(place.report) },
    { "html", 0, HD_TEXT, NULL, "FILE.html", "also write it as an HTML page", FIELD(place.page) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace existing files", FIELD(place.force) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "do not print its summary", FIELD(quiet) },
    HD_OPTION_HELP,
};

static hd_status
merge_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_merge_options *options = options_;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    return hd_result_combine(&options->reports, HD_MERGE, &options->place, options->quiet);
}

const hd_command hd_cmd_merge = {
    .name           = "merge",
    .operand        = "A B...",
    .operand_offset = offsetof(hd_merge_options, reports),
    .operands_min   = 2,
    .operands_max   = 65535,
    .what           = "write one report with the metrics of several reports",
    .text           = "Writes a report that has the metrics, call paths, processes and threads of all given ones, "
                      "such as a trace analysis and a profile with hardware counters of the same program, and prints "
                      "its summary. A metric that several reports have is taken from the first of them.",
    .example        = "heddle merge heddle.cubex profile.cubex -o both.cubex\twait states and counters in one report",
    .options        = merge_options,
    .n_options      = sizeof merge_options / sizeof *merge_options,
    .bytes          = sizeof(hd_merge_options),
    .run            = merge_run,
};
