/* src/report/text/csv.c: comma-separated values. */
#define _GNU_SOURCE /* fopencookie() */

#include "csv.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "escape.h"
#include "memory.h"
#include "path_text.h"
#include "status.h"

void
hd_csv_escaped(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"") == NULL) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

void
hd_csv_text(FILE *file, const char *text)
{
    char  *cell   = NULL;
    size_t bytes  = 0;
    FILE  *stream = open_memstream(&cell, &bytes);

    if (stream == NULL)
        hd_fatal("out of memory: a name cannot be written");
    hd_write_cell(stream, text, HD_CELL_WHOLE);
    if (fclose(stream) != 0)
        hd_fatal("out of memory: a name cannot be written");
    hd_csv_escaped(file, cell);
    free(cell);
}

typedef struct csv_stream {
    FILE    *out;
    hd_bytes cell; /* begun */
} csv_stream;

static ssize_t
write_cells(void *cookie, const char *text, size_t n)
{
    csv_stream *stream = cookie;

    for (size_t i = 0; i < n; i++)
        if (text[i] != '\t' && text[i] != '\n')
            hd_bytes_put(&stream->cell, &text[i], 1);
        else {
            hd_bytes_put(&stream->cell, "", 1);
            hd_csv_escaped(stream->out, (const char *)stream->cell.data);
            putc(text[i] == '\t' ? ',' : '\n', stream->out);
            stream->cell.n = 0;
        }
    return fflush(stream->out) == 0 && !ferror(stream->out) ? (ssize_t)n : 0;
}

static int
close_cells(void *cookie)
{
    csv_stream *stream = cookie;

    hd_bytes_fini(&stream->cell);
    free(stream);
    return 0;
}

FILE *
hd_csv_of_tsv(FILE *out)
{
    csv_stream *stream = HD_NEW(csv_stream);
    FILE       *file;

    stream->out = out;
    file        = fopencookie(stream, "w", (cookie_io_functions_t){ .write = write_cells, .close = close_cells });
    if (file == NULL)
        hd_fatal("out of memory: a table cannot be written");
    return file;
}

void
hd_csv_path(FILE *file, const hd_cube *cube, uint32_t path)
{
    char *text = hd_path_text(cube, path, ";");

    hd_csv_escaped(file, text);
    free(text);
}
