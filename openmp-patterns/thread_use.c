/* openmp-patterns/thread_use.c: the intervals in which a process is in parallel, and the states of its threads in and
 * outside of them. */
#include "thread_use.h"

#include "serial_use.h"
#include "sort.h"
#include "state_sums.h"
#include "thread_times.h"

typedef struct use_interval {
    hd_time from, to;
} use_interval;

typedef struct use_intervals {
    use_interval *rows; /* [n] */
    size_t        n, capacity;
} use_intervals;

typedef struct use_process {
    const hd_state_log **logs;     /* [n_logs] of its threads on processors, the first one first */
    uint32_t             n_logs;
    use_intervals        parallel; /* ascending, disjoint */
    uint64_t             n_threads; /* most that are active at the same time */
} use_process;

/* ---- in parallel ------------------------------------------------------------------------------------------------- */

static void
add_interval(use_intervals *intervals, size_t first, hd_time from, hd_time to)
{
    if (intervals->n > first && intervals->rows[intervals->n - 1].to == from)
        intervals->rows[intervals->n - 1].to = to;
    else
        HD_PUSH(intervals->rows, intervals->n, intervals->capacity, ((use_interval){ from, to }));
}

/* Of a thread: while it is active, or, is_first: in parallel. */
static void
add_intervals(use_intervals *intervals, const hd_state_log *log, bool is_first)
{
    size_t          first = intervals->n;
    uint32_t        bits  = is_first ? HD_STATE_PARALLEL : HD_STATE_PARALLEL - 1; /* HD_STATE_IDLE is 0 */
    hd_state_cursor cursor;

    hd_state_cursor_init(&cursor, log);
    while (hd_state_cursor_next(&cursor))
        if ((cursor.what & bits) != 0) {
            hd_state_cursor_join(&cursor, bits);
            add_interval(intervals, first, cursor.from, cursor.until);
        }
}

static inline uint64_t
begin_of(const use_interval *interval)
{
    return interval->from;
}

static void
unite(use_intervals *intervals)
{
    size_t n = 0;

    HD_SORT_BY_KEY(use_interval, intervals->rows, intervals->n, begin_of);
    for (size_t i = 0; i < intervals->n; i++)
        if (n > 0 && intervals->rows[i].from <= intervals->rows[n - 1].to)
            intervals->rows[n - 1].to = hd_time_max(intervals->rows[n - 1].to, intervals->rows[i].to);
        else
            intervals->rows[n++] = intervals->rows[i];
    intervals->n = n;
}

static inline uint64_t
time_of(const hd_time *time)
{
    return *time;
}

/* UINT64_MAX: never. */
static hd_time
first_active(const hd_state_log *log)
{
    hd_state_cursor cursor;

    hd_state_cursor_init(&cursor, log);
    while (hd_state_cursor_next(&cursor))
        if (hd_state_cursor_state(&cursor) != HD_STATE_IDLE)
            return cursor.from;
    return UINT64_MAX;
}

static uint32_t
count_at(const use_intervals *intervals, hd_time time)
{
    uint32_t n = 0;

    for (size_t i = 0; i < intervals->n; i++)
        n += intervals->rows[i].from <= time && time < intervals->rows[i].to;
    return n;
}

/* Whether all are active when the last one becomes so, as nearly always. of_first: of the first thread */
static bool
are_all_active(const use_process *process, const use_intervals *of_first)
{
    hd_time time = 0;

    for (uint32_t i = 0; i < process->n_logs; i++)
        time = hd_time_max(time, first_active(process->logs[i]));
    return count_at(of_first, time) + count_at(&process->parallel, time) == process->n_logs;
}

/* The most threads that are active at the same time, at least one. Where one begins as another one ends there is one.
 * The intervals in parallel are those of the threads but the first one, and not united yet. */
