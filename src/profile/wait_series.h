/* src/profile/wait_series.h: waiting time over time: per wait state and process, how much was in each window.
 *
 * Windows divide an interval of the run: window k of N begins at from + floor(k (to - from) / N). A wait is cut at
 * their bounds. Slice 0 is what was before the first window, slice N + 1 what was after the last one, so that slices
 * add up to the metric. Where the program has iterations, waits are cut at the bounds of those of the process, too, and
 * added up for each (iterations.h has their slices). Definition: docs/metrics.md#time-series.
 *
 * A process adds up by wait state, call path (its place of path_fold.h) and slice; both kinds of rows of a report are
 * made of that: by wait state, process and slice here, by wait state, call path and slice in path_series.h.
 * Computation, MPI and OpenMP have a sum for each slice.
 * Uses: severity, iterations, analysis_comm. MT: one thread at a time. Ranks: local, unless a line says otherwise.
 * Grows with: wait states that occur, the call paths and the slices in which they do, 8 to 16 bytes each, and 8 for
 * each row of the result.
 */
#ifndef HD_WAIT_SERIES_H
#define HD_WAIT_SERIES_H

#include "analysis_comm.h"
#include "bytes.h"
#include "iterations.h"
#include "state_log.h"
#include "wait_rows.h"

enum {
    HD_MAX_WINDOWS = 1024,
    HD_MAX_SERIES  = 4096,
    HD_SERIES_ITERATIONS = (1 << 24) - 3, /* of more there are no sums by call path: a key has 24 bits for the slice */
    HD_PENDING_WAITS = 8,
    HD_SERIES_DURATION = HD_N_METRICS /* in place of a metric, of iterations: from enter to leave */
};

typedef struct hd_windows {
    hd_time  from, to; /* from < to */
    uint32_t n;        /* 0: no series are wanted */
} hd_windows;

/* Of the interval; shorter ones than N ticks have a window for each tick. n: 0: none. */
hd_windows hd_windows_of(hd_time from, hd_time to, uint32_t n);
/* Where slice k >= 1 begins; slice n + 1: where the last window ends. */
hd_time hd_windows_begin_any(const hd_windows *windows, uint32_t slice);
static inline hd_time
hd_windows_begin(const hd_windows *windows, uint32_t slice)
{
    uint64_t length = windows->to - windows->from;

    if (HD_LIKELY(length <= UINT64_MAX / HD_MAX_WINDOWS)) /* and slice - 1 is at most that */
        return windows->from + length * (slice - 1) / windows->n;
    return hd_windows_begin_any(windows, slice);
}
/* The slice of a time. */
uint32_t hd_windows_slice(const hd_windows *windows, hd_time time);

enum {
    HD_TIME_COMP, HD_TIME_MPI, HD_TIME_OMP, HD_N_TIMES_OVER_TIME, /* of states */
    HD_TIME_CRITICAL = HD_N_TIMES_OVER_TIME, HD_TIME_CLASSES,     /* the first one of the classes of MPI calls */
    HD_N_SERIES_TIMES = HD_TIME_CLASSES + 12
};

extern const hd_metric hd_times_over_time[HD_N_SERIES_TIMES]; /* computation, MPI, OpenMP; the critical path; classes */
/* 1 << hd_state: in which a thread is in it; forks and joins are OpenMP, too */
static const uint32_t hd_states_over_time[HD_N_TIMES_OVER_TIME] = {
    1u << HD_STATE_USEFUL | 1u << HD_STATE_CREATE,
    1u << HD_STATE_MPI,
    1u << HD_STATE_BARRIER | 1u << HD_STATE_LOCK | 1u << HD_STATE_TASKS | 1u << HD_STATE_ORDERED | 1u << HD_STATE_FLUSH,
};

typedef struct hd_time_sums { /* of a process: its time in each of them, which is of no call path */
    uint64_t *windows[HD_N_TIMES_OVER_TIME];    /* [slices] ticks; NULL: none */
    uint64_t *iterations[HD_N_TIMES_OVER_TIME]; /* likewise */
} hd_time_sums;

typedef struct hd_wait_iterations { /* of a process with iterations */
    hd_wait_rows rows;        /* [ticks] by metric, place and slice of iterations */
    hd_time      from, until; /* of the iteration in which pending waits are, */
    uint32_t     slice, hint; /* its slice; of hd_iterations_slice() */
    int64_t      pending[HD_PENDING_WAITS]; /* [ticks] by hd_pending_slot(): of waits that are in no row yet */
} hd_wait_iterations;

#define HD_PENDING_BIT(slot) (UINT32_C(0x10001) << (slot)) /* something is pending there: low ones of windows, high ones
                                                            * of iterations */

