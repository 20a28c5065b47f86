/* src/profile/series/path_series.c: adds up the processes of a rank as they come, so that what is kept does not grow
 * with them, and joins the ranks. */
#include "path_series.h"

#include <stdlib.h>

#include "bytes.h"
#include "memory.h"
#include "sort.h"

enum { JOIN_AT = 1 << 14 }; /* rows that are not joined, besides as many as are */

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

static void
join_all(hd_path_series *series)
{
    series->n = series->n_joined = join_equal(series->rows, series->n);
}

/* The neighbours that were taken last are complete, or the rest of them is on other ranks. */
static void
end_neighbours(hd_path_series *series, uint32_t n_processes)
{
    uint32_t rest = n_processes - series->neighbours * series->n_together;
    bool     is_complete = series->n_neighbours == (rest < series->n_together ? rest : series->n_together);

    if (series->n_neighbours > 1) /* of one process there is a row each */
        series->n = series->first + join_equal(&series->rows[series->first], series->n - series->first);
    for (size_t i = series->first; i < series->n && is_complete; i++)
        series->rows[i].neighbours = HD_NONE;
    if (series->n > 2 * series->n_joined + JOIN_AT)
        join_all(series);
    series->first        = series->n;
    series->n_neighbours = 0;
}

void
hd_path_series_add(hd_path_series *series, const hd_severity *entries, size_t n, uint32_t process, uint32_t n_processes)
{
    uint32_t first;

    series->n_together = hd_series_n_together(n_processes);
    first              = hd_series_first(process, n_processes);
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

static void
merge(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    (void)context;
    hd_bytes_put(lower, upper->data, upper->n);
    lower->n = join_equal((hd_path_row *)(void *)lower->data, lower->n / sizeof(hd_path_row)) * sizeof(hd_path_row);
}

void
hd_path_series_gather(hd_path_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes)
{
    hd_bytes rows = { 0 };

    if (series->n_neighbours > 0)
        end_neighbours(series, n_processes);
    join_all(series);
    hd_bytes_put(&rows, series->rows, series->n * sizeof *series->rows);
    hd_path_series_fini(series);
    hd_analysis_comm_fold(analysis_comm, &rows, merge, NULL);
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        return;
    }
    *series = (hd_path_series){ .rows = (hd_path_row *)(void *)rows.data, .n = rows.n / sizeof *series->rows,
                                .n_together = hd_series_n_together(n_processes) };
    for (size_t i = 0; i < series->n; i++)
        series->rows[i].neighbours = HD_NONE;
    join_all(series);
}

void
hd_path_series_fini(hd_path_series *series)
{
    free(series->rows);
    *series = (hd_path_series){ .rows = NULL };
}