static uint64_t
most_active(const use_process *process)
{
    use_intervals active = { .rows = NULL };
    size_t        n_active = 0, others = process->parallel.n;
    uint64_t      n = 0, most = 1;
    hd_time      *begins, *ends;

    add_intervals(&active, process->logs[0], false);
    if (are_all_active(process, &active)) {
        free(active.rows);
        return process->n_logs;
    }
    begins = HD_NEW_UNSET(hd_time, active.n + others);
    ends   = HD_NEW_UNSET(hd_time, active.n + others);
    for (; n_active < active.n + others; n_active++) {
        const use_interval *interval = n_active < others ? &process->parallel.rows[n_active] :
                                                           &active.rows[n_active - others];

        begins[n_active] = interval->from;
        ends[n_active]   = interval->to;
    }
    HD_SORT_BY_KEY(hd_time, begins, n_active, time_of);
    HD_SORT_BY_KEY(hd_time, ends, n_active, time_of);
    for (size_t i = 0, k = 0; i < n_active; i++) {
        for (; ends[k] <= begins[i]; k++)
            n--;
        n++;
        most = n > most ? n : most;
    }
    free(begins);
    free(ends);
    free(active.rows);
    return most;
}

/* ---- a slice ----------------------------------------------------------------------------------------------------- */

/* At their first pieces. free() them. */
static hd_state_sums *
new_cursors(const use_process *process)
{
    hd_state_sums *cursors = HD_NEW_ARRAY(hd_state_sums, process->n_logs);

    for (uint32_t i = 0; i < process->n_logs; i++)
        hd_state_sums_init(&cursors[i], process->logs[i]);
    return cursors;
}

typedef struct use_slice { /* of a process, in parallel */
    uint64_t sums[HD_N_EFFICIENCY_SUMS];
    uint64_t parallel;       /* time in parallel */
    uint64_t first_parallel; /* useful of the first thread then */
} use_slice;

typedef struct use_times { /* of a thread */
    uint64_t useful, mpi;
} use_times;

typedef struct use_piece { /* of a slice */
    hd_time  from, to; /* from < to */
    size_t   slice;    /* of those of its track */
    uint32_t number;   /* of the slice in series of time: iterations are not joined there */
} use_piece;

typedef struct use_track { /* slices of a process, of which no two are at the same time */
    hd_efficiency_slice *slices; /* [n_slices] */
    use_slice           *uses;   /* [n_slices] what they are of this process; NULL: it is nowhere in parallel */
    size_t               n_slices, n_booked; /* n_booked: from the first one on */
    use_piece           *pieces; /* [n] in the order of time and of slices */
    size_t               n, capacity, at; /* at: the first one that is not over, */
    bool                 has_begun;       /* which has begun, */
    hd_time              bound;           /* and when that changes; UINT64_MAX: there is none */
    use_times           *spent;  /* [n_logs] of the slice of this one, in the pieces before it; */
    use_times           *before; /* [n_logs] of all time before this one, if it has begun; */
    uint64_t             length, inside; /* time in the slice before it, and of it from the first to the last event of
                                          * the first thread */
    hd_thread_times     *series; /* NULL: not wanted */
    uint64_t             begun[HD_N_TIMES_OVER_TIME]; /* its `now` where this one began */
} use_track;

/* No piece where it is empty, or not within `from` to `to`. There is room for it. */
static void
add_piece(use_track *track, size_t slice, uint32_t number, hd_time from, hd_time to, const hd_efficiency_slice *whole)
{
    from = hd_time_max(from, whole->from);
    to   = hd_time_min(to, whole->to);
    if (from < to)
        track->pieces[track->n++] = (use_piece){ from, to, slice, number };
}

