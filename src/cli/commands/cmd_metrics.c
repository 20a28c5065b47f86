/* heddle metrics: the list of metrics, with a sentence on each. */
#include "commands.h"
#include "explain_page.h"
#include "terminal.h"

typedef struct hd_metrics_options {
    bool        help, all, tsv;
    uint32_t    width;
    const char *filter;
} hd_metrics_options;

static const hd_option metrics_options[] = {
    { "all", 0, HD_FLAG, NULL, NULL, "list every metric, not only those with an explanation of their own",
      offsetof(hd_metrics_options, all) },
    { "tsv", 0, HD_FLAG, NULL, NULL, "print a line per metric, separated by tabs", offsetof(hd_metrics_options, tsv) },
    HD_OPTION_WIDTH(offsetof(hd_metrics_options, width)),
    HD_OPTION_HELP,
};

static hd_status
metrics_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_metrics_options *options = options_;
    size_t                    n;
    hd_status                 status;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    status     = hd_metric_list_print(stdout,
        &(hd_metric_list_options){ .filter = options->filter, .all = options->all, .is_tsv = options->tsv,
                                   .look = hd_terminal_look(options->width) }, &n);
    if (status == HD_OK && n == 0) {
        status = hd_fail(HD_EUSAGE, "no metric has \"%s\" in its id, its name or its sentence", options->filter);
        hd_fail_detail("try", "heddle metrics --all");
    }
    return status;
}

const hd_command hd_cmd_metrics = {
    .name             = "metrics",
    .operand          = "TEXT",
    .operand_offset   = offsetof(hd_metrics_options, filter),
    .operand_optional = true,
    .what             = "list the metrics of reports",
    .text             = "Lists the metrics that a report can have, as the tree that they form: name, id, unit and a "
                        "sentence. Without --all these are the "
                        "metrics with an explanation of their own, and what is above them; with TEXT all metrics whose "
                        "id, name or sentence contains it. "
                        "heddle explain says more of each.",
    .example          = "heddle metrics\twait states, causes and other metrics with an explanation\n"
                        "heddle metrics barrier\tall that has to do with barriers\n"
                        "heddle metrics --all --tsv\tall of them, for a script",
    .options          = metrics_options,
    .n_options        = sizeof metrics_options / sizeof *metrics_options,
    .bytes            = sizeof(hd_metrics_options),
    .run              = metrics_run,
};
