#include "dump.h"

#include <errno.h>

#include "findings_tsv.h"
#include "memory.h"

char *
hd_dump_path(const hd_cube *cube, uint32_t path, const char *separator)
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

static void
print_row(const hd_cube *cube, uint32_t metric, uint32_t path, const double *values, FILE *file)
{
    char *text = NULL;

    for (uint32_t i = 0; i < cube->n_locations; i++) {
        if (values[i] == 0)
            continue;
        if (text == NULL)
            text = hd_dump_path(cube, path, ";");
        hd_write_cell(file, cube->metrics[metric].id, HD_CELL_WHOLE);
        fprintf(file, "\t%s\t%" PRIu32 "\t%" PRIu32 "\t%.17g\n", text, cube->locations[i].process, cube->locations[i].thread,
                values[i]);
    }
    free(text);
}

hd_status
hd_dump(hd_cube *cube, FILE *file)
{
    double   *values = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = HD_OK;

    for (uint32_t metric = 0; metric < cube->n_metrics && status == HD_OK; metric++)
        for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
            bool any;

            status = hd_cube_row(cube, metric, path, values, &any);
            if (status == HD_OK && any)
                print_row(cube, metric, path, values, file);
        }
    free(values);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the values of report \"%s\": %s", cube->path, strerror(errno));
    return status;
}
