/* src/profile/series/path_series.c: adds up the processes of a rank as they come, so that what is kept does not grow
 * with them, and joins the ranks. */
#include "path_series.h"

#include <stdlib.h>

#include "bytes.h"
#include "memory.h"
#include "sort.h"
#include "status.h"

enum { N_PLACES = 1 << (32 - HD_SERIES_SLICE_BITS) };

void
hd_path_series_init(hd_path_series *series, uint32_t n_slices)
{
    *series = (hd_path_series){ .n_slices = n_slices };
}

_Static_assert(HD_N_METRICS < 1 << 10 && HD_MAX_SERIES < 1 << 13,
               "a key has 10 bits for the metric, 8 for the place, 24 for the slice, 13 for the neighbours");

static inline uint64_t
key_of(const hd_path_row *row)
{
    return (uint64_t)row->metric << 45 | (uint64_t)row->place << 37 | (uint64_t)row->slice << 13 |
           (row->neighbours & 0x1fff);
}

/* Rows of the same neighbours are parts of one sum, those of all have sums of different processes. */
static void
join(hd_path_row *sum, const hd_path_row *row)
{
    sum->sum += row->sum;
    if (row->neighbours != HD_NONE)
        sum->most += row->most;
    else if (row->most > sum->most || (row->most == sum->most && row->process < sum->process)) {
        sum->most    = row->most;
        sum->process = row->process;
    }
}

static size_t
join_equal(hd_path_row *rows, size_t n)
{
    size_t n_kept = 0;

    HD_SORT_BY_KEY(hd_path_row, rows, n, key_of);
    for (size_t i = 0; i < n;) {
        hd_path_row sum = rows[i++];

        while (i < n && key_of(&rows[i]) == key_of(&sum))
            join(&sum, &rows[i++]);
        if (sum.sum != 0)
            rows[n_kept++] = sum;
    }
    return n_kept;
}

/* Those of a place, of which there are none yet. */
static __attribute__((noinline)) hd_path_cell *
new_cells(hd_path_series *series, uint32_t metric, uint32_t place)
{
    if (series->cells == NULL)
        series->cells = HD_NEW_ARRAY(hd_path_cell **, HD_N_METRICS);
    if (series->cells[metric] == NULL)
        series->cells[metric] = HD_NEW_ARRAY(hd_path_cell *, N_PLACES);
    series->cells[metric][place] = HD_NEW_ARRAY(hd_path_cell, series->n_slices);
    series->n_places             = place < series->n_places ? series->n_places : place + 1;
    return series->cells[metric][place];
}

static inline hd_path_cell *
cell_of(hd_path_series *series, uint32_t metric, uint32_t place, uint32_t slice)
{
    hd_path_cell *cells = NULL;

    HD_ASSERT(metric < HD_N_METRICS && place < N_PLACES && slice < series->n_slices);
    if (HD_LIKELY(series->cells != NULL && series->cells[metric] != NULL))
        cells = series->cells[metric][place];
    if (HD_UNLIKELY(cells == NULL))
        cells = new_cells(series, metric, place);
    return &cells[slice];
}

/* The part of a process, or of neighbours that are complete, is known. */
static inline void
end_part(hd_path_cell *cell, uint32_t process)
{
    int64_t part = cell->part;

    if (part == 0)
        return;
    cell->sum += part;
    if (part > cell->most || (part == cell->most && process < cell->process)) {
        cell->most    = part;
        cell->process = process;
    }
    cell->part = 0;
}

/* The neighbours that were taken last are complete, or the rest of them is on other ranks. */
static void
end_neighbours(hd_path_series *series, uint32_t n_processes)
{
    uint32_t rest = n_processes - series->neighbours * series->n_together;
    bool     is_complete = series->n_neighbours == (rest < series->n_together ? rest : series->n_together);

    series->n = series->first + join_equal(&series->rows[series->first], series->n - series->first);
    for (size_t i = series->first; i < series->n && is_complete; i++) {
        const hd_path_row *row  = &series->rows[i];
        hd_path_cell      *cell = cell_of(series, row->metric, row->place, row->slice);

        cell->part = row->sum;
        end_part(cell, row->process);
    }
    series->n            = is_complete ? series->first : series->n;
    series->first        = series->n;
    series->n_neighbours = 0;
}

/* Of one process. */
static void
add_process(hd_path_series *series, const hd_severity *entries, size_t n, uint32_t process)
{
    hd_path_cell **used   = HD_NEW_UNSET(hd_path_cell *, n + 1); /* some may be there twice */
    size_t         n_used = 0;

    for (size_t i = 0; i < n; i++) {
        hd_path_cell *cell = cell_of(series, entries[i].metric, hd_series_place(&entries[i]),
                                     hd_series_slice(&entries[i]));

        used[n_used] = cell;
        n_used += cell->part == 0;
        cell->part += entries[i].value;
    }
    for (size_t i = 0; i < n_used; i++)
        end_part(used[i], process);
    free(used);
}

