/* heddle mean: the mean of several reports. */
#include "algebra.h"
#include "commands.h"
#include "result.h"

typedef struct hd_mean_options {
    bool            help;
    hd_texts        reports;
    hd_result_place place;
    bool            quiet;
} hd_mean_options;

#define FIELD(field) offsetof(hd_mean_options, field)
static const hd_option mean_options[] = {
    { "output", 'o', HD_TEXT, "mean.cubex", "REPORT.cubex", "name of the report", FIELD(place.report) },
    { "html", 0, HD_TEXT, NULL, "FILE.html", "also write it as an HTML page", FIELD(place.page) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace existing files", FIELD(place.force) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "do not print its summary", FIELD(quiet) },
    HD_OPTION_HELP,
};

static hd_status
mean_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_mean_options *options = options_;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    return hd_result_combine(&options->reports, HD_MEAN, &options->place, options->quiet);
}

const hd_command hd_cmd_mean = {
    .name           = "mean",
    .operand        = "A B...",
    .operand_offset = offsetof(hd_mean_options, reports),
    .operands_min   = 2,
    .operands_max   = 65535,
    .what           = "write the mean of several reports",
    .text           = "Writes a report whose values are the mean of those of several reports, such as repeated runs "
                      "of one program, and prints its summary. What a report does not have counts as zero. Runs with "
                      "different processes are summed up over all of them, with different threads over those of each "
                      "process. Of minima and maxima the least, or largest, is taken.",
    .example        = "heddle mean run1.cubex run2.cubex run3.cubex -o mean.cubex\tthree runs\n"
                      "heddle mean run?.cubex && heddle diff mean.cubex new.cubex\tdifferences to their mean",
    .options        = mean_options,
    .n_options      = sizeof mean_options / sizeof *mean_options,
    .bytes          = sizeof(hd_mean_options),
    .run            = mean_run,
};