/* An interval in parallel: the busiest thread loses its time in other states for all. states: [n_logs][HD_N_STATES] */
static void
add_parallel(const use_process *process, hd_span length, const uint64_t *states, use_slice *slice)
{
    static const hd_efficiency_sum sums[HD_N_STATES] = {
        [HD_STATE_MPI] = HD_EFFICIENCY_parallel_mpi, [HD_STATE_FORK] = HD_EFFICIENCY_fork,
        [HD_STATE_BARRIER] = HD_EFFICIENCY_barrier,  [HD_STATE_LOCK] = HD_EFFICIENCY_lock,
        [HD_STATE_MUTEX] = HD_EFFICIENCY_lock,       [HD_STATE_CREATE] = HD_EFFICIENCY_tasks,
        [HD_STATE_TASKS] = HD_EFFICIENCY_tasks,      [HD_STATE_ORDERED] = HD_EFFICIENCY_ordered,
        [HD_STATE_FLUSH] = HD_EFFICIENCY_calls,      [HD_STATE_THREADS] = HD_EFFICIENCY_calls,
        [HD_STATE_OTHER] = HD_EFFICIENCY_other };
    const uint64_t *busiest = states;
    uint64_t        useful = 0, rest, imbalance;

    for (uint32_t i = 0; i < process->n_logs; i++) {
        const uint64_t *of_thread = &states[(size_t)i * HD_N_STATES];

        useful += of_thread[HD_STATE_USEFUL];
        if (of_thread[HD_STATE_USEFUL] > busiest[HD_STATE_USEFUL])
            busiest = of_thread;
    }
    slice->parallel += (uint64_t)length;
    slice->first_parallel += states[HD_STATE_USEFUL];
    imbalance = busiest[HD_STATE_USEFUL] * process->n_threads;
    imbalance = imbalance > useful ? imbalance - useful : 0; /* more threads one after the other than at a time */
    rest      = (uint64_t)length * process->n_threads - useful - imbalance;
    slice->sums[HD_EFFICIENCY_imbalance] += imbalance;
    for (int state = HD_STATE_USEFUL + 1; state < HD_N_STATES; state++) {
        uint64_t lost = busiest[state] * process->n_threads;

        lost = lost < rest ? lost : rest;
        rest -= lost;
        slice->sums[sums[state]] += lost;
    }
    slice->sums[HD_EFFICIENCY_absent] += rest;
}

/* Threads by themselves. Where a process has more of them than are active at a time, one of those has the mean at
 * least. times: [n_logs] */
static inline __attribute__((always_inline)) void
add_threads(const use_process *process, uint32_t n_logs, const use_times *times, hd_efficiency_slice *out)
{
    uint64_t useful = 0, mpi = 0, most = 0;

    for (uint32_t i = 0; i < n_logs; i++) {
        useful += times[i].useful;
        mpi += times[i].mpi;
        most = times[i].useful > most ? times[i].useful : most;
    }
    if (process->n_threads > 1 || n_logs > 1) {
        uint64_t mean = (useful + process->n_threads - 1) / process->n_threads;

        most = mean > most ? mean : most;
    }
    hd_efficiency_add(out, HD_EFFICIENCY_useful, useful);
    hd_efficiency_add(out, HD_EFFICIENCY_mpi, mpi);
    if (n_logs > 1)
        hd_efficiency_add(out, HD_EFFICIENCY_mpi_elsewhere, mpi - times->mpi);
    hd_efficiency_max(out, HD_EFFICIENCY_max_useful, most);
}

/* What the process is in the slice of the track that is over: the next one to be booked. */
static inline __attribute__((always_inline)) void
book_slice(const use_process *process, uint32_t n_logs, use_track *track)
{
    hd_efficiency_slice *out      = &track->slices[track->n_booked];
    const use_slice     *use      = track->uses != NULL ? &track->uses[track->n_booked] : NULL;
    uint64_t             parallel = use != NULL ? use->parallel : 0;
    uint64_t             serial   = track->spent->useful - (use != NULL ? use->first_parallel : 0);
    uint64_t             outside  = track->inside - track->spent->mpi, n = process->n_threads;

    add_threads(process, n_logs, track->spent, out);
    hd_efficiency_add(out, HD_EFFICIENCY_processes, 1);
    hd_efficiency_add(out, HD_EFFICIENCY_threads, n);
    hd_efficiency_add(out, HD_EFFICIENCY_serial_useful, serial);
    hd_efficiency_add(out, HD_EFFICIENCY_outside, outside);
    hd_efficiency_add(out, HD_EFFICIENCY_outside_threads, outside * n);
    if (use != NULL)
        hd_efficiency_add(out, HD_EFFICIENCY_parallel_threads, parallel * n);
    hd_efficiency_add(out, HD_EFFICIENCY_serial_threads, serial * n);
    for (int sum = 0; use != NULL && sum < HD_EFFICIENCY_max_useful; sum++)
        hd_efficiency_add(out, (hd_efficiency_sum)sum, use->sums[sum]);
    hd_efficiency_max(out, HD_EFFICIENCY_max_outside, outside);
    hd_efficiency_max(out, HD_EFFICIENCY_max_process, parallel + serial);
    hd_efficiency_longest(out, track->length);
    track->n_booked++;
}

