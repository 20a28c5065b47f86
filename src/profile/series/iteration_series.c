/* src/profile/series/iteration_series.c: adds up iterations of all processes. */
#include "iteration_series.h"

#include <stdlib.h>

#include "memory.h"

void
hd_iteration_series_init(hd_iteration_series *series, const hd_iterations *iterations)
{
    *series = (hd_iteration_series){ .n = iterations->n, .iterations = iterations };
    if (series->n == 0)
        return;
    series->shift    = hd_iterations_shift(series->n, HD_MAX_WINDOWS);
    series->rows     = (hd_series){ .n_iterations = series->n, .shift = series->shift };
    series->n_slices = ((series->n - 1) >> series->shift) + 1;
    series->slices   = HD_NEW_ARRAY(hd_iteration_slice, series->n_slices);
    series->longest  = HD_NEW_ARRAY(uint64_t, series->n);
    hd_path_series_init(&series->path_rows, series->n_slices + 3);
    for (uint32_t s = 0; s < series->n_slices; s++)
        series->slices[s] = (hd_iteration_slice){ .from = UINT64_MAX, .process = UINT64_MAX };
}

static void
free_sums(hd_iteration_series *series)
{
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        free(series->sums[m]);
    memset(series->sums, 0, sizeof series->sums);
}

void
hd_iteration_series_fini(hd_iteration_series *series)
{
    free_sums(series);
    free(series->slices);
    hd_series_fini(&series->rows);
    hd_path_series_fini(&series->path_rows);
    free(series->verdicts);
    free(series->longest);
    free(series->waits);
    hd_clusters_fini(&series->clusters);
    *series = (hd_iteration_series){ .n = 0 };
}

/* The time of a process in a slice ends here. */
static void
take_duration(hd_iteration_slice *slice, uint64_t time, uint32_t process)
{
    slice->n_processes++;
    slice->time += time;
    if (time > slice->longest || slice->process == UINT64_MAX || (time == slice->longest && process < slice->process)) {
        slice->longest = time;
        slice->process = process;
    }
}

/* Of iterations of a process. */
static void
take_durations(hd_iteration_series *series, const hd_process_iterations *own, uint32_t process)
{
    int64_t *durations = hd_series_sum(&series->rows, HD_SERIES_DURATION, 0);

    for (uint32_t i = 0; i < own->n;) {
        uint32_t            s     = i >> series->shift;
        hd_iteration_slice *slice = &series->slices[s];
        uint64_t            time  = 0;

        slice->from = hd_time_min(slice->from, own->rows[i].enter);
        for (; i < own->n && i >> series->shift == s; i++) {
            uint64_t length = own->rows[i].leave - own->rows[i].enter;

            series->longest[i] = length > series->longest[i] ? length : series->longest[i];
            slice->to          = hd_time_max(slice->to, own->rows[i].leave);
            durations[i + 1]   = (int64_t)length;
            time += length;
        }
        take_duration(slice, time, process);
    }
}

void
hd_iteration_series_take(hd_iteration_series *series, hd_wait_series *of_process, uint32_t process,
                         uint32_t n_processes)
{
    take_durations(series, of_process->iterations, process);
    hd_wait_series_flush(of_process);
    hd_series_take(&series->rows, series->n < HD_SERIES_ITERATIONS ? &series->path_rows : NULL,
                   &(hd_series_request){ of_process->in_iterations != NULL ? &of_process->in_iterations->rows : NULL,
                                         of_process->sums != NULL ? of_process->sums->iterations : NULL,
                                         series->n + 3, process, n_processes });
    free(of_process->in_iterations);
    of_process->in_iterations = NULL;
}

/* An array of one field of all slices, reduced over the ranks. */
#define REDUCE(field, op)                                                                   \
    do {                                                                                    \
        for (uint32_t s = 0; s < series->n_slices; s++)                                     \
            values[s] = series->slices[s].field;                                            \
        hd_analysis_comm_reduce(analysis_comm, values, series->n_slices, op);               \
    } while (0)
#define KEEP(field, type)                                                                   \
    do {                                                                                    \
        for (uint32_t s = 0; s < series->n_slices; s++)                                     \
            series->slices[s].field = (type)values[s];                                      \
    } while (0)

static void
gather_slices(hd_iteration_series *series, hd_analysis_comm *analysis_comm)
{
    uint64_t *values;

    if (hd_analysis_comm_size(analysis_comm) == 1)
        return;
    values = HD_NEW_ARRAY(uint64_t, series->n_slices);
    REDUCE(from, HD_MIN);
    KEEP(from, hd_time);
    REDUCE(to, HD_MAX);
    KEEP(to, hd_time);
    REDUCE(n_processes, HD_SUM);
    KEEP(n_processes, uint32_t);
    REDUCE(time, HD_SUM);
    KEEP(time, uint64_t);
    REDUCE(longest, HD_MAX);
    for (uint32_t s = 0; s < series->n_slices; s++)
        if (values[s] > series->slices[s].longest)
            series->slices[s].process = UINT64_MAX;
    KEEP(longest, uint64_t);
    REDUCE(process, HD_MIN);
    KEEP(process, uint64_t);
    free(values);
}

