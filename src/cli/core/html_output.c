/* src/cli/core/html_output.c: writes pages of reports and says where they are. */
#include "html_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cube_reader.h"
#include "memory.h"
#include "message.h"
#include "signal_stop.h"

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
    if (written->n_paths > 0)
        printf("second report: it has %" PRIu32 " of %" PRIu32 " call path%s\n", written->n_common, written->n_paths, written->n_paths == 1 ? "" : "s");
    if (written->sources.n_files > 0)
        printf("source: %" PRIu32 " of %" PRIu32 " file%s found, %" PRIu32 " excerpt%s in the page\n",
               written->sources.n_found, written->sources.n_files, written->sources.n_files == 1 ? "" : "s",
               written->sources.n_excerpts, written->sources.n_excerpts == 1 ? "" : "s");
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
copy_to_stdout(FILE *file)
{
    char     *buffer = HD_NEW_UNSET(char, BUFSIZ);
    size_t    n;
    hd_status status = HD_OK;

    hd_stop_let_go_of_pipe(); /* no file is unfinished: a reader of the page may have seen enough */
    while ((n = fread(buffer, 1, BUFSIZ, file)) > 0)
        if (fwrite(buffer, 1, n, stdout) != n)
            break;
    if (ferror(file))
        status = hd_fail(HD_EREAD, "the page cannot be read: %s", strerror(errno));
    else if (fflush(stdout) != 0 || ferror(stdout))
        status = hd_fail(HD_EWRITE, "standard output cannot be written: %s", strerror(errno));
    free(buffer);
    return status;
}

hd_status
hd_html_write_aside(const char *report, const hd_page_options *options, FILE **file)
{
    const char     *where  = getenv("TMPDIR");
    char           *folder = hd_format("%s/heddle-XXXXXX", where != NULL && *where != '\0' ? where : "/tmp"), *path;
    hd_page_options whole  = *options;
    hd_status       status;

    *file           = NULL;
    whole.max_bytes = UINT64_MAX;
    if (mkdtemp(folder) == NULL) {
        status = hd_fail(HD_EWRITE, "no folder can be made for the page: %s", strerror(errno));
        hd_fail_detail("folder", "\"%s\"", folder);
        hd_fail_detail("try", "TMPDIR=DIR, where you may write, or --output FILE.html");
        free(folder);
        return status;
    }
    path   = hd_format("%s/page.html", folder);
    status = hd_html_write(report, path, &whole, false);
    if (status == HD_OK) {
        *file = fopen(path, "rbe");
        if (*file == NULL)
            status = hd_fail(HD_EREAD, "cannot read \"%s\": %s", path, strerror(errno));
    }
    unlink(path);
    rmdir(folder);
    free(path);
    free(folder);
    return status;
}

hd_status
hd_html_write_stdout(const char *report, const hd_page_options *options)
{
    FILE     *file;
    hd_status status = hd_html_write_aside(report, options, &file);

    if (status == HD_OK)
        status = copy_to_stdout(file);
    if (file != NULL)
        fclose(file);
    return status;
}
