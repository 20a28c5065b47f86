/* heddle scaling: how shares of the time grow with the number of processes. */
#include <stdio.h>

#include "commands.h"
#include "memory.h"
#include "page_writer.h"
#include "result.h"
#include "scaling_json.h"
#include "scaling_page.h"
#include "signal_stop.h"
#include "terminal.h"

typedef struct hd_scaling_command_options {
    bool            help;
    hd_texts        reports;
    hd_result_place place;
    uint32_t        top, width;
    bool            all, tsv, json, quiet;
} hd_scaling_command_options;

enum { PATHS_OF_PAGE = 200 };

#define FIELD(field) offsetof(hd_scaling_command_options, field)
static const hd_option scaling_options[] = {
    { "top", 'n', HD_COUNT, "5", "N", "how many call paths to name", FIELD(top) },
    { "all", 0, HD_FLAG, NULL, NULL, "print all times, also small ones", FIELD(all) },
    { "tsv", 0, HD_FLAG, NULL, NULL, "print a line per metric and call path, separated by tabs, with all digits", FIELD(tsv) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all metrics and call paths", FIELD(json) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print nothing but warnings", FIELD(quiet) },
    { "html", 0, HD_TEXT, NULL, "FILE.html", "also write an HTML page with charts", FIELD(place.page) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing page", FIELD(place.force) },
    HD_OPTION_WIDTH(FIELD(width)),
    HD_OPTION_HELP,
};

/* The names of the reports, as they are in the page's head; free() it. */
static char *
title_of(const hd_scaling *scaling)
{
    char *title = hd_strdup("");

    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        const char *slash = strrchr(scaling->runs[i].cube->path, '/');
        char       *more  = hd_format("%s%s%s", title, i > 0 ? ", " : "", slash != NULL ? slash + 1 : scaling->runs[i].cube->path);

        free(title);
        title = more;
    }
    return title;
}

static hd_status
write_page(const hd_scaling_command_options *options, const hd_scaling *scaling)
{
    char     *title = title_of(scaling), *head;
    size_t    bytes;
    hd_status status;

    head   = hd_scaling_head(scaling, title, PATHS_OF_PAGE, &bytes);
    status = hd_page_write_head(head, bytes, options->place.page,
        &(hd_page_options){ .title = title, .force = options->place.force, .stop = hd_stop_hold() });
    hd_stop_let_go();
    free(head);
    free(title);
    return status;
}

static hd_status
show(const hd_scaling_command_options *options, const hd_scaling *scaling)
{
    hd_scaling_options page   = { .look = hd_terminal_look(options->width), .all = options->all };
    hd_status          status = HD_OK;

    if (options->place.page != NULL)
        status = write_page(options, scaling);
    page.look.n_top = options->top;
    if (status == HD_OK && options->tsv)
        return hd_scaling_print_tsv(scaling, stdout);
    if (status == HD_OK && options->json)
        return hd_scaling_write_json(scaling, stdout);
    if (status == HD_OK && !options->quiet)
        return hd_scaling_print(scaling, stdout, &page);
    return status;
}

static hd_status
scaling_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_scaling_command_options *options   = options_;
    hd_reports                        reports   = { 0 };
    hd_alignment                     *alignment = NULL;
    hd_scaling                       *scaling   = NULL;
    hd_status                         status;

    (void)analysis_comm;
    if (options->tsv && options->json)
        return hd_fail(HD_EUSAGE, "--tsv and --json exclude each other");
    status = hd_result_probe(&options->place, &options->reports);
    *exit_code = HD_EXIT_OK;
    if (status == HD_OK)
        status = hd_reports_open(&options->reports, &reports);
    if (status == HD_OK) {
        hd_scaling_sort(reports.cubes, reports.n);
        alignment = hd_alignment_new(reports.cubes, reports.n, (hd_alignment_options){ .one_program = true });
        hd_result_warn(alignment, false);
        status = hd_scaling_new(alignment, &scaling);
    }
    if (status == HD_OK)
        status = show(options, scaling);
    hd_scaling_free(scaling);
    hd_alignment_free(alignment);
    hd_reports_close(&reports);
    return status;
}

const hd_command hd_cmd_scaling = {
    .name           = "scaling",
    .operand        = "A B...",
    .operand_offset = offsetof(hd_scaling_command_options, reports),
    .operands_min   = 2,
    .operands_max   = 65535,
    .former_letters = "a=all",
    .what           = "print scaling efficiency, and shares of total time by number of processes",
    .text           = "Compares runs of one program on several numbers of processes (where these are all the same: of locations): strong-scaling and "
                      "weak-scaling efficiency, the share of total time of each metric and call path, and the growth of that share in percentage points per "
                      "doubling of the processes (least squares over the logarithm). The fastest growing or shrinking ones come first. "
                      "Reports may be given in any order.",
    .example        = "heddle scaling bt.4.cubex bt.16.cubex bt.64.cubex\tthree runs\n"
                      "heddle scaling bt.*.cubex --html bt-scaling.html\twith charts",
    .options        = scaling_options,
    .n_options      = sizeof scaling_options / sizeof *scaling_options,
    .bytes          = sizeof(hd_scaling_command_options),
    .run            = scaling_run,
};
