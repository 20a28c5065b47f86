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
hd_windows_begin(const hd_windows *windows, uint32_t slice)
{
    HD_ASSERT(slice > 0 && slice <= windows->n + 1);
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
    return 1 + (uint32_t)(((wide)(time - windows->from + 1) * windows->n - 1) / (windows->to - windows->from));
}

/* The place, above the bits of the slice. */
static inline uint32_t
place_of(const hd_wait_series *series, const hd_series_wait *wait)
{
    return series->places != NULL ? (uint32_t)series->places[wait->thread][wait->node] << HD_SERIES_SLICE_BITS : 0;
}

/* More iterations than a key has bits for have no call paths. */
static inline uint32_t
iteration_place(const hd_wait_series *series, const hd_series_wait *wait)
{
    return series->n_iterations < HD_SERIES_ITERATIONS ? place_of(series, wait) : 0;
}

static void
add_to_iterations(hd_wait_series *series, const hd_series_wait *wait, int sign)
{
    hd_time  from = wait->from, until = from + (hd_time)wait->wait;
    uint32_t place = iteration_place(series, wait);

    while (from < until) {
        uint32_t slice = hd_iterations_slice(series->iterations, series->n_iterations, from, &series->hint);
        hd_time  end   = hd_time_min(until, hd_iterations_slice_end(series->iterations, series->n_iterations, slice,
                                                                  series->hint));

        hd_severity_add(&series->in_iterations, wait->metric, place | slice, sign * hd_span_between(from, end));
        from = end;
    }
}

static hd_severities *
times_of(hd_wait_series *series)
{
    return series->together != NULL ? &series->together->times : &series->times;
}

static void
add(hd_wait_series *series, const hd_series_wait *wait, int sign)
{
    const hd_windows *windows = series->windows;
    hd_time           from    = wait->from, until = from + (hd_time)wait->wait;
    uint32_t          slice   = hd_windows_slice(windows, from), place = place_of(series, wait);
    hd_severities    *times   = times_of(series);

    if (series->n_iterations > 0)
        add_to_iterations(series, wait, sign);
    while (from < until) {
        hd_time end = slice > windows->n ? until : hd_time_min(until, hd_windows_begin(windows, slice + 1));

        hd_severity_add(times, wait->metric, place | slice++, sign * hd_span_between(from, end));
        from = end;
    }
}

void
hd_wait_series_add(hd_wait_series *series, hd_series_wait wait)
{
    add(series, &wait, 1);
}

void
hd_wait_series_add_whole(hd_wait_series *series, hd_series_wait wait)
{
    hd_severity_add(times_of(series), wait.metric,
                    place_of(series, &wait) | hd_windows_slice(series->windows, wait.from), wait.wait);
    if (series->n_iterations > 0)
        hd_severity_add(&series->in_iterations, wait.metric,
                        iteration_place(series, &wait) |
                            hd_iterations_slice(series->iterations, series->n_iterations, wait.from, &series->hint),
                        wait.wait);
}

void
hd_wait_series_take_back(hd_wait_series *series, hd_series_wait wait)
{
    add(series, &wait, -1);
}

_Static_assert(HD_N_METRICS < 1 << 10 && HD_MAX_WINDOWS + 3 <= 1 << 22, "a key has 10 bits for the metric, 32 for the "
                                                                        "process, 22 for the slice");

static inline uint64_t
key_of(const hd_series_row *row)
{
    return (uint64_t)row->metric << 54 | (uint64_t)row->process << 22 | row->slice;
}

static size_t
join_equal(hd_series_row *rows, size_t n)
{
    size_t n_kept = 0;

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

void
hd_series_put(hd_series *series, uint32_t metric, uint32_t slice, int64_t ticks, uint32_t process, uint32_t n_processes)
{
    uint32_t n_together = hd_series_n_together(n_processes), first = hd_series_first(process, n_processes);
    uint32_t rest       = n_processes - first;

    HD_PUSH(series->rows, series->n, series->capacity,
            ((hd_series_row){ .metric = metric, .process = first, .slice = slice, .ticks = ticks,
                              .n_processes = n_together < rest ? n_together : rest }));
}

void
hd_series_add(hd_series *series, const hd_severity *entries, size_t n, uint32_t process, uint32_t n_processes)
{
    for (size_t i = 0; i < n; i++) /* those of several call paths are joined when they are gathered */
        hd_series_put(series, entries[i].metric, hd_series_slice(&entries[i]), entries[i].value, process, n_processes);
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
    size_t   n    = join_equal(series->rows, series->n);
    hd_bytes rows = { 0 };

    hd_bytes_put(&rows, series->rows, n * sizeof *series->rows);
    free(series->rows);
    hd_analysis_comm_fold(analysis_comm, &rows, merge, NULL);
    *series = (hd_series){ .rows = NULL };
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        return;
    }
    series->rows = (hd_series_row *)(void *)rows.data;
    series->n    = series->capacity = rows.n / sizeof *series->rows;
}