void
hd_path_series_add(hd_path_series *series, const hd_severity *entries, size_t n, uint32_t process, uint32_t n_processes)
{
    uint32_t first;

    series->n_together = hd_series_n_together(n_processes);
    if (series->n_together == 1) {
        add_process(series, entries, n, process);
        return;
    }
    first = hd_series_first(process, n_processes);
    if (series->n_neighbours > 0 && first / series->n_together != series->neighbours)
        end_neighbours(series, n_processes);
    series->neighbours = first / series->n_together;
    series->n_neighbours++;
    for (size_t i = 0; i < n; i++)
        HD_PUSH(series->rows, series->n, series->capacity,
                ((hd_path_row){ .metric = entries[i].metric, .place = hd_series_place(&entries[i]),
                                .slice = hd_series_slice(&entries[i]), .neighbours = series->neighbours,
                                .process = first, .sum = entries[i].value, .most = entries[i].value }));
}

/* The rows of a place, in the order of the slices. */
static void
put_cells(hd_path_series *series, const hd_path_cell *cells, uint32_t metric, uint32_t place)
{
    size_t n_rows = 0;

    for (uint32_t slice = 0; slice < series->n_slices; slice++)
        n_rows += cells[slice].sum != 0;
    if (series->capacity - series->n < n_rows)
        HD_RESERVE(series->rows, series->n, series->capacity, n_rows + series->n);
    for (uint32_t slice = 0; slice < series->n_slices; slice++)
        if (cells[slice].sum != 0)
            HD_PUSH(series->rows, series->n, series->capacity,
                    ((hd_path_row){ .metric = metric, .place = place, .slice = slice, .neighbours = HD_NONE,
                                    .process = cells[slice].process, .sum = cells[slice].sum,
                                    .most = cells[slice].most }));
}

/* All rows that there are, in order; the series is empty afterwards. */
static hd_bytes
take_rows(hd_path_series *series)
{
    bool     is_ordered = series->n == 0;
    hd_bytes rows;

    for (uint32_t metric = 0; metric < HD_N_METRICS && series->cells != NULL; metric++)
        for (uint32_t place = 0; place < series->n_places && series->cells[metric] != NULL; place++)
            if (series->cells[metric][place] != NULL)
                put_cells(series, series->cells[metric][place], metric, place);
    if (!is_ordered && series->rows != NULL)
        series->n = join_equal(series->rows, series->n);
    rows = (hd_bytes){ .data = (uint8_t *)series->rows, .n = series->n * sizeof *series->rows,
                       .capacity = series->capacity * sizeof *series->rows };
    series->rows = NULL;
    hd_path_series_fini(series);
    return rows;
}

static void
merge(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    (void)context;
    hd_bytes_put(lower, upper->data, upper->n);
    lower->n = join_equal((hd_path_row *)(void *)lower->data, lower->n / sizeof(hd_path_row)) * sizeof(hd_path_row);
}

/* All neighbours are complete. */
static void
join_neighbours(hd_path_series *series)
{
    bool has_parts = false;

    for (size_t i = 0; i < series->n; i++) {
        has_parts = has_parts || series->rows[i].neighbours != HD_NONE;
        series->rows[i].neighbours = HD_NONE;
    }
    if (has_parts)
        series->n = join_equal(series->rows, series->n);
}

void
hd_path_series_join(hd_path_series *series, hd_path_series *more, uint32_t n_processes)
{
    hd_bytes rows;
    size_t   n;

    if (series->n_neighbours > 0)
        end_neighbours(series, n_processes);
    if (more->n_neighbours > 0)
        end_neighbours(more, n_processes);
    series->n_together = hd_series_n_together(n_processes);
    rows               = take_rows(more);
    n                  = rows.n / sizeof *series->rows;
    HD_RESERVE(series->rows, series->n, series->capacity, n + series->n);
    if (n > 0)
        memcpy(&series->rows[series->n], rows.data, rows.n);
    series->n += n;
    series->first = series->n;
    free(rows.data);
}

void
hd_path_series_gather(hd_path_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes)
{
    hd_bytes rows;

    if (series->n_neighbours > 0)
        end_neighbours(series, n_processes);
    rows = take_rows(series);
    hd_analysis_comm_fold(analysis_comm, &rows, merge, NULL);
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        return;
    }
    *series = (hd_path_series){ .rows = (hd_path_row *)(void *)rows.data, .n = rows.n / sizeof *series->rows,
                                .n_together = hd_series_n_together(n_processes) };
    join_neighbours(series);
}

void
hd_path_series_fini(hd_path_series *series)
{
    for (uint32_t metric = 0; metric < HD_N_METRICS && series->cells != NULL; metric++) {
        for (uint32_t place = 0; place < series->n_places && series->cells[metric] != NULL; place++)
            free(series->cells[metric][place]);
        free(series->cells[metric]);
    }
    free(series->cells);
    free(series->rows);
    *series = (hd_path_series){ .rows = NULL };
}
