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

static inline hd_wait_rows *
rows_of_windows(hd_wait_series *series)
{
    hd_wait_series *of = series->together != NULL ? series->together : series;

    if (HD_UNLIKELY(of->times == NULL))
        of->times = HD_NEW(hd_wait_rows);
    return of->times;
}

uint64_t *
hd_wait_series_sums(hd_wait_series *series, bool is_iterations, int time)
{
    hd_wait_series *of = series->together != NULL && !is_iterations ? series->together : series;
    uint64_t      **sums;

    if (of->sums == NULL)
        of->sums = HD_NEW(hd_time_sums);
    sums = is_iterations ? &of->sums->iterations[time] : &of->sums->windows[time];
    if (*sums == NULL)
        *sums = HD_NEW_ARRAY(uint64_t, is_iterations ? (size_t)of->n_iterations + 3 : of->windows->n + 2);
    return *sums;
}

_Static_assert(HD_PENDING_WAITS <= 16, "bits of what is pending");

static inline __attribute__((always_inline)) void
flush_window(hd_wait_series *series, hd_wait_rows *rows, uint32_t slot)
{
    uint32_t kind = series->pending_kinds[slot];

    if (series->pending[slot] == 0)
        return;
    if (hd_wait_row_metric(kind) == HD_METRIC_omp_time)
        hd_wait_series_sums(series, false, HD_TIME_OMP)[series->window] += (uint64_t)series->pending[slot];
    else
        hd_wait_rows_put(rows, kind, series->window, series->pending[slot]);
    series->pending[slot] = 0;
}

/* More iterations than a row has bits for have no call paths. */
static inline void
flush_iteration(hd_wait_series *series, uint32_t slot)
{
    hd_wait_iterations *in   = series->in_iterations;
    uint32_t            kind = series->pending_kinds[slot];

    if (in->pending[slot] == 0)
        return;
    if (HD_UNLIKELY(series->n_iterations >= HD_SERIES_ITERATIONS))
        kind = hd_wait_row_kind(hd_wait_row_metric(kind), 0);
    if (hd_wait_row_metric(kind) == HD_METRIC_omp_time)
        hd_wait_series_sums(series, true, HD_TIME_OMP)[in->slice] += (uint64_t)in->pending[slot];
    else
        hd_wait_rows_put(&in->rows, kind, in->slice, in->pending[slot]);
    in->pending[slot] = 0;
}

static void
flush_windows(hd_wait_series *series)
{
    hd_wait_rows *rows = rows_of_windows(series);

    for (uint32_t bits = series->pending_bits & 0xffff; bits != 0; bits &= bits - 1)
        flush_window(series, rows, (uint32_t)__builtin_ctz(bits));
    series->pending_bits &= ~UINT32_C(0xffff);
}

static void
flush_iterations(hd_wait_series *series)
{
    for (uint32_t bits = series->pending_bits >> 16; bits != 0; bits &= bits - 1)
        flush_iteration(series, (uint32_t)__builtin_ctz(bits));
    series->pending_bits &= 0xffff;
}

void
hd_wait_series_flush(hd_wait_series *series)
{
    flush_windows(series);
    if (series->in_iterations != NULL)
        flush_iterations(series);
}

/* Mostly to the next one. */
static void
move_window(hd_wait_series *series, hd_time time)
{
    const hd_windows *windows = series->windows;

    flush_windows(series);
    if (time == series->window_until && series->window_until > 0) { /* 0: it was nowhere */
        series->window++;
        series->window_from = time;
    } else {
        series->window      = hd_windows_slice(windows, time);
        series->window_from = series->window == 0 ? 0 : hd_windows_begin(windows, series->window);
    }
    series->window_until = series->window > windows->n ? UINT64_MAX : hd_windows_begin(windows, series->window + 1);
}

static void
move_iteration(hd_wait_series *series, hd_time time)
{
    const hd_process_iterations *iterations = series->iterations;
    hd_wait_iterations          *in         = series->in_iterations;
    uint32_t                     n          = series->n_iterations, next = in->slice;

    flush_iterations(series);
    if (next < iterations->n && time >= iterations->rows[next].enter && time < iterations->rows[next].leave) {
        in->slice = in->hint = next + 1;
        in->from  = iterations->rows[next].enter;
        in->until = iterations->rows[next].leave;
        return;
    }
    in->slice = hd_iterations_slice(iterations, n, time, &in->hint);
    in->from  = hd_iterations_slice_begin(iterations, n, in->slice, in->hint);
    in->until = hd_iterations_slice_end(iterations, n, in->slice, in->hint);
}

