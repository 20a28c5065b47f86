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
    *series = (hd_path_series){ .n_slices = n_slices, .places = HD_NEW_ARRAY(hd_path_places *, HD_N_METRICS) };
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
    hd_path_places *places;
    uint32_t        n = place + 1 + place / 2;

    HD_ASSERT(metric < HD_N_METRICS && place < N_PLACES);
    if (series->places[metric] == NULL)
        series->places[metric] = HD_NEW(hd_path_places);
    places = series->places[metric];
    if (places->n <= place) {
        places->cells = hd_realloc(places->cells, n, sizeof *places->cells);
        memset(&places->cells[places->n], 0, (n - places->n) * sizeof *places->cells);
        places->n = n;
    }
    places->cells[place] = HD_NEW_ARRAY(hd_path_cell, series->n_slices);
    return places->cells[place];
}

static inline hd_path_cell *
cell_of(hd_path_series *series, uint32_t metric, uint32_t place, uint32_t slice)
{
    const hd_path_places *places = series->places[metric];
    hd_path_cell         *cells  = NULL;

    HD_ASSERT(slice < series->n_slices);
    if (HD_LIKELY(places != NULL && place < places->n))
        cells = places->cells[place];
    if (HD_UNLIKELY(cells == NULL))
        cells = new_cells(series, metric, place);
    return &cells[slice];
}

/* The part of a process, or of neighbours that are complete, is known. */
static inline void
end_part(hd_path_series *series, hd_path_cell *cell, uint32_t process)
{
    int64_t part = cell->part;

    if (part == 0)
        return;
    series->n_cells += cell->sum == 0;
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
        end_part(series, cell, row->process);
    }
    series->n            = is_complete ? series->first : series->n;
    series->first        = series->n;
    series->n_neighbours = 0;
}

/* n: entries that it has at most. */
static void
begin_process(hd_path_series *series, size_t n, uint32_t process, uint32_t n_processes)
{
    uint32_t first = hd_series_first(process, n_processes);

    series->n_together = hd_series_n_together(n_processes);
    if (series->n_together == 1) {
        HD_RESERVE(series->used, 0, series->used_capacity, n + 1);
        return;
    }
    if (series->n_neighbours > 0 && first / series->n_together != series->neighbours)
        end_neighbours(series, n_processes);
    series->neighbours = first / series->n_together;
    series->n_neighbours++;
}

/* Of one process that is not joined with others. used: behind the cells that are used. Returns the new end of these. */
static inline __attribute__((always_inline)) hd_path_cell **
add_to_cell(hd_path_cell *cell, int64_t value, hd_path_cell **used)
{
    *used = cell;
    used += cell->part == 0;
    cell->part += value;
    return used;
}

/* slice: of the entry, in the series. used: as above */
static hd_path_cell **
add_entry(hd_path_series *series, const hd_severity *entry, uint32_t slice, hd_path_cell **used)
{
    if (HD_LIKELY(series->n_together == 1))
        return add_to_cell(cell_of(series, entry->metric, hd_series_place(entry), slice), entry->value, used);
    HD_PUSH(series->rows, series->n, series->capacity,
            ((hd_path_row){ .metric = entry->metric, .place = hd_series_place(entry), .slice = slice,
                            .neighbours = series->neighbours, .process = series->neighbours * series->n_together,
                            .sum = entry->value, .most = entry->value }));
    return used;
}

static void
end_process(hd_path_series *series, hd_path_cell *const *end, uint32_t process)
{
    for (hd_path_cell *const *used = series->used; used < end; used++)
        end_part(series, *used, process);
}

void
hd_path_series_add(hd_path_series *series, const hd_severity *entries, size_t n, uint32_t process, uint32_t n_processes)
{
    hd_path_cell **used;

    begin_process(series, n, process, n_processes);
    used = series->used;
    for (size_t i = 0; i < n; i++)
        used = add_entry(series, &entries[i], hd_series_slice(&entries[i]), used);
    end_process(series, used, process);
}

enum { LOOKUPS = 32 };

typedef struct lookup { /* where rows of a metric and a place are added up: of the last ones */
    uint32_t      kind;
    int64_t      *sums;
    hd_path_cell *cells;
} lookup;

static __attribute__((noinline)) void
look_up(lookup *of, uint32_t kind, hd_series *series, hd_path_series *paths)
{
    uint32_t metric = hd_wait_row_metric(kind), place = hd_wait_row_place(kind);

    *of = (lookup){ kind, hd_series_sum(series, metric, paths->n_slices - 1) - (paths->n_slices - 1),
                    cell_of(paths, metric, place, 0) };
}

