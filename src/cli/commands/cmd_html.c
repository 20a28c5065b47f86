/* heddle html: a report as one HTML page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "html_output.h"
#include "memory.h"
#include "report_path.h"
#include "signal_stop.h"

typedef struct hd_html_options {
    bool        help;
    const char *report, *output, *reference;
    bool        force, with_startup;
    hd_texts    sources;
    uint64_t    max_bytes;
} hd_html_options;

#define FIELD(field) offsetof(hd_html_options, field)
static const hd_option html_options[] = {
    { "output", 'o', HD_TEXT, "(the report's name with .html for .cubex)", "FILE.html", "name of the page; - for standard output", FIELD(output) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing page", FIELD(force) },
    { "with-startup", 0, HD_FLAG, NULL, NULL, "count MPI_Init and MPI_Finalize, too: in sums, percentages, wait states and root causes",
        FIELD(with_startup) },
    { "reference", 0, HD_TEXT, NULL, "REPORT2",
        "put the values of a second report into the page, which shows values of REPORT as percent of them: of the same metric, call path and process",
        FIELD(reference) },
    { "source", 0, HD_TEXTS, NULL, "DIR",
        "search the program's source in this folder, and show the lines around functions and calls in the page; may be "
        "given several times",
        FIELD(sources) },
    { "max-size", 0, HD_BYTES, "64M", "BYTES",
        "the largest page; what would be larger has its values in files beside it, in the folder FILE.html.data (not on standard output)",
        FIELD(max_bytes) },
    HD_OPTION_HELP,
};

static hd_status
check_folders(const hd_texts *folders)
{
    for (size_t i = 0; i < folders->n; i++) {
        struct stat info;

        if (stat(folders->text[i], &info) != 0)
            return hd_fail(HD_EOPEN, "--source: \"%s\" cannot be read: %s", folders->text[i], strerror(errno));
        if (!S_ISDIR(info.st_mode))
            return hd_fail(HD_EUSAGE, "--source: \"%s\" is no folder", folders->text[i]);
    }
    return HD_OK;
}

static hd_status
html_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_html_options *options = options_;
    hd_page_options        page    = { .force = options->force, .max_bytes = options->max_bytes,
                                       .with_startup = options->with_startup,
                                       .sources = { options->sources.text, options->sources.n }, .stop = hd_stop_hold() };
    char                  *report  = NULL, *path = NULL, *reference = NULL;
    hd_status              status  = hd_report_find(options->report, &report);

    (void)analysis_comm;
    if (status == HD_OK && options->reference != NULL)
        status = hd_report_find(options->reference, &reference);
    if (status == HD_OK && reference != NULL)
        status = hd_cube_open(reference, &page.reference);
    if (status == HD_OK)
        status = check_folders(&options->sources);
    if (status == HD_OK)
        path = options->output == NULL ? hd_page_path(report) : hd_strdup(options->output);
    if (status == HD_OK && strcmp(path, "-") == 0)
        status = hd_html_write_stdout(report, &page);
    else if (status == HD_OK)
        status = hd_html_write(report, path, &page, true);
    hd_stop_let_go();
    hd_cube_close(page.reference);
    free(path);
    free(report);
    free(reference);
    *exit_code = HD_EXIT_OK;
    return status;
}

const hd_command hd_cmd_html = {
    .name           = "html",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_html_options, report),
    .output_may_be_stdout = true,
    .what           = "write a report as one HTML page",
    .text           = "Writes a Cube4 report as one HTML file that any current browser opens, from disk, without a network. It has an overview "
                      "and an explorer of the metric tree, call tree and system tree. It shows reports of other tools, too. A report that is "
                      "too large for one file gets a folder with its values beside the page.\n\n"
                      "Source of the program is in the page only with --source DIR: five lines before and after the first line of "
                      "each function and each recorded call. A recorded path is searched in DIR from its whole length to the file's name alone.",
    .example        = "heddle html heddle.cubex\twrites heddle.html\n"
                      "heddle html heddle.cubex -o lu.html --force\twrite lu.html, replacing an older one\n"
                      "heddle html new.cubex --reference old.cubex\tnew.html, with values as percent of those of old.cubex\n"
                      "heddle html heddle.cubex --source ~/lu/src\twith the source of functions and calls\n"
                      "heddle html heddle.cubex -o - | ssh host 'cat > lu.html'\twrite it to standard output",
    .options        = html_options,
    .n_options      = sizeof html_options / sizeof *html_options,
    .bytes          = sizeof(hd_html_options),
    .run            = html_run,
};