/* What is pending is of the part of the run that has this time from now on. */
static inline void
move(hd_wait_series *series, hd_time time)
{
    if (time >= series->from && time < series->until)
        return;
    if (time < series->window_from || time >= series->window_until)
        move_window(series, time);
    series->from  = series->window_from;
    series->until = series->window_until;
    if (series->n_iterations == 0)
        return;
    if (HD_UNLIKELY(series->in_iterations == NULL))
        series->in_iterations = HD_NEW(hd_wait_iterations);
    if (time < series->in_iterations->from || time >= series->in_iterations->until)
        move_iteration(series, time);
    series->from  = hd_time_max(series->from, series->in_iterations->from);
    series->until = hd_time_min(series->until, series->in_iterations->until);
}

enum { LOOKED_AT = 4 /* slots */ };

/* Where the kind is pending, or nothing is; its own, if there is no such slot. */
static inline uint32_t
slot_of(const hd_wait_series *series, uint32_t kind)
{
    uint32_t own  = hd_pending_slot(kind);
    uint32_t bits = series->in_iterations != NULL ? HD_PENDING_BIT(0) : 1;

    for (uint32_t i = 0; i < LOOKED_AT; i++) {
        uint32_t slot = (own + i) % HD_PENDING_WAITS;

        if (series->pending_kinds[slot] == kind || (series->pending_bits & bits << slot) == 0)
            return slot;
    }
    return own;
}

static inline void
put(hd_wait_series *series, uint32_t kind, int64_t ticks)
{
    hd_wait_iterations *in   = series->in_iterations;
    uint32_t            slot = slot_of(series, kind);

    if (series->pending_kinds[slot] != kind) {
        flush_window(series, rows_of_windows(series), slot);
        if (in != NULL)
            flush_iteration(series, slot);
        series->pending_kinds[slot] = kind;
    }
    series->pending[slot] += ticks;
    if (in != NULL)
        in->pending[slot] += ticks;
    series->pending_bits |= HD_PENDING_BIT(slot);
}

void
hd_wait_series_cut(hd_wait_series *series, uint32_t kind, hd_time from, hd_span wait, int sign)
{
    hd_time until = from + (hd_time)wait;

    while (from < until) {
        hd_time end;

        move(series, from);
        end = hd_time_min(until, series->until);
        put(series, kind, sign * hd_span_between(from, end));
        from = end;
    }
}

void
hd_wait_series_add_whole(hd_wait_series *series, hd_series_wait wait)
{
    move(series, wait.from);
    put(series, hd_wait_series_kind(series, &wait), wait.wait);
}

_Static_assert(HD_N_METRICS < 1 << 10 && HD_MAX_WINDOWS + 3 <= 1 << 22, "a key has 10 bits for the metric, 32 for the "
                                                                        "process, 22 for the slice");

static inline uint64_t
key_of(const hd_series_row *row)
{
    return (uint64_t)row->metric << 54 | (uint64_t)row->process << 22 | row->slice;
}

/* Returns how many are left. */
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

static hd_series_metric *
metric_of(hd_series *series, uint32_t metric)
{
    if (HD_UNLIKELY(series->metrics == NULL)) {
        series->metrics = HD_NEW_ARRAY(hd_series_metric *, HD_SERIES_DURATION + 1);
        series->used    = HD_NEW_UNSET(uint16_t, HD_SERIES_DURATION + 1);
    }
    if (HD_UNLIKELY(series->metrics[metric] == NULL)) {
        series->metrics[metric]        = HD_NEW(hd_series_metric);
        series->used[series->n_used++] = (uint16_t)metric;
    }
    return series->metrics[metric];
}

enum {
    SLICE_BITS   = HD_SERIES_ROW_SLICE_BITS,
    PROCESS_BITS = HD_SERIES_ROW_PROCESS_BITS,
    MOST_SLICES  = HD_MAX_WINDOWS + 3 /* in rows */
};

