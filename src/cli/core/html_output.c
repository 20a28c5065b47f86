/* src/cli/core/html_output.c: writes pages of reports and says where they are. */
#include "html_output.h"

#include <stdio.h>

#include "cube_reader.h"
#include "message.h"

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
