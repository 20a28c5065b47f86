/* openmp-patterns/thread_times.c: sums of states. */
#include "thread_times.h"

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
