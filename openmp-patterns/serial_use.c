/* openmp-patterns/serial_use.c: the log is read once, up to the bounds of slices: each has the difference. */
#include "serial_use.h"

#include <string.h>

#include "state_sums.h"
#include "thread_times.h"

typedef struct serial_begin { /* of a part: states until then */
    uint64_t useful, mpi;
} serial_begin;

typedef struct serial_iterations { /* parts: before the first one, each of them, between two, behind the last one */
    const hd_process_iterations *of;     /* NULL: none are wanted */
    hd_efficiency_slice         *slices; /* [n_slices], as of no more than one iteration each */
    uint32_t                     n_slices, slice; /* slice: of the part that is now */
    uint32_t                     at;     /* iteration that is now, or the next one */
    hd_time                      from, bound; /* of that part; bound: UINT64_MAX: it is the last one */
    serial_begin                 begin;  /* likewise */
    uint64_t                     begun[HD_N_TIMES_OVER_TIME];
    hd_efficiency_slice          between; /* sums of all parts between two */
    hd_thread_times              times;
} serial_iterations;

typedef struct serial_reader {
    const hd_state_log *log;
    hd_state_sums       sums;
    hd_time             now;
    uint64_t            states[HD_N_STATES]; /* until now */
    serial_iterations   iterations;
} serial_reader;

static inline serial_begin
read_until(serial_reader *reader, hd_time time)
{
    hd_state_sums_add(&reader->sums, reader->now, time, reader->states);
    reader->now = time;
    return (serial_begin){ reader->states[HD_STATE_USEFUL], reader->states[HD_STATE_MPI] };
}

/* Of a process that is in the slice from `from` to `to`. */
static inline void
add_part(hd_efficiency_slice *slice, uint64_t useful, uint64_t mpi, uint64_t outside, uint64_t length)
{
    hd_efficiency_add(slice, HD_EFFICIENCY_useful, useful);
    hd_efficiency_add(slice, HD_EFFICIENCY_mpi, mpi);
    hd_efficiency_max(slice, HD_EFFICIENCY_max_useful, useful);
    hd_efficiency_add(slice, HD_EFFICIENCY_processes, 1);
    hd_efficiency_add(slice, HD_EFFICIENCY_threads, 1);
    hd_efficiency_add(slice, HD_EFFICIENCY_serial_useful, useful);
    hd_efficiency_add(slice, HD_EFFICIENCY_outside, outside);
    hd_efficiency_add(slice, HD_EFFICIENCY_outside_threads, outside);
    hd_efficiency_add(slice, HD_EFFICIENCY_serial_threads, useful);
    hd_efficiency_max(slice, HD_EFFICIENCY_max_outside, outside);
    hd_efficiency_max(slice, HD_EFFICIENCY_max_process, useful);
    hd_efficiency_longest(slice, length);
}

/* Of one that does not have the slice. */
static void
add_absent(hd_efficiency_slice *slice)
{
    hd_efficiency_add(slice, HD_EFFICIENCY_processes, 1);
    hd_efficiency_add(slice, HD_EFFICIENCY_threads, 1);
}

/* The time outside of MPI from `from` until now, of which so much is in it. */
static inline uint64_t
outside_since(const serial_reader *reader, hd_time from, uint64_t mpi)
{
    hd_time to = hd_time_min(reader->log->until, reader->now);

    from = hd_time_max(reader->log->begin, from);
    return (from < to ? to - from : 0) - mpi;
}

/* A part that ends now. */
static inline void
end_part(const serial_reader *reader, serial_begin begin, hd_time from, hd_efficiency_slice *slice)
{
    uint64_t useful = reader->states[HD_STATE_USEFUL] - begin.useful;
    uint64_t mpi    = reader->states[HD_STATE_MPI] - begin.mpi;

    add_part(slice, useful, mpi, outside_since(reader, from, mpi), reader->now - from);
}

/* ---- iterations -------------------------------------------------------------------------------------------------- */

static uint32_t
slice_between(const serial_iterations *own)
{
    return own->n_slices - 1;
}

static void
begin_iteration_part(serial_reader *reader, uint32_t slice, hd_time bound)
{
    serial_iterations *own = &reader->iterations;

    own->slice = slice;
    own->from  = reader->now;
    own->bound = bound;
    own->begin = (serial_begin){ reader->states[HD_STATE_USEFUL], reader->states[HD_STATE_MPI] };
    memcpy(own->begun, own->times.now, sizeof own->begun);
}

/* Between two iterations. */
static void
end_between(serial_reader *reader)
{
    serial_iterations *own    = &reader->iterations;
    uint64_t           useful = reader->states[HD_STATE_USEFUL] - own->begin.useful;
    uint64_t           mpi    = reader->states[HD_STATE_MPI] - own->begin.mpi;

    hd_efficiency_add(&own->between, HD_EFFICIENCY_useful, useful);
    hd_efficiency_add(&own->between, HD_EFFICIENCY_mpi, mpi);
    hd_efficiency_add(&own->between, HD_EFFICIENCY_outside, outside_since(reader, own->from, mpi));
    own->between.longest += reader->now - own->from;
}

/* The part is over. Of what is before the first iteration the series get what is left. */
static void
end_iteration_part(serial_reader *reader)
{
    serial_iterations *own = &reader->iterations;
    uint64_t           of_part[HD_N_TIMES_OVER_TIME];

    if (own->times.series != NULL)
        hd_thread_times_until(&own->times, reader->states, 1);
    if (reader->now == own->from) {
        if (own->slice != slice_between(own))
            add_absent(&own->slices[own->slice]);
        return;
    }
    if (own->slice == slice_between(own))
        end_between(reader);
    else
        end_part(reader, own->begin, own->from, &own->slices[own->slice]);
    for (int i = 0; i < HD_N_TIMES_OVER_TIME; i++)
        of_part[i] = own->times.now[i] - own->begun[i];
    if (own->times.series != NULL && own->slice > 0)
        hd_thread_times_put(&own->times, of_part, own->slice);
}