#define WHOLE HD_SERIES_WHOLE

_Static_assert(HD_MAX_WINDOWS + 3 <= 1 << SLICE_BITS, "slices of windows and of joined iterations");

/* process: the first of those that the row is of. */
static inline void
put_row(hd_series_metric *of, uint32_t process, uint32_t slice, int64_t ticks)
{
    uint32_t step = process - of->process;
    uint64_t word = (uint64_t)step << (32 + SLICE_BITS) | (uint64_t)slice << 32 | (uint64_t)ticks;
    uint8_t  whole[24];

    of->is_disordered |= process < of->process || (process == of->process && slice < of->next);
    of->process = process;
    of->next    = slice + 1;
    of->n++;
    hd_record_run_make_room(&of->run, 8);
    if (HD_LIKELY((uint64_t)ticks < WHOLE && step >> PROCESS_BITS == 0)) {
        hd_bytes_write_fixed(of->run.at, word);
        of->run.at += 8;
        return;
    }
    hd_bytes_write_fixed(whole, (uint64_t)slice << 32 | WHOLE);
    hd_bytes_write_fixed(whole + 8, process);
    hd_bytes_write_fixed(whole + 16, (uint64_t)ticks);
    hd_record_run_put_slow(&of->run, whole, sizeof whole);
}

hd_series_metric *
hd_series_grow(hd_series *series, uint32_t metric, uint32_t slice)
{
    hd_series_metric *of = metric_of(series, metric);
    uint32_t          n  = series->n_iterations > 0 ? series->n_iterations + 3 : slice + 1 + slice / 8;

    n = n < series->n_slices ? series->n_slices : n;
    if (of->n_sums > slice)
        return of;
    HD_ASSERT(slice < (series->n_iterations > 0 ? n : HD_MAX_WINDOWS + 3));
    of->sums = hd_realloc(of->sums, n, sizeof *of->sums);
    memset(&of->sums[of->n_sums], 0, (n - of->n_sums) * sizeof *of->sums);
    of->n_sums = n;
    if (series->n_iterations > 0)
        of->totals = HD_NEW_ARRAY(uint64_t, n);
    return of;
}

/* Joins the sums of a process whose slices are one in rows, which are not behind them, and adds them to the totals. */
static void
join_sums(const hd_series *series, hd_series_metric *of)
{
    for (uint32_t slice = 0; slice < of->n_sums; slice++) {
        int64_t ticks = of->sums[slice];

        of->totals[slice] += (uint64_t)ticks;
        of->sums[slice] = 0;
        of->sums[hd_series_joined(series, slice)] += ticks;
    }
}

/* The end of the words that there is room for, one behind the other, for rows of the process after one of it. */
static inline const uint8_t *
end_of_room(const hd_series_metric *of, uint32_t process)
{
    size_t room = of->process == process ? (size_t)(of->run.end - of->run.at) / 8 : 0;

    return room > 0 ? of->run.at + 8 * room : of->run.at;
}

/* totals: NULL: none */
static inline __attribute__((always_inline)) void
put_sums(hd_series_metric *of, uint64_t *totals, uint32_t first)
{
    const uint8_t *end  = end_of_room(of, first);
    uint8_t       *at   = of->run.at;
    int64_t       *sums = of->sums;

    for (uint32_t slice = 0, n = of->n_sums; slice < n; slice++) {
        int64_t ticks = sums[slice];

        if (ticks == 0)
            continue;
        sums[slice] = 0;
        if (totals != NULL)
            totals[slice] += (uint64_t)ticks;
        if (HD_LIKELY((uint64_t)ticks < WHOLE) && HD_LIKELY(at != end)) {
            hd_bytes_write_fixed(at, (uint64_t)slice << 32 | (uint64_t)ticks);
            at += 8;
            continue;
        }
        of->n += (size_t)(at - of->run.at) / 8;
        of->run.at = at;
        if (of->run.end - at < 8) /* as many more at most */
            hd_record_run_make_room(&of->run, 8 * (size_t)(n - slice < MOST_SLICES ? n - slice : MOST_SLICES));
        put_row(of, first, slice, ticks);
        at  = of->run.at;
        end = end_of_room(of, first);
    }
    of->n += (size_t)(at - of->run.at) / 8;
    of->run.at = at;
    if (of->process == first)
        of->next = of->n_sums;
}

