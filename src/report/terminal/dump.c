#include "dump.h"

#include <errno.h>

#include "escape.h"
#include "memory.h"
#include "path_text.h"

static void
print_row(const hd_cube *cube, uint32_t metric, uint32_t path, const double *values, FILE *file)
{
    char *text = NULL;

    for (uint32_t i = 0; i < cube->n_locations; i++) {
        if (values[i] == 0)
            continue;
        if (text == NULL)
            text = hd_path_text(cube, path, ";");
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