/* Slices before this one that the process does not have, such as iterations. */
static void
book_up_to(const use_process *process, use_track *track, size_t slice)
{
    for (; track->n_booked < slice; track->n_booked++) {
        hd_efficiency_add(&track->slices[track->n_booked], HD_EFFICIENCY_processes, 1);
        hd_efficiency_add(&track->slices[track->n_booked], HD_EFFICIENCY_threads, process->n_threads);
    }
}

/* ---- all slices at once ------------------------------------------------------------------------------------------ */

enum { MAX_TRACKS = 6 };

typedef struct use_tracks {
    use_track  of[MAX_TRACKS];
    size_t     n;
    hd_thread_times windows, iterations;
} use_tracks;

static use_track *
new_track(use_tracks *tracks, hd_efficiency_slice *slices, use_slice *uses, size_t n_slices)
{
    use_track *track = &tracks->of[tracks->n++];

    *track = (use_track){ .slices = slices, .uses = uses, .n_slices = n_slices };
    return track;
}

/* Slices with one piece each. */
static use_track *
add_track(use_tracks *tracks, hd_efficiency_slice *slices, use_slice *uses, size_t n_slices,
          const hd_efficiency_slice *whole)
{
    use_track *track = new_track(tracks, slices, uses, n_slices);

    HD_RESERVE(track->pieces, track->n, track->capacity, n_slices);
    for (size_t s = 0; s < n_slices; s++)
        add_piece(track, s, (uint32_t)s + 1, slices[s].from, slices[s].to, whole);
    return track;
}

/* NULL stays NULL. */
static use_slice *
use_at(use_slice *uses, size_t slice)
{
    return uses != NULL ? &uses[slice] : NULL;
}

/* Iterations with what is before and after them, and what is between them: as this may come between those that are
 * joined, it has a track of its own. uses: [n_of_iterations] */
static void
add_iterations(use_tracks *tracks, const hd_efficiencies *all, const hd_process_iterations *of, use_slice *uses)
{
    const hd_efficiency_slice *whole   = &all->slices[0];
    uint32_t                   n       = all->iterations->n, shift = hd_iterations_shift(n, HD_MAX_WINDOWS);
    size_t                     last    = all->n_of_iterations - 1;
    use_track                 *track   = new_track(tracks, all->of_iterations, uses, last);
    use_track                 *between = new_track(tracks, &all->of_iterations[last], use_at(uses, last), 1);

    HD_RESERVE(track->pieces, track->n, track->capacity, (size_t)of->n + 2);
    HD_RESERVE(between->pieces, between->n, between->capacity, (size_t)of->n);
    track->series = between->series = tracks->iterations.series != NULL ? &tracks->iterations : NULL;
    add_piece(track, 0, 0, whole->from, of->n > 0 ? of->rows[0].enter : whole->to, whole);
    for (uint32_t i = 0; i < of->n; i++) {
        if (i > 0)
            add_piece(between, 0, n + 2, of->rows[i - 1].leave, of->rows[i].enter, whole);
        add_piece(track, hd_iterations_joined(n, i + 1, shift), i + 1, of->rows[i].enter, of->rows[i].leave, whole);
    }
    if (of->n > 0)
        add_piece(track, last - 1, n + 1, of->rows[of->n - 1].leave, whole->to, whole);
}

/* ---- series of time ---------------------------------------------------------------------------------------------- */

