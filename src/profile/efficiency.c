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
      [HD_SLICE_REGIONS] = "regions", [HD_SLICE_WINDOW] = "window", [HD_SLICE_ITERATION] = "iteration",
      [HD_SLICE_BEFORE] = "before", [HD_SLICE_AFTER] = "after", [HD_SLICE_BETWEEN] = "between",
      [HD_SLICE_REGION] = "region" };

hd_efficiencies
hd_efficiencies_new(hd_time from, hd_time to, const hd_windows *main, hd_slice_kind main_kind,
                    const hd_windows *windows)
{
    hd_efficiencies all = { .slices = HD_NEW_UNSET(hd_efficiency_slice, 2 + (size_t)windows->n) };

    all.slices[all.n++] = (hd_efficiency_slice){ .from = from, .to = to };
    if (main->n > 0)
        all.slices[all.n++] = (hd_efficiency_slice){ .from = main->from, .to = main->to, .kind = main_kind };
    for (uint32_t k = 1; k <= windows->n; k++)
        all.slices[all.n++] = (hd_efficiency_slice){ .from = hd_windows_begin(windows, k),
                                                     .to = hd_windows_begin(windows, k + 1), .kind = HD_SLICE_WINDOW };
    return all;
}

void
hd_efficiencies_of_iterations(hd_efficiencies *efficiencies, const hd_iterations *iterations, const hd_trace *trace)
{
    uint32_t n = iterations->n, shift = hd_iterations_shift(n, HD_MAX_WINDOWS);
    uint32_t after = n > 0 ? hd_iterations_joined(n, n + 1, shift) : 0;

    if (n == 0)
        return;
    efficiencies->of_iterations   = HD_NEW_UNSET(hd_efficiency_slice, (size_t)after + 2);
    efficiencies->n_of_iterations = (size_t)after + 2;
    efficiencies->iterations      = iterations;
    efficiencies->processes       = trace->processes;
    for (uint32_t s = 0; s <= after + 1; s++)
        efficiencies->of_iterations[s] = (hd_efficiency_slice){
            .kind = s == 0 ? HD_SLICE_BEFORE : s < after ? HD_SLICE_ITERATION : s == after ? HD_SLICE_AFTER :
                                                                                             HD_SLICE_BETWEEN };
}

void
hd_efficiencies_fini(hd_efficiencies *efficiencies)
{
    free(efficiencies->slices);
    free(efficiencies->of_iterations);
    *efficiencies = (hd_efficiencies){ 0 };
}

static hd_efficiency_slice *
slices_like(const hd_efficiency_slice *slices, size_t n)
{
    hd_efficiency_slice *like = HD_NEW_UNSET(hd_efficiency_slice, n);

    for (size_t i = 0; i < n; i++)
        like[i] = (hd_efficiency_slice){ .from = slices[i].from, .to = slices[i].to, .kind = slices[i].kind };
    return like;
}

hd_efficiencies
hd_efficiencies_like(const hd_efficiencies *efficiencies)
{
    hd_efficiencies like = *efficiencies;

    like.slices        = slices_like(efficiencies->slices, efficiencies->n);
    like.of_iterations = slices_like(efficiencies->of_iterations, efficiencies->n_of_iterations);
    return like;
}

static void
add_slices(hd_efficiency_slice *slices, const hd_efficiency_slice *more, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (int sum = 0; sum < HD_EFFICIENCY_max_useful; sum++)
            hd_efficiency_add(&slices[i], (hd_efficiency_sum)sum, more[i].sums[sum]);
        for (int most = HD_EFFICIENCY_max_useful; most < HD_N_EFFICIENCY_SUMS; most++)
            hd_efficiency_max(&slices[i], (hd_efficiency_sum)most, more[i].sums[most]);
        hd_efficiency_longest(&slices[i], more[i].longest);
    }
}

void
hd_efficiencies_add(hd_efficiencies *efficiencies, const hd_efficiencies *more)
{
    add_slices(efficiencies->slices, more->slices, efficiencies->n);
    add_slices(efficiencies->of_iterations, more->of_iterations, efficiencies->n_of_iterations);
}

static void
reduce(hd_efficiency_slice *slices, size_t n, hd_analysis_comm *analysis_comm)
{
    size_t    n_sums = HD_EFFICIENCY_max_useful, n_maxima = HD_N_EFFICIENCY_SUMS - n_sums, n_all = n_maxima + 1;
    uint64_t *sums, *maxima;

    if (hd_analysis_comm_size(analysis_comm) == 1)
        return;
    sums   = HD_NEW_UNSET(uint64_t, n * n_sums + 1);
    maxima = HD_NEW_UNSET(uint64_t, n * n_all + 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t s = 0; s < n_sums; s++)
            sums[i * n_sums + s] = slices[i].sums[s];
        for (size_t s = 0; s < n_maxima; s++)
            maxima[i * n_all + s] = slices[i].sums[n_sums + s];
        maxima[i * n_all + n_maxima] = slices[i].longest;
    }
    hd_analysis_comm_reduce(analysis_comm, sums, n * n_sums, HD_SUM);
    hd_analysis_comm_reduce(analysis_comm, maxima, n * n_all, HD_MAX);
    for (size_t i = 0; i < n; i++) {
        for (size_t s = 0; s < n_sums; s++)
            slices[i].sums[s] = sums[i * n_sums + s];
        for (size_t s = 0; s < n_maxima; s++)
            slices[i].sums[n_sums + s] = maxima[i * n_all + s];
        slices[i].longest = maxima[i * n_all + n_maxima];
    }
    free(sums);
    free(maxima);
}

void
hd_efficiencies_reduce(hd_efficiencies *efficiencies, hd_analysis_comm *analysis_comm)
{
    reduce(efficiencies->slices, efficiencies->n, analysis_comm);
    if (efficiencies->n_of_iterations > 0)
        reduce(efficiencies->of_iterations, efficiencies->n_of_iterations, analysis_comm);
    efficiencies->iterations = NULL;
    efficiencies->processes  = NULL;
}