typedef struct hd_wait_series { /* of a process */
    const hd_windows *windows;
    const uint8_t *const *places; /* [threads of the process][call paths of the location] places of path_fold.h; NULL:
                                   * all are 0 */
    hd_wait_rows     *times;    /* [ticks] by metric, place and slice; NULL: none yet, or those of */
    struct hd_wait_series *together; /* whose times, also those of sums, these are, too: of a neighbour that shares its
                                      * rows; NULL: own */
    uint32_t                     n_iterations; /* of the program; 0: none */
    uint32_t                     window;       /* slice of the window in which pending waits are */
    const hd_process_iterations *iterations;   /* of the process */
    hd_wait_iterations          *in_iterations; /* NULL: none yet */
    hd_time_sums                *sums;         /* NULL: none yet */
    hd_time                      from, until;  /* a part of the run that lies in one window and in one iteration: of the
                                                * waits that are pending */
    hd_time                      window_from, window_until; /* of the window */
    int64_t                      pending[HD_PENDING_WAITS];      /* [ticks] by hd_pending_slot(): of waits that are in
                                                                  * no row of windows yet */
    uint32_t                     pending_kinds[HD_PENDING_WAITS]; /* hd_wait_row_kind(): which ones, of iterations,
                                                                   * too */
    uint32_t                     pending_bits;  /* HD_PENDING_BIT() */
} hd_wait_series;

typedef struct hd_series_wait { /* a wait of a process */
    hd_metric metric;
    uint32_t  thread, node; /* index of its location in the process, HD_NONE: of no call path; call path of the
                             * location */
    hd_time   from;
    hd_span   wait;         /* >= 0 */
} hd_series_wait;

static inline uint32_t
hd_wait_series_place(const hd_wait_series *series, const hd_series_wait *wait)
{
    return series->places != NULL && wait->thread != HD_NONE ? series->places[wait->thread][wait->node] : 0;
}

static inline uint32_t
hd_wait_series_kind(const hd_wait_series *series, const hd_series_wait *wait)
{
    return hd_wait_row_kind(wait->metric, hd_wait_series_place(series, wait));
}

static inline uint32_t
hd_pending_slot(uint32_t kind)
{
    return (kind + (kind >> HD_WAIT_PLACE_BITS)) % HD_PENDING_WAITS;
}

/* Where the wait is not in the part of the run that is pending. */
void hd_wait_series_cut(hd_wait_series *series, uint32_t kind, hd_time from, hd_span wait, int sign);

/* Adds a wait, or time of OpenMP, to the slices in which it is, or takes a wait back. Most waits are in the same part
 * of the run as the one before, and only added to what is pending. */
static inline void
hd_wait_series_add(hd_wait_series *series, hd_series_wait wait)
{
    uint32_t kind = hd_wait_series_kind(series, &wait), slot = hd_pending_slot(kind);

    if (HD_LIKELY(wait.from >= series->from && wait.from + (hd_time)wait.wait <= series->until &&
                  series->pending_kinds[slot] == kind)) {
        series->pending[slot] += wait.wait;
        series->pending_bits |= HD_PENDING_BIT(slot);
        if (series->in_iterations != NULL)
            series->in_iterations->pending[slot] += wait.wait;
    } else
        hd_wait_series_cut(series, kind, wait.from, wait.wait, 1);
}

static inline void
hd_wait_series_take_back(hd_wait_series *series, hd_series_wait wait)
{
    hd_wait_series_cut(series, hd_wait_series_kind(series, &wait), wait.from, wait.wait, -1);
}

/* One with pauses: to the slice in which it begins. */
void hd_wait_series_add_whole(hd_wait_series *series, hd_series_wait wait);
/* The time of the process in slices of windows, or of iterations, for what is known as a whole: [slices], of
 * hd_times_over_time[time]. */
uint64_t *hd_wait_series_sums(hd_wait_series *series, bool is_iterations, int time);
/* What is pending into the tables: before they are read, of all processes that share one. */
void hd_wait_series_flush(hd_wait_series *series);

typedef struct hd_series_row {
    uint32_t metric;       /* hd_metric; HD_SERIES_DURATION */
    uint32_t process;      /* the first of those that the row is of */
    uint32_t slice;
    uint32_t n_processes;  /* that it is of */
    int64_t  ticks;
} hd_series_row;

