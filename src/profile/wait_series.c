/* src/profile/wait_series.c: cuts waits at the bounds of windows, and brings the sums of all ranks together. */
#include "wait_series.h"

#include <stdlib.h>

#include "bytes.h"
#include "sort.h"
#include "status.h"

typedef unsigned __int128 wide;

hd_windows
hd_windows_of(hd_time from, hd_time to, uint32_t n)
{
    hd_windows windows = { .from = from, .to = to, .n = n };

    if (to <= from)
        windows.n = 0;
    else if (to - from < n)
        windows.n = (uint32_t)(to - from);
    return windows;
}

hd_time
hd_windows_begin_any(const hd_windows *windows, uint32_t slice)
{
    return windows->from + (hd_time)((wide)(windows->to - windows->from) * (slice - 1) / windows->n);
}

/* The last k with floor(k length / n) <= since. */
uint32_t
hd_windows_slice(const hd_windows *windows, hd_time time)
{
    if (time < windows->from)
        return 0;
    if (time >= windows->to)
        return windows->n + 1;
    if (HD_LIKELY(windows->to - windows->from <= UINT64_MAX / HD_MAX_WINDOWS))
        return 1 + (uint32_t)(((time - windows->from + 1) * windows->n - 1) / (windows->to - windows->from));
    return 1 + (uint32_t)(((wide)(time - windows->from + 1) * windows->n - 1) / (windows->to - windows->from));
}

enum { JOIN_FROM = 1024, FEW = 512 };

static inline uint64_t
key_of_wait(const hd_severity *row)
{
    return (uint64_t)row->metric << 32 | row->call_path;
}

static void
join_waits(hd_wait_rows *rows)
{
    size_t n = 0;

    HD_SORT_BY_KEY(hd_severity, rows->rows, rows->n, key_of_wait);
    for (size_t i = 0; i < rows->n; i++)
        if (n > 0 && key_of_wait(&rows->rows[i]) == key_of_wait(&rows->rows[n - 1]))
            rows->rows[n - 1].value += rows->rows[i].value;
        else
            rows->rows[n++] = rows->rows[i];
    rows->n = n;
}

/* Many are joined first: at most half of the room is taken by rows that are not the only ones of their sums. */
static __attribute__((noinline)) void
make_room(hd_wait_rows *rows)
{
    if (rows->n >= JOIN_FROM)
        join_waits(rows);
    if (rows->n < rows->capacity / 2)
        return;
    rows->capacity = rows->capacity == 0 ? 8 : rows->capacity < FEW ? 4 * rows->capacity : 2 * rows->capacity;
    rows->rows     = hd_realloc(rows->rows, rows->capacity, sizeof *rows->rows);
}

static inline void
put_row_of_wait(hd_wait_rows *rows, uint32_t metric, uint32_t key, int64_t ticks)
{
    if (HD_UNLIKELY(rows->n == rows->capacity))
        make_room(rows);
    rows->rows[rows->n++] = (hd_severity){ .call_path = key, .metric = metric, .value = ticks };
}

hd_severity *
hd_wait_rows_take(hd_wait_rows *rows, size_t *n)
{
    hd_severity *taken = rows->rows;

    *n    = rows->n;
    *rows = (hd_wait_rows){ .rows = NULL };
    return taken;
}

/* More iterations than a key has bits for have no call paths. */
static inline void
flush_one(hd_wait_series *series, hd_pending_wait *pending)
{
    hd_wait_rows *times = series->together != NULL ? &series->together->times : &series->times;
    uint32_t      place = pending->place << HD_SERIES_SLICE_BITS;

    put_row_of_wait(times, pending->metric, place | series->window, pending->ticks);
    if (series->n_iterations > 0)
        put_row_of_wait(&series->in_iterations, pending->metric,
                        (series->n_iterations < HD_SERIES_ITERATIONS ? place : 0) | series->iteration, pending->ticks);
    *pending = (hd_pending_wait){ .metric = HD_NONE }; /* the next one is put(), not only added */
}

void
hd_wait_series_flush(hd_wait_series *series)
{
    for (; series->used != 0; series->used &= series->used - 1)
        flush_one(series, &series->pending[__builtin_ctz(series->used)]);
}