/* An iteration begins or ends. */
static void
pass_bound(serial_reader *reader)
{
    serial_iterations  *own = &reader->iterations;
    const hd_iteration *row = &own->of->rows[own->at];

    read_until(reader, own->bound);
    end_iteration_part(reader);
    if (own->slice == own->at + 1) { /* it has been this one */
        own->at++;
        row++;
    }
    if (own->at == own->of->n)
        begin_iteration_part(reader, own->n_slices - 2, UINT64_MAX);
    else if (row->enter > reader->now)
        begin_iteration_part(reader, slice_between(own), row->enter);
    else
        begin_iteration_part(reader, own->at + 1, row->leave);
}

static void
begin_iterations(serial_reader *reader)
{
    const hd_process_iterations *of = reader->iterations.of;

    if (of != NULL)
        begin_iteration_part(reader, 0, of->n > 0 ? of->rows[0].enter : UINT64_MAX);
}

static void
end_iterations(serial_reader *reader)
{
    serial_iterations   *own = &reader->iterations;
    hd_efficiency_slice *between;

    if (own->of == NULL)
        return;
    between = &own->slices[slice_between(own)];
    end_iteration_part(reader);
    for (uint32_t slice = own->of->n + 1; slice < own->n_slices - (own->of->n > 0 ? 2 : 1); slice++)
        add_absent(&own->slices[slice]);
    if (own->between.longest > 0)
        add_part(between, own->between.sums[HD_EFFICIENCY_useful], own->between.sums[HD_EFFICIENCY_mpi],
                 own->between.sums[HD_EFFICIENCY_outside], own->between.longest);
    else
        add_absent(between);
    hd_thread_times_end(&own->times, reader->states, 1);
}

/* ---- all slices -------------------------------------------------------------------------------------------------- */

/* A slice that is no iteration begins or ends at that time. */
static inline serial_begin
begin_at(serial_reader *reader, hd_time time)
{
    while (reader->iterations.bound <= time)
        pass_bound(reader);
    return read_until(reader, time);
}

static void
end_slice(const serial_reader *reader, serial_begin begin, hd_efficiency_slice *slice)
{
    end_part(reader, begin, slice->from, slice);
}

/* Of window k now, if all up to its end has the time of those before it: what is before the first one has slice 0. */
static void
put_times(hd_thread_times *times, const uint64_t *states, uint32_t k)
{
    uint64_t of_slice[HD_N_TIMES_OVER_TIME];

    if (times->series == NULL)
        return;
    hd_thread_times_until(times, states, 1);
    for (int i = 0; i < HD_N_TIMES_OVER_TIME; i++)
        of_slice[i] = times->now[i] - times->given[i];
    hd_thread_times_put(times, of_slice, k);
}

/* The run, the main window if there is one, and windows, none of them empty, each in the one before. */
static bool
are_nested(const hd_efficiency_slice *slices, size_t n, size_t first)
{
    bool are = n > first && slices[0].from <= slices[first - 1].from && slices[first - 1].to <= slices[0].to &&
               slices[first - 1].from <= slices[first].from && slices[n - 1].to <= slices[first - 1].to;

    for (size_t i = first; i < n && are; i++)
        are = slices[i].from < slices[i].to && (i == first || slices[i - 1].to == slices[i].from);
    return are;
}

/* Whether there are none, or all lie in the run, and each has a slice of its own. */
static bool
are_parts(const hd_efficiencies *all, const hd_process_iterations *of)
{
    const hd_efficiency_slice *run = &all->slices[0];

    return of == NULL || (all->n_of_iterations == (size_t)all->iterations->n + 3 &&
                          (of->n == 0 || (run->from <= of->rows[0].enter && of->rows[of->n - 1].leave <= run->to)));
}

bool
hd_serial_use_book(const hd_state_log *log, hd_efficiencies *all, const hd_process_iterations *iterations,
                   hd_wait_series *series)
{
    hd_efficiency_slice *slices = all->slices;
    size_t               first  = all->n > 1 && hd_slice_is_main(slices[1].kind) ? 2 : 1;
    hd_thread_times      times  = { .series = series };
    serial_reader        reader = { .log = log,
                                    .iterations = { .of = iterations, .slices = all->of_iterations,
                                                    .n_slices = (uint32_t)all->n_of_iterations, .bound = UINT64_MAX,
                                                    .times = { .series = series, .is_iterations = true } } };
    serial_begin         run, main, window;

    if (!are_nested(slices, all->n, first) || !are_parts(all, iterations) ||
        (series != NULL && !hd_thread_times_are_windows(series->windows, &slices[first], all->n - first)))
        return false;
    hd_state_sums_init(&reader.sums, log);
    run = begin_at(&reader, slices[0].from);
    begin_iterations(&reader);
    main   = begin_at(&reader, slices[first - 1].from);
    window = begin_at(&reader, slices[first].from);
    put_times(&times, reader.states, 0);
    for (size_t i = first; i < all->n; i++) {
        serial_begin next = begin_at(&reader, slices[i].to);

        end_slice(&reader, window, &slices[i]);
        put_times(&times, reader.states, (uint32_t)(i - first) + 1);
        window = next;
    }
    if (first == 2) {
        begin_at(&reader, slices[1].to);
        end_slice(&reader, main, &slices[1]);
    }
    begin_at(&reader, slices[0].to);
    end_slice(&reader, run, &slices[0]);
    end_iterations(&reader);
    hd_thread_times_end(&times, reader.states, 1);
    return true;
}
