/* src/report/text/path_text.c: writes call paths. */
#include "path_text.h"

#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "memory.h"

char *
hd_path_text(const hd_cube *cube, uint32_t path, const char *separator)
{
    uint32_t  n     = 0;
    uint32_t *nodes = NULL;
    char     *text  = NULL;
    size_t    bytes = 0;
    FILE     *stream;

    for (uint32_t i = path; i != HD_NONE; i = cube->paths[i].parent)
        n++;
    nodes = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    n     = 0;
    for (uint32_t i = path; i != HD_NONE; i = cube->paths[i].parent)
        nodes[n++] = i;
    stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        hd_fatal("out of memory: a call path cannot be written");
    for (uint32_t i = n; i-- > 0;) {
        if (strcmp(separator, ";") == 0)
            hd_write_cell(stream, cube->paths[nodes[i]].name, i + 1 == n ? HD_CELL_FIRST : HD_CELL_NEXT);
        else
            hd_write_escaped(stream, cube->paths[nodes[i]].name);
        if (i > 0)
            fputs(separator, stream);
    }
    if (fclose(stream) != 0)
        hd_fatal("out of memory: a call path cannot be written");
    free(nodes);
    return text;
}
