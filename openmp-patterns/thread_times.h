/* openmp-patterns/thread_times.h: series of the time that the threads of a process compute, and are in MPI and OpenMP
 * (docs/metrics.md#time-over-time), from their states. Forks and joins are added by team.c.
 *
 * A region that MPI calls is part of the call. What creates tasks is computation, as in the metric. Private to the
 * component. Uses: wait_series, state_log, efficiency. MT: one thread at a time.
 */
#ifndef HD_THREAD_TIMES_H
#define HD_THREAD_TIMES_H

#include <string.h>

#include "efficiency.h"
#include "state_log.h"
#include "wait_series.h"

typedef struct hd_thread_times { /* of all windows, or of all iterations; ticks of each of hd_times_over_time */
    hd_wait_series *series;      /* of the process; NULL: not wanted */
    bool            is_iterations;
    uint64_t       *sums[HD_N_TIMES_OVER_TIME];  /* by slice, of the series; NULL: none yet */
    uint64_t        now[HD_N_TIMES_OVER_TIME];   /* of all time until hd_thread_times_until() */
    uint64_t        given[HD_N_TIMES_OVER_TIME]; /* what has a slice so far */
} hd_thread_times;

/* states: [n][HD_N_STATES] of n threads until then */
static inline void
hd_thread_times_until(hd_thread_times *of, const uint64_t *states, uint32_t n)
{
    uint64_t now[HD_N_TIMES_OVER_TIME] = { 0 };

    for (uint32_t i = 0; i < n; i++, states += HD_N_STATES)
#pragma GCC unroll 3
        for (int time = 0; time < HD_N_TIMES_OVER_TIME; time++)
#pragma GCC unroll 16
            for (int state = 0; state < HD_N_STATES; state++)
                now[time] += (hd_states_over_time[time] >> state & 1) != 0 ? states[state] : 0;
    memcpy(of->now, now, sizeof now);
}

/* times: [HD_N_TIMES_OVER_TIME] in a slice */
static inline void
hd_thread_times_put(hd_thread_times *of, const uint64_t *times, uint32_t slice)
{
    for (int i = 0; i < HD_N_TIMES_OVER_TIME; i++) {
        if (times[i] == 0)
            continue;
        if (HD_UNLIKELY(of->sums[i] == NULL))
            of->sums[i] = hd_wait_series_sums(of->series, of->is_iterations, i);
        of->sums[i][slice] += times[i];
        of->given[i] += times[i];
    }
}

/* What no slice has is behind the last window, or before the first iteration. states: of the whole run */
void hd_thread_times_end(hd_thread_times *of, const uint64_t *states, uint32_t n);
/* Whether the slices [n] are these windows. */
bool hd_thread_times_are_windows(const hd_windows *windows, const hd_efficiency_slice *slices, size_t n);
/* The windows [windows->n] as slices of efficiencies; free() them. NULL: the slices [n] are these. */
hd_efficiency_slice *hd_thread_times_windows(const hd_windows *windows, const hd_efficiency_slice *slices, size_t n);

#endif