/* The sums of a process become rows, and 0. first: of the processes that the rows are of */
static void
take_sums(const hd_series *series, hd_series_metric *of, uint32_t first)
{
    of->is_disordered |= of->process == first && of->next > 0; /* it has some already */
    if (series->shift > 0)
        join_sums(series, of);
    if (series->shift == 0 && of->totals != NULL)
        put_sums(of, of->totals, first);
    else
        put_sums(of, NULL, first);
}

void
hd_series_end(hd_series *series, uint32_t process, uint32_t n_processes)
{
    for (uint32_t i = 0; i < series->n_used; i++)
        if (series->metrics[series->used[i]]->n_sums > 0)
            take_sums(series, series->metrics[series->used[i]], hd_series_first(process, n_processes));
}

uint64_t *
hd_series_take_totals(hd_series *series, uint32_t metric)
{
    hd_series_metric *of     = series->metrics != NULL ? series->metrics[metric] : NULL;
    uint64_t         *totals = of != NULL ? of->totals : NULL;

    if (of != NULL)
        of->totals = NULL;
    return totals;
}

/* Of the metric that is next. false: there is none. */
static __attribute__((noinline)) bool
next_metric(hd_series_cursor *cursor)
{
    const hd_series *series = cursor->series;

    for (uint32_t metric = cursor->row.metric + 1; metric <= HD_SERIES_DURATION && series->metrics != NULL; metric++) {
        if (series->metrics[metric] == NULL || series->metrics[metric]->n == 0)
            continue;
        cursor->at  = hd_record_run_begin(&series->metrics[metric]->run);
        cursor->row = (hd_series_row){ .metric      = metric,
                                       .n_processes = hd_series_n_together(series->n_processes) };
        return true;
    }
    return false;
}

hd_series_cursor
hd_series_begin(const hd_series *series)
{
    return (hd_series_cursor){ .series = series, .row.metric = UINT32_MAX };
}

/* To where a row is. */
static bool
next_word(hd_series_cursor *cursor)
{
    while (cursor->at.at == cursor->at.end) {
        if (cursor->at.chunk != NULL)
            hd_record_cursor_next_chunk(&cursor->at);
        if (cursor->at.chunk == NULL && !next_metric(cursor))
            return false;
    }
    return true;
}

/* Where the process of the row, or its ticks, are not those that its word has. n_processes: of the program */
static __attribute__((noinline)) void
read_more(hd_series_cursor *cursor, uint64_t word, uint32_t n_processes)
{
    uint32_t       n_together = hd_series_n_together(n_processes);
    hd_series_row *row        = &cursor->row;

    row->process += (uint32_t)(word >> (32 + SLICE_BITS));
    if (row->ticks == WHOLE) {
        row->process = (uint32_t)hd_bytes_read_fixed(cursor->at.at);
        row->ticks   = (int64_t)hd_bytes_read_fixed(cursor->at.at + 8);
        cursor->at.at += 16;
    }
    row->n_processes = n_together < n_processes - row->process ? n_together : n_processes - row->process;
}

bool
hd_series_next(hd_series_cursor *cursor)
{
    uint64_t word;

    if (HD_UNLIKELY(cursor->at.at == cursor->at.end) && !next_word(cursor))
        return false;
    word              = hd_bytes_read_fixed(cursor->at.at);
    cursor->row.slice = (uint32_t)(word >> 32) & ((1U << SLICE_BITS) - 1);
    cursor->row.ticks = (int64_t)(word & UINT32_MAX);
    cursor->at.at += 8;
    if (HD_UNLIKELY(word >> (32 + SLICE_BITS) != 0 || (uint32_t)word == WHOLE))
        read_more(cursor, word, cursor->series->n_processes);
    return true;
}

static void
free_metrics(hd_series *series)
{
    for (uint32_t i = 0; i < series->n_used; i++) {
        hd_series_metric *of = series->metrics[series->used[i]];

        hd_record_run_fini(&of->run);
        free(of->sums);
        free(of->totals);
        free(of);
    }
    free(series->metrics);
    free(series->used);
    series->metrics = NULL;
    series->used    = NULL;
    series->n_used  = 0;
}