/* What is pending is of the part of the run that has this time from now on. */
static void
move(hd_wait_series *series, hd_time time)
{
    const hd_windows            *windows    = series->windows;
    const hd_process_iterations *iterations = series->iterations;

    if (time >= series->from && time < series->until)
        return;
    hd_wait_series_flush(series);
    series->window = hd_windows_slice(windows, time);
    series->from   = series->window == 0 ? 0 : hd_windows_begin(windows, series->window);
    series->until  = series->window > windows->n ? UINT64_MAX : hd_windows_begin(windows, series->window + 1);
    if (series->n_iterations == 0)
        return;
    series->iteration = hd_iterations_slice(iterations, series->n_iterations, time, &series->hint);
    series->from      = hd_time_max(series->from, hd_iterations_slice_begin(iterations, series->n_iterations,
                                                                            series->iteration, series->hint));
    series->until     = hd_time_min(series->until, hd_iterations_slice_end(iterations, series->n_iterations,
                                                                          series->iteration, series->hint));
}

static void
put(hd_wait_series *series, const hd_series_wait *wait, int64_t ticks)
{
    uint32_t         place   = hd_wait_series_place(series, wait);
    uint32_t         slot    = hd_pending_slot((uint32_t)wait->metric, place);
    hd_pending_wait *pending = &series->pending[slot];

    if ((pending->metric != (uint32_t)wait->metric || pending->place != place) && pending->ticks != 0)
        flush_one(series, pending);
    series->used |= 1u << slot;
    pending->metric = wait->metric;
    pending->place  = place;
    pending->ticks += ticks;
}

void
hd_wait_series_cut(hd_wait_series *series, const hd_series_wait *wait, int sign)
{
    hd_time from = wait->from, until = from + (hd_time)wait->wait;

    while (from < until) {
        hd_time end;

        move(series, from);
        end = hd_time_min(until, series->until);
        put(series, wait, sign * hd_span_between(from, end));
        from = end;
    }
}

void
hd_wait_series_add_whole(hd_wait_series *series, hd_series_wait wait)
{
    move(series, wait.from);
    put(series, &wait, wait.wait);
}

_Static_assert(HD_N_METRICS < 1 << 10 && HD_MAX_WINDOWS + 3 <= 1 << 22, "a key has 10 bits for the metric, 32 for the "
                                                                        "process, 22 for the slice");

static inline uint64_t
key_of(const hd_series_row *row)
{
    return (uint64_t)row->metric << 54 | (uint64_t)row->process << 22 | row->slice;
}

static bool
is_in_order(const hd_series_row *rows, size_t n)
{
    uint64_t last = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(&rows[i]);

        if (i > 0 && key <= last)
            return false;
        last = key;
    }
    return true;
}

/* Mostly processes and ranks come one after the other, each with its slices in order. Returns how many are left. */
static size_t
join_equal(hd_series_row *rows, size_t n)
{
    size_t n_kept = 0;

    if (is_in_order(rows, n))
        return n;
    HD_SORT_BY_KEY(hd_series_row, rows, n, key_of);
    for (size_t i = 0; i < n;) {
        hd_series_row sum = rows[i++];

        while (i < n && key_of(&rows[i]) == key_of(&sum))
            sum.ticks += rows[i++].ticks;
        if (sum.ticks != 0)
            rows[n_kept++] = sum;
    }
    return n_kept;
}

uint32_t
hd_series_n_together(uint32_t n_processes)
{
    return n_processes / HD_MAX_SERIES + (n_processes % HD_MAX_SERIES > 0);
}

uint32_t
hd_series_first(uint32_t process, uint32_t n_processes)
{
    return process - process % hd_series_n_together(n_processes);
}

/* A row of the process, or of those that it is joined with. */
static hd_series_row
row_of(uint32_t process, uint32_t n_processes)
{
    uint32_t n_together = hd_series_n_together(n_processes), first = hd_series_first(process, n_processes);
    uint32_t rest       = n_processes - first;

    return (hd_series_row){ .process = first, .n_processes = n_together < rest ? n_together : rest };
}

static hd_series_metric *
metric_of(hd_series *series, uint32_t metric)
{
    if (HD_UNLIKELY(series->metrics == NULL))
        series->metrics = HD_NEW_ARRAY(hd_series_metric, HD_SERIES_DURATION + 1);
    return &series->metrics[metric];
}