/* A piece is over. Before the first iteration there is what no other slice has. */
static void
put_piece_times(const use_track *track, uint32_t number)
{
    uint64_t times[HD_N_TIMES_OVER_TIME];

    if (number == 0)
        return;
    if (!track->series->is_iterations && number == 1)
        hd_thread_times_put(track->series, track->begun, 0);
    for (int i = 0; i < HD_N_TIMES_OVER_TIME; i++)
        times[i] = track->series->now[i] - track->begun[i];
    hd_thread_times_put(track->series, times, number);
}

/* ---- what is lost in parallel intervals -------------------------------------------------------------------------- */

typedef struct use_losses { /* while the intervals are gone through */
    hd_state_sums *cursors; /* [n_logs] at the end of the interval; */
    hd_state_sums *begin;   /* at its begin, if some track has a bound inside; */
    hd_state_sums *part;    /* in a part of it */
    uint64_t   *states;  /* [n_logs][HD_N_STATES] */
} use_losses;

static void
add_all_states(const use_process *process, hd_state_sums *cursors, hd_time from, hd_time to, uint64_t *states)
{
    for (uint32_t t = 0; t < process->n_logs; t++, states += HD_N_STATES) {
        memset(states, 0, HD_N_STATES * sizeof *states);
        hd_state_sums_add(&cursors[t], from, to, states);
    }
}

/* Goes to the piece of the track in which the interval begins, or the next one; whether the interval is in none, or in
 * that alone. */
static bool
is_undivided(use_track *track, const use_interval *interval)
{
    while (track->at < track->n && track->pieces[track->at].to <= interval->from)
        track->at++;
    return track->at == track->n || track->pieces[track->at].from >= interval->to ||
           (track->pieces[track->at].from <= interval->from && track->pieces[track->at].to >= interval->to);
}

static void
add_divided(const use_process *process, const use_interval *interval, use_track *track, use_losses *losses)
{
    memcpy(losses->part, losses->begin, process->n_logs * sizeof *losses->part);
    for (size_t s = track->at; s < track->n && track->pieces[s].from < interval->to; s++) {
        hd_time from = hd_time_max(interval->from, track->pieces[s].from);
        hd_time to   = hd_time_min(interval->to, track->pieces[s].to);

        add_all_states(process, losses->part, from, to, losses->states);
        add_parallel(process, hd_span_between(from, to), losses->states, &track->uses[track->pieces[s].slice]);
    }
}

/* The logs are read once, and where an interval is divided again for each track with a bound in it. */
static void
add_losses(const use_process *process, use_tracks *tracks)
{
    use_losses losses = { new_cursors(process), HD_NEW_UNSET(hd_state_sums, process->n_logs),
                          HD_NEW_UNSET(hd_state_sums, process->n_logs),
                          HD_NEW_UNSET(uint64_t, (size_t)process->n_logs * HD_N_STATES) };

    for (size_t i = 0; i < process->parallel.n; i++) {
        const use_interval *interval = &process->parallel.rows[i];
        bool                undivided[MAX_TRACKS] = { false }, all = true;

        for (size_t t = 0; t < tracks->n; t++) {
            undivided[t] = is_undivided(&tracks->of[t], interval);
            all          = all && undivided[t];
        }
        if (!all)
            memcpy(losses.begin, losses.cursors, process->n_logs * sizeof *losses.begin);
        add_all_states(process, losses.cursors, interval->from, interval->to, losses.states);
        for (size_t t = 0; t < tracks->n; t++) {
            use_track *track = &tracks->of[t];

            if (undivided[t] && track->at < track->n && track->pieces[track->at].from <= interval->from)
                add_parallel(process, hd_span_between(interval->from, interval->to), losses.states,
                             &track->uses[track->pieces[track->at].slice]);
        }
        for (size_t t = 0; t < tracks->n; t++)
            if (!undivided[t])
                add_divided(process, interval, &tracks->of[t], &losses);
    }
    for (size_t t = 0; t < tracks->n; t++)
        tracks->of[t].at = 0;
    free(losses.cursors);
    free(losses.begin);
    free(losses.part);
    free(losses.states);
}

