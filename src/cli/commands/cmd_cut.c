/* heddle cut: a report with a part of its call tree. */
#include <stdio.h>

#include "commands.h"
#include "cut.h"
#include "message.h"
#include "result.h"
#include "terminal.h"

typedef struct hd_cut_command_options {
    bool            help;
    const char     *report;
    hd_texts        roots, pruned;
    bool            drop;
    hd_result_place place;
    bool            quiet;
} hd_cut_command_options;

#define FIELD(field) offsetof(hd_cut_command_options, field)
static const hd_option cut_options[] = {
    { "root", 0, HD_TEXTS, NULL, "CALLPATH",
      "make this call path a root and omit everything not below a root; may be given several times", FIELD(roots) },
    { "prune", 0, HD_TEXTS, NULL, "CALLPATH",
        "omit this call path and its subtree; its values are added to those of its parent. May be given several times",
        FIELD(pruned) },
    { "drop", 0, HD_FLAG, NULL, NULL, "omit the values of pruned call paths, too", FIELD(drop) },
    { "output", 'o', HD_TEXT, "cut.cubex", "REPORT.cubex", "name of the report", FIELD(place.report) },
    { "html", 0, HD_TEXT, NULL, "FILE.html", "also write it as an HTML page", FIELD(place.page) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace existing files", FIELD(place.force) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "do not print its summary", FIELD(quiet) },
    HD_OPTION_HELP,
};

static hd_status
nothing_to_cut(void)
{
    hd_fail(HD_EUSAGE, "nothing is to be cut");
    hd_fail_detail("try", "--root CALLPATH, --prune CALLPATH, or both");
    return HD_EUSAGE;
}

static hd_status
write_cut(const hd_cut_command_options *options, hd_cube *cube)
{
    hd_cut_options what   = { .roots = options->roots.text, .n_roots = options->roots.n, .pruned = options->pruned.text,
                              .n_pruned = options->pruned.n, .drops = options->drop };
    hd_cut        *cut    = NULL;
    hd_status      status = hd_cut_new(cube, &what, &cut);

    if (status == HD_OK)
        status = hd_result_write(hd_cut_cube(cut), hd_cut_rows, cut, &options->place, !options->quiet);
    hd_cut_free(cut);
    return status;
}

static hd_status
cut_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_cut_command_options *options = options_;
    hd_texts                      inputs  = { .text = (const char *[]){ options->report }, .n = 1 };
    hd_cube                      *cube    = NULL;
    hd_status                     status;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    if (options->roots.n == 0 && options->pruned.n == 0)
        return nothing_to_cut();
    status = hd_result_probe(&options->place, &inputs);
    if (status == HD_OK)
        status = hd_cube_open(options->report, &cube);
    if (status == HD_OK) {
        hd_message_left_out(stderr, cube);
        status = write_cut(options, cube);
    }
    hd_cube_close(cube);
    if (status == HD_OK && !options->quiet) {
        putchar('\n');
        status = hd_summary_show(options->place.report, &(hd_summary_options){ 0 });
    }
    return status;
}

const hd_command hd_cmd_cut = {
    .name           = "cut",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_cut_command_options, report),
    .former_letters = "r=root p=prune d=drop",
    .what           = "write a report with part of the call tree",
    .text           = "Writes a report with other roots of its call tree, or without some of its subtrees, and prints "
                      "its summary. A call path is given by its last regions, outer ones first, joined by \" > \", "
                      "\";\" or \"/\"; it names all call paths that end so. Values of a pruned call path are added to "
                      "those of its parent, so all sums stay the same; --drop omits them.",
    .example        = "heddle cut heddle.cubex --root solve\tonly what is below solve\n"
                      "heddle cut heddle.cubex --prune MPI_Init --prune MPI_Finalize --drop -o inner.cubex\twithout "
                      "start and end\n"
                      "heddle cut heddle.cubex --prune 'solve;exchange'\twhat exchange calls counts as time of solve",
    .options        = cut_options,
    .n_options      = sizeof cut_options / sizeof *cut_options,
    .bytes          = sizeof(hd_cut_command_options),
    .run            = cut_run,
};