/* Blocks are not moved as more come. */
static __attribute__((noinline)) void
add_block(hd_series_metric *of)
{
    size_t           capacity = of->n < 32 ? 32 : of->n < 4096 ? of->n : 4096;
    hd_series_block *block    = hd_realloc(NULL, sizeof *block + capacity * sizeof *block->rows, 1);

    *block = (hd_series_block){ .capacity = capacity };
    if (of->last != NULL)
        of->last->next = block;
    else
        of->first = block;
    of->last = block;
}

static inline void
put_row(hd_series_metric *of, hd_series_row row, uint32_t metric, uint32_t slice, int64_t ticks)
{
    row.metric = metric;
    row.slice  = slice;
    row.ticks  = ticks;
    if (HD_UNLIKELY(of->last == NULL || of->last->n == of->last->capacity))
        add_block(of);
    of->last->rows[of->last->n++] = row;
    of->n++;
}

void
hd_series_put(hd_series *series, uint32_t metric, uint32_t slice, int64_t ticks, uint32_t process, uint32_t n_processes)
{
    put_row(metric_of(series, metric), row_of(process, n_processes), metric, slice, ticks);
}

static uint32_t
count_slices(const hd_severity *entries, size_t n)
{
    uint32_t n_slices = 0;

    for (size_t i = 0; i < n; i++)
        n_slices = hd_series_slice(&entries[i]) < n_slices ? n_slices : hd_series_slice(&entries[i]) + 1;
    HD_ASSERT(n_slices <= HD_MAX_WINDOWS + 3);
    return n_slices;
}

/* Room for more slices; all sums are 0. */
static __attribute__((noinline)) void
grow_sums(hd_series_metric *of, uint32_t n_slices)
{
    free(of->sums);
    of->n_sums = n_slices + n_slices / 8;
    of->sums   = HD_NEW_ARRAY(int64_t, of->n_sums);
}

void
hd_series_add(hd_series *series, const hd_severity *entries, size_t n, uint32_t process, uint32_t n_processes)
{
    hd_series_row row      = row_of(process, n_processes);
    uint32_t      n_slices = count_slices(entries, n);

    for (size_t i = 0; i < n; i++) {
        hd_series_metric *of = metric_of(series, entries[i].metric);

        if (HD_UNLIKELY(of->n_sums < n_slices))
            grow_sums(of, n_slices);
        of->sums[hd_series_slice(&entries[i])] += entries[i].value;
    }
    for (uint32_t metric = 0; metric < HD_N_METRICS && n > 0; metric++) {
        hd_series_metric *of = &series->metrics[metric];

        for (uint32_t slice = 0; slice < n_slices && slice < of->n_sums; slice++)
            if (of->sums[slice] != 0) {
                put_row(of, row, metric, slice, of->sums[slice]);
                of->sums[slice] = 0;
            }
    }
}

/* The rows of all metrics; none of a metric are left. */
static void
take_rows(hd_series *series)
{
    size_t n = 0;

    for (uint32_t metric = 0; metric <= HD_SERIES_DURATION && series->metrics != NULL; metric++)
        n += series->metrics[metric].n;
    series->rows = HD_NEW_UNSET(hd_series_row, n + 1);
    for (uint32_t metric = 0; metric <= HD_SERIES_DURATION && series->metrics != NULL; metric++) {
        for (hd_series_block *block = series->metrics[metric].first, *next; block != NULL; block = next) {
            next = block->next;
            memcpy(&series->rows[series->n], block->rows, block->n * sizeof *block->rows);
            series->n += block->n;
            free(block);
        }
        free(series->metrics[metric].sums);
    }
    free(series->metrics);
    series->metrics = NULL;
}

static void
merge(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    (void)context;
    hd_bytes_put(lower, upper->data, upper->n);
    lower->n = join_equal((hd_series_row *)(void *)lower->data, lower->n / sizeof(hd_series_row)) *
               sizeof(hd_series_row);
}

void
hd_series_gather(hd_series *series, hd_analysis_comm *analysis_comm)
{
    hd_bytes rows;

    take_rows(series);
    rows = (hd_bytes){ .data = (uint8_t *)series->rows, .capacity = (series->n + 1) * sizeof *series->rows };
    rows.n = join_equal(series->rows, series->n) * sizeof *series->rows;
    hd_analysis_comm_fold(analysis_comm, &rows, merge, NULL);
    *series = (hd_series){ .rows = NULL };
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        return;
    }
    series->rows = (hd_series_row *)(void *)rows.data;
    series->n    = rows.n / sizeof *series->rows;
}