static void
add_verdict(hd_iteration_series *series, size_t *capacity, uint32_t metric, const uint64_t *values)
{
    HD_PUSH(series->verdicts, series->n_verdicts, *capacity,
            ((hd_metric_verdict){ metric, hd_verdict_of(values, series->n) }));
}

static bool
has_any(const uint64_t *sums, size_t n)
{
    size_t i = 0;

    while (i < n && sums[i] == 0)
        i++;
    return i < n;
}

/* A wait state that occurs on any rank has sums on all of them. */
static void
gather_sums(hd_iteration_series *series, hd_analysis_comm *analysis_comm, bool is_rank0)
{
    uint64_t *occurs   = HD_NEW_ARRAY(uint64_t, HD_N_METRICS);
    size_t    capacity = 0;

    for (uint32_t m = 0; m < HD_N_METRICS; m++) {
        series->sums[m] = hd_series_take_totals(&series->rows, m);
        occurs[m]       = series->sums[m] != NULL && has_any(series->sums[m], (size_t)series->n + 3);
    }
    hd_analysis_comm_reduce(analysis_comm, occurs, HD_N_METRICS, HD_MAX);
    for (uint32_t m = 0; m < HD_N_METRICS; m++) {
        if (occurs[m] == 0)
            continue;
        if (series->sums[m] == NULL)
            series->sums[m] = HD_NEW_ARRAY(uint64_t, (size_t)series->n + 3);
        hd_analysis_comm_reduce(analysis_comm, series->sums[m], (size_t)series->n + 3, HD_SUM);
        if (is_rank0)
            add_verdict(series, &capacity, m, &series->sums[m][1]);
    }
    hd_analysis_comm_reduce(analysis_comm, series->longest, series->n, HD_MAX);
    if (is_rank0)
        add_verdict(series, &capacity, HD_SERIES_DURATION, series->longest);
    free(occurs);
}

_Static_assert(HD_N_METRICS + 1 <= HD_CLUSTER_VALUES, "wait states and the duration");

/* Of the durations, which count once for each process, as waits do, and the wait states. */
static void
find_clusters(hd_iteration_series *series, const hd_iterations *iterations)
{
    const uint64_t *values[HD_N_METRICS + 1];
    uint64_t       *durations = HD_NEW_ARRAY(uint64_t, series->n);
    uint32_t        n_values  = 0;

    series->waits = HD_NEW_ARRAY(uint64_t, series->n);
    for (uint32_t m = 0; m < HD_N_METRICS; m++) {
        if (series->sums[m] == NULL || hd_metric_is_time_over_time(m))
            continue;
        values[n_values++] = &series->sums[m][1];
        for (uint32_t i = 0; i < series->n; i++)
            series->waits[i] += series->sums[m][i + 1];
    }
    for (uint32_t i = 0; i < series->n; i++)
        durations[i] = series->longest[i] * iterations->n_processes;
    values[n_values++] = durations;
    series->clusters   = hd_clusters_of(&(hd_cluster_request){ series->n, values, n_values, iterations->calls,
                                                               iterations->n_words, iterations->most_clusters });
    free(durations);
}

/* The smallest cluster with 80 % of a wait state, if it has fewer than half of the iterations. */
static uint32_t
cluster_of(const hd_iteration_series *series, const uint64_t *values)
{
    const hd_clusters *clusters = &series->clusters;
    uint64_t           sums[HD_CLUSTERS_MOST] = { 0 }, all = 0;

    for (uint32_t i = 0; i < series->n && clusters->n > 1; i++) {
        sums[clusters->of[i]] += values[i];
        all += values[i];
    }
    for (uint32_t k = 0; k < clusters->n && all > 0; k++)
        if (sums[k] >= all - all / 5 && 2 * clusters->rows[k].n < series->n)
            return k + 1;
    return 0;
}

static void
gather_clusters(hd_iteration_series *series, hd_analysis_comm *analysis_comm, bool is_rank0)
{
    const hd_iterations *iterations = series->iterations;
    size_t               n_words    = (size_t)series->n * iterations->n_words;

    if (iterations->calls == NULL)
        return;
    hd_analysis_comm_reduce(analysis_comm, iterations->calls, n_words, HD_OR);
    if (!is_rank0)
        return;
    find_clusters(series, iterations);
    for (size_t i = 0; i < series->n_verdicts; i++) {
        hd_metric_verdict *verdict = &series->verdicts[i];

        verdict->verdict.cluster = cluster_of(series, verdict->metric == HD_SERIES_DURATION ? series->longest :
                                                                                    &series->sums[verdict->metric][1]);
    }
}

void
hd_iteration_series_gather(hd_iteration_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes)
{
    bool is_rank0 = hd_analysis_comm_rank(analysis_comm).v == 0;

    if (series->n == 0)
        return;
    gather_slices(series, analysis_comm);
    gather_sums(series, analysis_comm, is_rank0);
    gather_clusters(series, analysis_comm, is_rank0);
    hd_series_gather_packed(&series->rows, analysis_comm, n_processes);
    hd_path_series_gather(&series->path_rows, analysis_comm, n_processes);
    free_sums(series);
    if (!is_rank0)
        hd_iteration_series_fini(series);
}