void
hd_series_fini(hd_series *series)
{
    free_metrics(series);
    free(series->rows);
    *series = (hd_series){ .rows = NULL };
}

/* Whether all are by metric, process and slice. */
static bool
are_ordered(const hd_series *series)
{
    bool is_disordered = false;

    for (uint32_t i = 0; i < series->n_used; i++)
        is_disordered |= series->metrics[series->used[i]]->is_disordered;
    return !is_disordered;
}

static size_t
count_rows(const hd_series *series)
{
    size_t n = 0;

    for (uint32_t i = 0; i < series->n_used; i++)
        n += series->metrics[series->used[i]]->n;
    return n;
}

/* To the rows of all metrics; none are left there. false: they are not in order. */
static bool
take_rows(hd_series *series, uint32_t n_processes)
{
    bool             is_ordered = are_ordered(series);
    hd_series_row   *to;
    hd_series_cursor cursor;

    series->n_processes = n_processes;
    series->rows        = HD_NEW_UNSET(hd_series_row, count_rows(series) + 1);
    to                  = series->rows;
    for (cursor = hd_series_begin(series); hd_series_next(&cursor); to++)
        *to = cursor.row;
    series->n = (size_t)(to - series->rows);
    free_metrics(series);
    return is_ordered;
}

void
hd_series_join(hd_series *series, hd_series *more, uint32_t n_processes)
{
    take_rows(more, n_processes);
    for (const hd_series_row *row = more->rows; row < more->rows + more->n; row++)
        put_row(metric_of(series, row->metric), row->process, row->slice, row->ticks);
    free(more->rows);
    *more = (hd_series){ .rows = NULL };
}

static void
merge(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    (void)context;
    if (upper->n == 0)
        return;
    hd_bytes_put(lower, upper->data, upper->n);
    lower->n = join_equal((hd_series_row *)(void *)lower->data, lower->n / sizeof(hd_series_row)) *
               sizeof(hd_series_row);
}

void
hd_series_gather(hd_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes)
{
    bool     is_ordered = take_rows(series, n_processes);
    hd_bytes rows       = { .data = (uint8_t *)series->rows, .capacity = (series->n + 1) * sizeof *series->rows };

    rows.n = (is_ordered ? series->n : join_equal(series->rows, series->n)) * sizeof *series->rows;
    hd_analysis_comm_fold(analysis_comm, &rows, merge, NULL);
    *series = (hd_series){ .rows = NULL };
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        return;
    }
    series->rows = (hd_series_row *)(void *)rows.data;
    series->n    = rows.n / sizeof *series->rows;
}

/* The rows of a metric by process and slice, equal ones added up: as words, without room for the rows of others. */
static void
put_in_order(hd_series *series, uint32_t metric, uint32_t n_processes)
{
    hd_series_metric *of     = series->metrics[metric];
    hd_series_row    *rows   = HD_NEW_UNSET(hd_series_row, of->n + 1);
    hd_series_cursor  cursor = hd_series_begin(series);
    size_t            n      = 0;

    series->n_processes = n_processes;
    cursor.row.metric   = metric - 1;
    while (n < of->n && hd_series_next(&cursor))
        rows[n++] = cursor.row;
    n = join_equal(rows, n);
    hd_record_run_fini(&of->run);
    of->n             = 0;
    of->process       = of->next = 0;
    of->is_disordered = false;
    for (size_t i = 0; i < n; i++)
        put_row(of, rows[i].process, rows[i].slice, rows[i].ticks);
    free(rows);
}

void
hd_series_gather_packed(hd_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes)
{
    if (hd_analysis_comm_size(analysis_comm) == 1) {
        for (uint32_t i = 0; i < series->n_used; i++)
            if (series->metrics[series->used[i]]->is_disordered)
                put_in_order(series, series->used[i], n_processes);
    } else {
        hd_series whole = { .n = 0 };

        hd_series_gather(series, analysis_comm, n_processes);
        for (const hd_series_row *row = series->rows; row < series->rows + series->n; row++)
            put_row(metric_of(&whole, row->metric), row->process, row->slice, row->ticks);
        free(series->rows);
        *series = whole;
    }
    series->n           = count_rows(series);
    series->n_processes = n_processes;
}