/* A piece begins. states: [n_logs][HD_N_STATES] up to its begin */
static inline __attribute__((always_inline)) void
begin_piece(use_track *track, uint32_t n_logs, const uint64_t *states)
{
    for (uint32_t i = 0; i < n_logs; i++, states += HD_N_STATES)
        track->before[i] = (use_times){ states[HD_STATE_USEFUL], states[HD_STATE_MPI] };
    if (track->series != NULL)
        memcpy(track->begun, track->series->now, sizeof track->begun);
    track->has_begun = true;
}

/* A piece is over. states: up to its end */
static inline __attribute__((always_inline)) void
end_piece(use_track *track, const use_process *process, uint32_t n_logs, const uint64_t *states)
{
    const use_piece    *piece = &track->pieces[track->at++];
    const hd_state_log *first = process->logs[0];
    hd_time             begin = hd_time_max(first->begin, piece->from), end = hd_time_min(first->until, piece->to);

    track->length += piece->to - piece->from;
    track->inside += begin < end ? end - begin : 0;
    for (uint32_t i = 0; i < n_logs; i++, states += HD_N_STATES) {
        track->spent[i].useful += states[HD_STATE_USEFUL] - track->before[i].useful;
        track->spent[i].mpi += states[HD_STATE_MPI] - track->before[i].mpi;
    }
    if (track->series != NULL)
        put_piece_times(track, piece->number);
    track->has_begun = false;
    if (track->at < track->n && piece[1].slice == piece->slice)
        return;
    book_up_to(process, track, piece->slice);
    book_slice(process, n_logs, track);
    track->length = track->inside = 0;
    for (uint32_t i = 0; i < n_logs; i++)
        track->spent[i] = (use_times){ 0, 0 };
}

/* The track is at its bound: a piece is over, or begins, or the next one begins at once. states: as above */
static inline __attribute__((always_inline)) void
pass_bound(use_track *track, const use_process *process, uint32_t n_logs, const uint64_t *states)
{
    if (track->series != NULL)
        hd_thread_times_until(track->series, states, n_logs);
    if (track->has_begun)
        end_piece(track, process, n_logs, states);
    if (track->at < track->n && track->pieces[track->at].from == track->bound)
        begin_piece(track, n_logs, states);
    track->bound = track->at == track->n ? UINT64_MAX : track->has_begun ? track->pieces[track->at].to :
                                                                          track->pieces[track->at].from;
}

/* The logs are read once, up to each time at which a piece of a track begins or ends. states: [n_logs][HD_N_STATES] 0;
 * out: those up to the last of these times */
static inline __attribute__((always_inline)) void
book_pieces(const use_process *process, uint32_t n_logs, use_tracks *tracks, uint64_t *states)
{
    hd_state_sums *cursors = new_cursors(process);
    use_track     *own[MAX_TRACKS]; /* [n] those with pieces */
    size_t         n   = 0;
    hd_time        now = UINT64_MAX, next;

    for (size_t t = 0; t < tracks->n; t++)
        if (tracks->of[t].n > 0) {
            own[n]        = &tracks->of[t];
            own[n]->bound = own[n]->pieces[0].from;
            now           = hd_time_min(now, own[n++]->bound);
        }
    for (uint32_t t = 0; t < n_logs; t++) /* of damaged archives */
        hd_state_sums_add(&cursors[t], 0, now, &states[(size_t)t * HD_N_STATES]);
    for (; now < UINT64_MAX; now = next) {
        next = UINT64_MAX;
        for (size_t t = 0; t < n; t++) {
            if (own[t]->bound == now)
                pass_bound(own[t], process, n_logs, states);
            next = hd_time_min(next, own[t]->bound);
        }
        for (uint32_t t = 0; t < n_logs && next < UINT64_MAX; t++)
            hd_state_sums_add(&cursors[t], now, next, &states[(size_t)t * HD_N_STATES]);
    }
    hd_thread_times_end(&tracks->windows, states, n_logs);
    hd_thread_times_end(&tracks->iterations, states, n_logs);
    free(cursors);
}

