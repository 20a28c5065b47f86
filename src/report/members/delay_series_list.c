/* src/report/members/delay_series_list.c: writes and reads the tables of delay costs over time. */
#include "delay_series_list.h"

#include <stdlib.h>
#include <string.h>

#include "iteration_list.h"
#include "memory.h"

static uint64_t
parts_per_second(const hd_delay_series *series, uint64_t resolution)
{
    return (uint64_t)(series->fraction * (double)resolution);
}

void
hd_delay_series_write(FILE *file, const hd_delay_series *series, uint32_t track, uint64_t resolution)
{
    hd_series_write(file, &series->tracks[track].of_processes, hd_series_metric_id,
                    parts_per_second(series, resolution));
}

void
hd_delay_path_series_write(FILE *file, const hd_delay_series *series, uint32_t track, const uint32_t *numbers,
                           uint64_t resolution)
{
    hd_path_series_write_head(file);
    hd_path_series_write(file, &series->tracks[track].of_paths, &series->fold, numbers,
                         parts_per_second(series, resolution));
}

static uint32_t
delay_by_id(const char *id)
{
    uint32_t metric = hd_metric_by_id(id);

    return hd_metric_is_delay_cost(metric) ? metric : HD_NONE;
}

hd_status
hd_delay_series_add(hd_cube *cube, bool over_iterations, uint32_t n_slices, hd_series_entry **entries, size_t *n,
                    bool *is_there)
{
    const char      *member = over_iterations ? HD_ITERATION_DELAY_SERIES_MEMBER : HD_DELAY_SERIES_MEMBER;
    hd_series_entry *more   = NULL;
    size_t           n_more = 0;
    hd_status        status;

    *is_there = false;
    status    = hd_series_rows_read(cube, member, delay_by_id, n_slices, &more, &n_more, is_there);
    if (status == HD_OK && n_more > 0) {
        *entries = hd_realloc(*entries, *n + n_more, sizeof **entries);
        memcpy(&(*entries)[*n], more, n_more * sizeof *more);
        *n += n_more;
    }
    free(more);
    return status;
}

hd_status
hd_delay_path_series_add(hd_cube *cube, bool over_iterations, uint32_t n_slices, hd_path_series_list *list)
{
    const char *member = over_iterations ? HD_ITERATION_DELAY_PATH_SERIES_MEMBER : HD_DELAY_PATH_SERIES_MEMBER;
    hd_path_series_list more;
    hd_status           status = hd_path_series_list_read(cube, member, n_slices, &more);

    for (size_t i = 0; i < more.n && status == HD_OK; i++)
        if (!hd_metric_is_delay_cost(more.entries[i].metric))
            status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: table \"%s\" has other metrics than delay costs",
                             cube->path, member);
    if (status == HD_OK && more.n > 0) {
        list->entries = hd_realloc(list->entries, list->n + more.n, sizeof *list->entries);
        memcpy(&list->entries[list->n], more.entries, more.n * sizeof *more.entries);
        list->n += more.n;
    }
    hd_path_series_list_fini(&more);
    return status;
}