/* Each slice of the rows is one of the paths, whose processes are not joined. */
static hd_path_cell **
take_plain_rows(hd_series *series, hd_path_series *paths, hd_record_cursor cursor)
{
    lookup         lookups[LOOKUPS];
    hd_path_cell **used     = paths->used;
    uint32_t       n_slices = paths->n_slices, kind, slice;
    int64_t        ticks;
    hd_severity    row;

    for (int i = 0; i < LOOKUPS; i++)
        lookups[i].kind = HD_NONE;
    for (;;) {
        while (hd_wait_rows_next_plain(&cursor, &kind, &slice, &ticks)) {
            lookup *of = &lookups[(kind ^ kind >> HD_WAIT_PLACE_BITS) % LOOKUPS];

            if (HD_UNLIKELY(of->kind != kind))
                look_up(of, kind, series, paths);
            HD_ASSERT(slice < n_slices);
            of->sums[slice] += ticks;
            used = add_to_cell(&of->cells[slice], ticks, used);
        }
        if (!hd_wait_rows_next(&cursor, &row))
            return used;
        *hd_series_sum(series, row.metric, hd_series_slice(&row)) += row.value;
        used = add_entry(paths, &row, hd_series_slice(&row), used);
    }
}

/* paths: NULL: none */
static hd_path_cell **
take_rows(hd_series *series, hd_path_series *paths, hd_record_cursor cursor)
{
    hd_path_cell **used = paths != NULL ? paths->used : NULL;
    hd_severity    row;

    while (hd_wait_rows_next(&cursor, &row)) {
        uint32_t slice = paths != NULL ? hd_series_slice(&row) : row.call_path;

        *hd_series_sum(series, row.metric, slice) += row.value;
        if (paths != NULL)
            used = add_entry(paths, &row, hd_series_joined(series, slice), used);
    }
    return used;
}

static void
take_sums(hd_series *series, uint64_t **sums, uint32_t n_slices)
{
    int64_t *all; /* [n_slices] */

    for (int i = 0; i < HD_N_TIMES_OVER_TIME; i++) {
        if (sums[i] == NULL)
            continue;
        all = hd_series_sum(series, hd_times_over_time[i], n_slices - 1) - (n_slices - 1);
        for (uint32_t slice = 0; slice < n_slices; slice++)
            all[slice] += (int64_t)sums[i][slice];
        free(sums[i]);
        sums[i] = NULL;
    }
}

void
hd_series_take(hd_series *series, hd_path_series *paths, const hd_series_request *request)
{
    hd_wait_rows     none = { .most = 0 }, *rows = request->rows != NULL ? request->rows : &none;
    hd_record_cursor cursor = hd_wait_rows_begin(rows);
    hd_path_cell   **used;

    if (paths != NULL)
        begin_process(paths, hd_record_run_bytes(&rows->run) / 8, request->process, request->n_processes);
    used = paths != NULL && series->shift == 0 && paths->n_together == 1 ? take_plain_rows(series, paths, cursor) :
                                                                           take_rows(series, paths, cursor);
    hd_wait_rows_fini(rows);
    if (request->sums != NULL)
        take_sums(series, request->sums, request->n_slices);
    if (request->rows != NULL || request->sums != NULL) /* else a neighbour has them, whose rows are in order */
        hd_series_end(series, request->process, request->n_processes);
    if (paths != NULL)
        end_process(paths, used, request->process);
}

void
hd_series_take_metrics(hd_series *series, hd_series *more)
{
    for (uint32_t i = 0; i < more->n_used; i++) {
        uint32_t metric = more->used[i];

        if (series->metrics == NULL) {
            series->metrics = HD_NEW_ARRAY(hd_series_metric *, HD_SERIES_DURATION + 1);
            series->used    = HD_NEW_UNSET(uint16_t, HD_SERIES_DURATION + 1);
        }
        HD_ASSERT(series->metrics[metric] == NULL);
        series->metrics[metric]        = more->metrics[metric];
        series->used[series->n_used++] = (uint16_t)metric;
    }
    more->n_used = 0;
    hd_series_fini(more);
}

/* The rows of a place, in the order of the slices. There is room for them. */
static void
put_cells(hd_path_series *series, const hd_path_cell *cells, uint32_t metric, uint32_t place)
{
    hd_path_row *to = &series->rows[series->n];

    for (uint32_t slice = 0, n = series->n_slices; slice < n; slice++)
        if (cells[slice].sum != 0)
            *to++ = (hd_path_row){ .metric = metric, .place = place, .slice = slice, .neighbours = HD_NONE,
                                   .process = cells[slice].process, .sum = cells[slice].sum,
                                   .most = cells[slice].most };
    series->n = (size_t)(to - series->rows);
}

/* All rows that there are, in order; the series is empty afterwards. */
static hd_bytes
take_all(hd_path_series *series)
{
    bool     is_ordered = series->n == 0;
    hd_bytes rows;

    HD_RESERVE(series->rows, series->n, series->capacity, series->n_cells);
    for (uint32_t metric = 0; metric < HD_N_METRICS && series->places != NULL; metric++)
        for (uint32_t place = 0; series->places[metric] != NULL && place < series->places[metric]->n; place++)
            if (series->places[metric]->cells[place] != NULL)
                put_cells(series, series->places[metric]->cells[place], metric, place);
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
    rows               = take_all(more);
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
    rows = take_all(series);
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
    for (uint32_t metric = 0; metric < HD_N_METRICS && series->places != NULL; metric++) {
        hd_path_places *places = series->places[metric];

        if (places == NULL)
            continue;
        for (uint32_t place = 0; place < places->n; place++)
            free(places->cells[place]);
        free(places->cells);
        free(places);
    }
    free(series->places);
    free(series->used);
    free(series->rows);
    *series = (hd_path_series){ .rows = NULL };
}
