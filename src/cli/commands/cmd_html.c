/* heddle html: a report as one page for a browser. */
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "cube_reader.h"
#include "message.h"
#include "page_writer.h"
#include "result.h"

typedef struct hd_html_options {
    bool        help;
    const char *report, *output;
    bool        force;
    uint64_t    max_bytes;
} hd_html_options;

#define FIELD(field) offsetof(hd_html_options, field)
static const hd_option html_options[] = {
    { "output", 'o', HD_TEXT, "(the report's name with .html for .cubex)", "FILE.html", "name of the page", FIELD(output) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing page", FIELD(force) },
    { "max-size", 0, HD_BYTES, "64M", "BYTES",
        "the largest page; what would be larger has its values in files beside it, in the folder FILE.html.data", FIELD(max_bytes) },
    HD_OPTION_HELP,
};

void
hd_html_tell(const char *path, const hd_page_written *written)
{
    char size[28];

    printf("page: \"");
    hd_message_escaped(stdout, path, false);
    printf("\" (%s)\n", hd_message_size(size, written->page_bytes));
    if (written->beside_bytes > 0) {
        printf("its values are too large to be in it: the folder \"");
        hd_message_escaped(stdout, path, false);
        printf(".data\" (%s) belongs beside it\n", hd_message_size(size, written->beside_bytes));
    }
}

hd_status
hd_html_write(const char *report, const char *path, const hd_page_options *options, bool tells)
{
    hd_page_written written = { 0 };
    hd_cube        *cube    = NULL;
    hd_status       status  = hd_cube_open(report, &cube);

    if (status == HD_OK) {
        hd_message_left_out(stderr, cube);
        status = hd_page_write(cube, path, options, &written);
    }
    hd_cube_close(cube);
    if (status == HD_OK && tells)
        hd_html_tell(path, &written);
    return status;
}

static hd_status
html_run(const void *options_, hd_group *group, int *exit_code)
{
    const hd_html_options *options = options_;
    char                  *path    = options->output == NULL ? hd_page_path(options->report) : NULL;
    hd_status              status;

    (void)group;
    status = hd_html_write(options->report, path != NULL ? path : options->output,
        &(hd_page_options){ .force = options->force, .max_bytes = options->max_bytes, .stop = hd_result_catch_signals() }, true);
    hd_result_end_if_stopped();
    free(path);
    *exit_code = HD_EXIT_OK;
    return status;
}

const hd_command hd_cmd_html = {
    .name           = "html",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_html_options, report),
    .what           = "write a report as one HTML page",
    .text           = "Writes a Cube4 report as one HTML file that any current browser opens, from disk, without a network. It has an overview "
                      "and an explorer of the metric tree, call tree and system tree. It shows reports of other tools, too. A report that is "
                      "too large for one file gets a folder with its values beside the page.",
    .example        = "heddle html heddle.cubex\twrites heddle.html\n"
                      "heddle html heddle.cubex -o lu.html --force\twrite lu.html, replacing an older one",
    .options        = html_options,
    .n_options      = sizeof html_options / sizeof *html_options,
    .bytes          = sizeof(hd_html_options),
    .run            = html_run,
};
