/* src/profile/efficiency.c: slices, and their sums of all ranks. */
#include "efficiency.h"

#include "memory.h"

const char *const hd_efficiency_ids[HD_N_EFFICIENCY_SUMS] = {
#define HD_EFFICIENCY_ID(id, how, what) #id,
    HD_EFFICIENCY_SUMS(HD_EFFICIENCY_ID)
#undef HD_EFFICIENCY_ID
};

const char *const hd_slice_kinds[HD_N_SLICE_KINDS] =
    { [HD_SLICE_WHOLE] = "whole", [HD_SLICE_MAIN] = "main", [HD_SLICE_INTERVAL] = "interval",
      [HD_SLICE_REGIONS] = "regions", [HD_SLICE_WINDOW] = "window" };

hd_efficiencies
hd_efficiencies_new(hd_time from, hd_time to, const hd_windows *main, hd_slice_kind main_kind,
                    const hd_windows *windows)
{
    hd_efficiencies all = { .slices = HD_NEW_ARRAY(hd_efficiency_slice, 2 + (size_t)windows->n) };

    all.slices[all.n].from = from;
    all.slices[all.n++].to = to;
    if (main->n > 0) {
        all.slices[all.n].from   = main->from;
        all.slices[all.n].to     = main->to;
        all.slices[all.n++].kind = main_kind;
    }
    for (uint32_t k = 1; k <= windows->n; k++) {
        all.slices[all.n].from   = hd_windows_begin(windows, k);
        all.slices[all.n].to     = hd_windows_begin(windows, k + 1);
        all.slices[all.n++].kind = HD_SLICE_WINDOW;
    }
    return all;
}

void
hd_efficiencies_fini(hd_efficiencies *efficiencies)
{
    free(efficiencies->slices);
    *efficiencies = (hd_efficiencies){ 0 };
}

void
hd_efficiency_max(hd_efficiency_slice *slice, hd_efficiency_sum sum, uint64_t value)
{
    uint64_t now = atomic_load_explicit(&slice->sums[sum], memory_order_relaxed);

    while (now < value && !atomic_compare_exchange_weak_explicit(&slice->sums[sum], &now, value, memory_order_relaxed,
                                                                 memory_order_relaxed))
        ;
}

void
hd_efficiencies_reduce(hd_efficiencies *efficiencies, hd_analysis_comm *analysis_comm)
{
    size_t    n_sums = HD_EFFICIENCY_max_useful, n_maxima = HD_N_EFFICIENCY_SUMS - n_sums;
    uint64_t *sums   = HD_NEW_ARRAY(uint64_t, efficiencies->n * n_sums + 1);
    uint64_t *maxima = HD_NEW_ARRAY(uint64_t, efficiencies->n * n_maxima + 1);

    for (size_t i = 0; i < efficiencies->n; i++) {
        for (size_t s = 0; s < n_sums; s++)
            sums[i * n_sums + s] = efficiencies->slices[i].sums[s];
        for (size_t s = 0; s < n_maxima; s++)
            maxima[i * n_maxima + s] = efficiencies->slices[i].sums[n_sums + s];
    }
    hd_analysis_comm_reduce(analysis_comm, sums, efficiencies->n * n_sums, HD_SUM);
    hd_analysis_comm_reduce(analysis_comm, maxima, efficiencies->n * n_maxima, HD_MAX);
    for (size_t i = 0; i < efficiencies->n; i++) {
        for (size_t s = 0; s < n_sums; s++)
            efficiencies->slices[i].sums[s] = sums[i * n_sums + s];
        for (size_t s = 0; s < n_maxima; s++)
            efficiencies->slices[i].sums[n_sums + s] = maxima[i * n_maxima + s];
    }
    free(sums);
    free(maxima);
}