static void
book_tracks(const use_process *process, use_tracks *tracks)
{
    use_times *times  = HD_NEW_ARRAY(use_times, 2 * tracks->n * process->n_logs);
    uint64_t  *states = HD_NEW_ARRAY(uint64_t, (size_t)process->n_logs * HD_N_STATES);

    for (size_t t = 0; t < tracks->n; t++) {
        tracks->of[t].spent  = &times[2 * t * process->n_logs];
        tracks->of[t].before = &times[(2 * t + 1) * process->n_logs];
    }
    if (process->parallel.n > 0)
        add_losses(process, tracks);
    if (process->n_logs == 1) /* most are: without loops over threads */
        book_pieces(process, 1, tracks, states);
    else
        book_pieces(process, process->n_logs, tracks, states);
    for (size_t t = 0; t < tracks->n; t++)
        book_up_to(process, &tracks->of[t], tracks->of[t].n_slices);
    free(states);
    free(times);
}

static void
book_process(const use_process *process, hd_efficiencies *all, const hd_process_iterations *iterations,
             hd_wait_series *series)
{
    size_t                     first   = all->n > 1 && hd_slice_is_main(all->slices[1].kind) ? 2 : 1;
    hd_efficiency_slice       *own     = series == NULL ? NULL : hd_thread_times_windows(series->windows,
                                                                                        &all->slices[first],
                                                                                        all->n - first);
    size_t                     n_own   = own != NULL ? series->windows->n : 0;
    size_t                     n_uses  = all->n + all->n_of_iterations + n_own;
    use_slice                 *uses    = process->parallel.n > 0 ? HD_NEW_ARRAY(use_slice, n_uses) : NULL;
    const hd_efficiency_slice *whole   = &all->slices[0];
    use_tracks                 tracks  = { .windows.series    = series,
                                           .iterations.series = iterations != NULL ? series : NULL,
                                           .iterations.is_iterations = true };
    use_track                 *windows;

    add_track(&tracks, &all->slices[0], use_at(uses, 0), 1, whole);
    if (first == 2)
        add_track(&tracks, &all->slices[1], use_at(uses, 1), 1, whole);
    windows = add_track(&tracks, &all->slices[first], use_at(uses, first), all->n - first, whole);
    if (own != NULL)
        windows = add_track(&tracks, own, use_at(uses, n_uses - n_own), n_own, whole);
    windows->series = series != NULL ? &tracks.windows : NULL;
    if (iterations != NULL)
        add_iterations(&tracks, all, iterations, use_at(uses, all->n));
    book_tracks(process, &tracks);
    for (size_t t = 0; t < tracks.n; t++)
        free(tracks.of[t].pieces);
    free(own);
    free(uses);
}

void
hd_thread_use_book(const hd_defs *defs, const hd_loaded_process *loaded, hd_efficiencies *efficiencies,
                   hd_wait_series *series)
{
    use_process process = { .logs = HD_NEW_ARRAY(const hd_state_log *, loaded->n_locations + 1) };
    const hd_process_iterations *iterations = efficiencies->n_of_iterations == 0 ? NULL :
                                              &efficiencies->iterations->of[loaded - efficiencies->processes];

    for (uint32_t t = 0; t < loaded->n_locations; t++)
        if (hd_defs_locations(defs)[loaded->locations[t].location].type == HD_LOCATION_CPU &&
            loaded->locations[t].states.until > loaded->locations[t].states.begin)
            process.logs[process.n_logs++] = &loaded->locations[t].states;
    for (uint32_t i = 1; i < process.n_logs; i++)
        add_intervals(&process.parallel, process.logs[i], false);
    process.n_threads = process.n_logs > 1 ? most_active(&process) : process.n_logs;
    if (process.n_logs > 1 || (process.n_logs == 1 && process.logs[0]->is_parallel))
        add_intervals(&process.parallel, process.logs[0], true);
    unite(&process.parallel);
    if (process.n_logs > 0 &&
        (process.n_logs > 1 || process.parallel.n > 0 ||
         !hd_serial_use_book(process.logs[0], efficiencies, iterations, series)))
        book_process(&process, efficiencies, iterations, series);
    free(process.logs);
    free(process.parallel.rows);
}
