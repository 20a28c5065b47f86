/* openmp-patterns/thread_times.c: sums of states. */
#include "thread_times.h"

#include <string.h>

void
hd_thread_times_until(hd_thread_times *of, const uint64_t *states, uint32_t n)
{
    memset(of->now, 0, sizeof of->now);
    for (uint32_t i = 0; i < n; i++, states += HD_N_STATES) {
        of->now[0] += states[HD_STATE_USEFUL] + states[HD_STATE_CREATE];
        of->now[1] += states[HD_STATE_MPI];
        of->now[2] += states[HD_STATE_BARRIER] + states[HD_STATE_LOCK] + states[HD_STATE_TASKS] +
                      states[HD_STATE_ORDERED] + states[HD_STATE_FLUSH];
    }
}

void
hd_thread_times_put(hd_thread_times *of, const uint64_t *times, uint32_t slice)
{
    for (int i = 0; i < HD_N_TIMES_OVER_TIME; i++) {
        if (times[i] == 0)
            continue;
        if (of->sums[i] == NULL)
            of->sums[i] = hd_wait_series_sums(of->series, of->is_iterations, i);
        of->sums[i][slice] += times[i];
        of->given[i] += times[i];
    }
}

void
hd_thread_times_end(hd_thread_times *of, const uint64_t *states, uint32_t n)
{
    uint64_t rest[HD_N_TIMES_OVER_TIME];

    if (of->series == NULL)
        return;
    hd_thread_times_until(of, states, n);
    for (int i = 0; i < HD_N_TIMES_OVER_TIME; i++)
        rest[i] = of->now[i] - of->given[i];
    hd_thread_times_put(of, rest, of->is_iterations ? 0 : of->series->windows->n + 1);
}

bool
hd_thread_times_are_windows(const hd_windows *windows, const hd_efficiency_slice *slices, size_t n)
{
    return n > 0 && n == windows->n && slices[0].from == windows->from && slices[n - 1].to == windows->to;
}

hd_efficiency_slice *
hd_thread_times_windows(const hd_windows *windows, const hd_efficiency_slice *slices, size_t n)
{
    hd_efficiency_slice *own;

    if (hd_thread_times_are_windows(windows, slices, n))
        return NULL;
    own = HD_NEW_ARRAY(hd_efficiency_slice, windows->n);
    for (uint32_t k = 0; k < windows->n; k++)
        own[k] = (hd_efficiency_slice){ .from = hd_windows_begin(windows, k + 1),
                                        .to = hd_windows_begin(windows, k + 2), .kind = HD_SLICE_WINDOW };
    return own;
}
