/* openmp-patterns/serial_use.c: the log is read once, up to the bounds of slices: each has the difference. */
#include "serial_use.h"

#include <string.h>

#include "state_sums.h"
#include "thread_times.h"

typedef struct serial_reader {
    const hd_state_log *log;
    hd_state_sums       sums;
    hd_time             now;
    uint64_t            states[HD_N_STATES]; /* until now */
} serial_reader;

typedef struct serial_begin { /* of a slice: states until then */
    uint64_t useful, mpi;
} serial_begin;

static serial_begin
begin_at(serial_reader *reader, hd_time time)
{
    hd_state_sums_add(&reader->sums, reader->now, time, reader->states);
    reader->now = time;
    return (serial_begin){ reader->states[HD_STATE_USEFUL], reader->states[HD_STATE_MPI] };
}

/* The slice ends now. */
static void
end_slice(const serial_reader *reader, serial_begin begin, hd_efficiency_slice *slice)
{
    uint64_t useful = reader->states[HD_STATE_USEFUL] - begin.useful;
    uint64_t mpi    = reader->states[HD_STATE_MPI] - begin.mpi, outside;
    hd_time  from = hd_time_max(reader->log->begin, slice->from), to = hd_time_min(reader->log->until, slice->to);

    outside = (from < to ? to - from : 0) - mpi;
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
    hd_efficiency_longest(slice, slice->to - slice->from);
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

bool
hd_serial_use_book(const hd_state_log *log, hd_efficiencies *all, hd_wait_series *series)
{
    hd_efficiency_slice *slices = all->slices;
    size_t               first  = all->n > 1 && hd_slice_is_main(slices[1].kind) ? 2 : 1;
    hd_thread_times      times  = { .series = series };
    serial_reader        reader = { .log = log };
    serial_begin         run, main, window;

    if (!are_nested(slices, all->n, first) ||
        (series != NULL && !hd_thread_times_are_windows(series->windows, &slices[first], all->n - first)))
        return false;
    hd_state_sums_init(&reader.sums, log);
    run    = begin_at(&reader, slices[0].from);
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
    hd_thread_times_end(&times, reader.states, 1);
    return true;
}
