/* src/profile/counters/counter_series.c: both kinds of rows of the same entries. */
#include "counter_series.h"

#define MOST (INT64_C(1) << 52) /* of a process in a slice; more is damage */

void
hd_counter_series_init(hd_counter_series *series, uint32_t n_slices)
{
    *series = (hd_counter_series){ .of_processes = { .n = 0 } };
    hd_path_series_init(&series->of_paths, n_slices);
}

void
hd_counter_series_add(hd_counter_series *series, const hd_severity *entries, size_t n, uint32_t process,
                      uint32_t n_processes)
{
    for (size_t i = 0; i < n; i++) {
        int64_t *sum = hd_series_sum(&series->of_processes, entries[i].metric, hd_series_slice(&entries[i]));

        *sum = *sum + entries[i].value < MOST ? *sum + entries[i].value : MOST;
    }
    hd_series_end(&series->of_processes, process, n_processes);
    hd_path_series_add(&series->of_paths, entries, n, process, n_processes);
}

void
hd_counter_series_join(hd_counter_series *series, hd_counter_series *more, uint32_t n_processes)
{
    hd_series_join(&series->of_processes, &more->of_processes, n_processes);
    hd_path_series_join(&series->of_paths, &more->of_paths, n_processes);
}

void
hd_counter_series_gather(hd_counter_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes)
{
    hd_series_gather(&series->of_processes, analysis_comm, n_processes);
    hd_path_series_gather(&series->of_paths, analysis_comm, n_processes);
}

void
hd_counter_series_fini(hd_counter_series *series)
{
    free(series->of_processes.rows);
    hd_path_series_fini(&series->of_paths);
}
