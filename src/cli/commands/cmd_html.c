/* heddle html: a report as one HTML page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "html_output.h"
#include "memory.h"
#include "message.h"
#include "page_server.h"
#include "report_path.h"
#include "signal_stop.h"

typedef struct hd_html_options {
    bool        help;
    const char *report, *output, *reference;
    bool        force, with_startup;
    hd_texts    sources;
    uint64_t    max_bytes;
    bool        serve;
    uint32_t    port; /* 0: not given */
    hd_duration idle;
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
    { "serve", 0, HD_FLAG, NULL, NULL,
        "write no file, but serve the page to browsers on this machine (127.0.0.1), until Ctrl-C: for reports on a cluster, over ssh",
        FIELD(serve) },
    { "port", 0, HD_SMALL_COUNT, "(one that is free)", "N", "port of --serve", FIELD(port) },
    { "idle", 0, HD_TIME, "3600", "T", "--serve ends when the page was not asked for so long: seconds; END: never", FIELD(idle) },
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

static void
tell_address(const hd_page_server *server, const char *report)
{
    char        host[256] = "HOST";
    const char *user      = getenv("USER");

    gethostname(host, sizeof host - 1);
    fputs("serving \"", stdout);
    hd_message_escaped(stdout, report, false);
    printf("\" until Ctrl-C\n  address:   http://127.0.0.1:%u/%s/\n  over ssh:  ssh -L %u:127.0.0.1:%u ", server->port,
           server->token, server->port, server->port);
    hd_message_escaped(stdout, user != NULL && *user != '\0' ? user : "USER", false);
    fputs("@", stdout);
    hd_message_escaped(stdout, host, false);
    puts("\n             on your machine, then open the address there");
    fflush(stdout);
}

/* A signal ends it, and that is no error. */
static hd_status
serve_page(const char *report, const hd_html_options *options, const hd_page_options *page)
{
    FILE          *file;
    hd_page_server server;
    uint64_t       n_sent;
    hd_status      status = hd_html_write_aside(report, page, &file);

    if (status != HD_OK)
        return status;
    status = hd_page_server_open(file, options->port, &server);
    if (status == HD_OK && *hd_stop_mark() == 0) {
        tell_address(&server, report);
        n_sent = hd_page_server_run(&server, hd_stop_mark(), options->idle);
        printf("%s; the page was sent %" PRIu64 " time%s\n", *hd_stop_mark() != 0 ? "stopped" :
               "stopped, as it was not asked for any more (--idle)", n_sent, n_sent == 1 ? "" : "s");
    }
    hd_page_server_close(&server);
    fclose(file);
    return status;
}

static hd_status
check_serve(const hd_html_options *options)
{
    if (options->serve && (options->output != NULL || options->force))
        return hd_fail(HD_EUSAGE, "--serve writes no file: --output and --force do not go with it");
    if (!options->serve && options->port != 0)
        return hd_fail(HD_EUSAGE, "--port is for --serve");
    return HD_OK;
}

static hd_status
write_page(const char *report, const hd_html_options *options, const hd_page_options *page)
{
    char     *path   = options->output == NULL ? hd_page_path(report) : hd_strdup(options->output);
    hd_status status = strcmp(path, "-") == 0 ? hd_html_write_stdout(report, page) : hd_html_write(report, path, page, true);

    free(path);
    return status;
}

static hd_status
html_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_html_options *options = options_;
    hd_page_options        page    = { .force = options->force, .max_bytes = options->max_bytes,
                                       .with_startup = options->with_startup,
                                       .sources = { options->sources.text, options->sources.n }, .stop = hd_stop_hold() };
    char                  *report  = NULL, *reference = NULL;
    hd_status              status  = check_serve(options);

    (void)analysis_comm;
    if (status == HD_OK && options->reference != NULL)
        status = hd_report_find(options->reference, &reference);
    if (status == HD_OK && reference != NULL)
        status = hd_cube_open(reference, &page.reference);
    if (status == HD_OK)
        status = hd_report_find(options->report, &report);
    if (status == HD_OK)
        status = check_folders(&options->sources);
    if (status == HD_OK)
        status = options->serve ? serve_page(report, options, &page) : write_page(report, options, &page);
    if (options->serve)
        hd_stop_release();
    else
        hd_stop_let_go();
    hd_cube_close(page.reference);
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
                      "each function and each recorded call. A recorded path is searched in DIR from its whole length to the file's name alone.\n\n"
                      "With --serve the page is served to browsers on this machine, at an address that cannot be guessed. From another "
                      "machine it is reached through ssh, with the command that is printed. Ctrl-C ends it, with exit code 0.",
    .example        = "heddle html heddle.cubex\twrites heddle.html\n"
                      "heddle html heddle.cubex -o lu.html --force\twrite lu.html, replacing an older one\n"
                      "heddle html new.cubex --reference old.cubex\tnew.html, with values as percent of those of old.cubex\n"
                      "heddle html heddle.cubex --source ~/lu/src\twith the source of functions and calls\n"
                      "heddle html heddle.cubex --serve\tserve the page, of a report on a cluster\n"
                      "heddle html heddle.cubex -o - | ssh host 'cat > lu.html'\twrite it to standard output",
    .options        = html_options,
    .n_options      = sizeof html_options / sizeof *html_options,
    .bytes          = sizeof(hd_html_options),
    .run            = html_run,
};
