#include "cube_derived.h"

#include "memory.h"

/* Zero counts as not known. */
static double
extreme_of(const hd_cube_metric *metric, double a, double b)
{
    if (a == 0 || b == 0)
        return a == 0 ? b : a;
    return (a < b) == metric->is_minimum ? a : b;
}

hd_status
hd_cube_sum(hd_cube *cube, uint32_t metric, const bool *selected, double *values)
{
    const hd_cube_metric *of     = &cube->metrics[metric];
    double               *row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status             status = HD_OK;

    if (of->is_extreme)
        memset(values, 0, cube->n_locations * sizeof *values);
    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
        bool any = false;

        if (selected == NULL || selected[path])
            status = hd_cube_row(cube, metric, path, row, &any);
        for (uint32_t i = 0; status == HD_OK && any && i < cube->n_locations; i++)
            values[i] = of->is_extreme ? extreme_of(of, values[i], row[i]) : values[i] + row[i];
    }
    free(row);
    return status;
}
