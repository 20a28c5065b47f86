/* src/report/series/series_paths.c: the rows of a table by wait state and call path. */
#include "series_paths.h"

#include <stdlib.h>

#include "derived_series.h"
#include "memory.h"
#include "series_delays.h"

hd_status
hd_series_paths_read(hd_cube *cube, const hd_series_list *windows, const hd_iteration_list *iterations,
                     uint32_t metric, hd_series_paths *paths)
{
    hd_series_path_row *row      = NULL;
    size_t              capacity = 0;
    hd_status           status;

    *paths = (hd_series_paths){ .n_shown  = iterations != NULL ? iterations->n_slices : windows->n_slices - 2,
                                .n_slices = iterations != NULL ? iterations->n_slices + 3 : windows->n_slices };
    status = hd_path_series_list_read(cube, iterations != NULL ? HD_ITERATION_PATH_SERIES_MEMBER : HD_PATH_SERIES_MEMBER,
                                      paths->n_slices, &paths->list);
    if (status == HD_OK)
        status = hd_series_delays_read_paths(cube, windows, iterations, &paths->list);
    if (status == HD_OK)
        hd_derived_series_add_paths(&paths->list, metric);
    for (size_t i = 0; i < paths->list.n; i++) {
        const hd_path_entry *entry = &paths->list.entries[i];

        if (row == NULL || row->metric != entry->metric || row->path != entry->path ||
            entry->slice <= row->entries[row->n - 1].slice) {
            HD_PUSH(paths->rows, paths->n, capacity,
                    ((hd_series_path_row){ .metric = entry->metric, .path = entry->path, .entries = entry }));
            row = &paths->rows[paths->n - 1];
        }
        row->n++;
        if (entry->slice > 0 && entry->slice <= paths->n_shown)
            row->sum += entry->value;
    }
    return status;
}

void
hd_series_paths_fini(hd_series_paths *paths)
{
    hd_path_series_list_fini(&paths->list);
    free(paths->rows);
    *paths = (hd_series_paths){ .n = 0 };
}

void
hd_series_path_values(const hd_series_paths *paths, const hd_series_path_row *row, double *values)
{
    for (uint32_t slice = 0; slice < paths->n_slices; slice++)
        values[slice] = 0;
    for (size_t i = 0; i < row->n; i++)
        values[row->entries[i].slice] = row->entries[i].value;
}