typedef struct hd_series_metric { /* of a wait state, or the duration, while processes are added, or packed */
    hd_record_run run;     /* rows as they were added: mostly by process and slice; 8 bytes each, see HD_SERIES_WHOLE */
    size_t        n;       /* rows */
    uint32_t      process; /* of the last one */
    uint32_t      next;    /* the slice behind that of the last one */
    bool          is_disordered; /* rows are not by process and slice, or several are equal */
    uint32_t      n_sums;
    int64_t      *sums;    /* [n_sums] by slice, of the process that is added; 0 between two */
    uint64_t     *totals;  /* [n_sums] of all processes; NULL: not wanted */
} hd_series_metric;

typedef struct hd_series {
    hd_series_row     *rows;    /* [n] once gathered by metric, process and slice, none is zero; free() it */
    size_t             n;
    hd_series_metric **metrics; /* [HD_SERIES_DURATION + 1] NULL: none of it yet; NULL once gathered */
    uint16_t          *used;    /* [n_used] those that there are */
    uint32_t           n_used;
    uint32_t           n_iterations, shift; /* while processes are added: slices are of so many iterations, of which
                                             * 2^shift are one in rows, and there are totals; 0: of windows, */
    uint32_t           n_slices;            /* of which there are so many; 0: not known */
    uint32_t           n_processes;         /* of the program, once packed */
} hd_series;

/* How many processes, neighbours, have joined rows; fewer at the end. */
uint32_t hd_series_n_together(uint32_t n_processes);
/* The first of the processes whose rows are joined with those of the process. */
uint32_t hd_series_first(uint32_t process, uint32_t n_processes);
/* The slice of rows. */
static inline uint32_t
hd_series_joined(const hd_series *series, uint32_t slice)
{
    return HD_LIKELY(series->shift == 0) ? slice : hd_iterations_joined(series->n_iterations, slice, series->shift);
}
/* Makes room for the sum of the slice, 0; for hd_series_sum(). */
hd_series_metric *hd_series_grow(hd_series *series, uint32_t metric, uint32_t slice);
/* Where to add what a process has in a slice, before hd_series_end(). */
static inline int64_t *
hd_series_sum(hd_series *series, uint32_t metric, uint32_t slice)
{
    hd_series_metric *of = series->metrics != NULL ? series->metrics[metric] : NULL;

    if (HD_UNLIKELY(of == NULL || of->n_sums <= slice))
        of = hd_series_grow(series, metric, slice);
    return &of->sums[slice];
}
/* The process has no more: its sums become rows. More than HD_MAX_SERIES processes are joined with their neighbours.
 * n_processes: of the program. */
void hd_series_end(hd_series *series, uint32_t process, uint32_t n_processes);
/* The totals [n_iterations + 3] of a metric; NULL: there are none. The caller's, free() them. */
uint64_t *hd_series_take_totals(hd_series *series, uint32_t metric);
/* Adds what another one has, of other processes, which is empty then. */
void hd_series_join(hd_series *series, hd_series *more, uint32_t n_processes);
/* All ranks' on rank 0, nothing on the others. Ranks: all, together. MT: main thread only. */
void hd_series_gather(hd_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes);
/* The same, for hd_series_next(): without room for the rows. hd_series_fini() */
void hd_series_gather_packed(hd_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes);
void hd_series_fini(hd_series *series);

/* A row is a word of 8 bytes, lowest first:
 *
 *   ticks, 32 bits · slice, 11 bits · difference to the process of the row before
 *
 * If a number is too large, the ticks are HD_SERIES_WHOLE, and the process and the ticks follow, 8 bytes each. */
enum { HD_SERIES_ROW_SLICE_BITS = 11, HD_SERIES_ROW_PROCESS_BITS = 32 - HD_SERIES_ROW_SLICE_BITS };

#define HD_SERIES_WHOLE UINT32_MAX

typedef struct hd_series_cursor { /* of packed rows: by metric, process and slice */
    const hd_series *series;
    hd_record_cursor at;
    hd_series_row    row; /* that is now */
} hd_series_cursor;

hd_series_cursor hd_series_begin(const hd_series *series); /* before the first row; none is added any more */

/* Goes to the next row. false: there is none. */
bool hd_series_next(hd_series_cursor *cursor);

/* The row behind that which is now, if it is of the same metric and process and its word says all. at: of the cursor;
 * `at + 8` is behind it. */
static inline bool
hd_series_next_plain(const uint8_t *at, const uint8_t *end, uint32_t *slice, uint64_t *ticks)
{
    uint64_t word;

    if (at == end)
        return false;
    word   = hd_bytes_read_fixed(at);
    *slice = (uint32_t)(word >> 32);
    *ticks = (uint32_t)word;
    return *slice >> HD_SERIES_ROW_SLICE_BITS == 0 && *ticks != HD_SERIES_WHOLE;
}

#endif
