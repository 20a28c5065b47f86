/* src/report/text/csv.c: comma-separated values. */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
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

void
hd_csv_path(FILE *file, const hd_cube *cube, uint32_t path)
{
    char *text = hd_path_text(cube, path, ";");

    hd_csv_escaped(file, text);
    free(text);
}
