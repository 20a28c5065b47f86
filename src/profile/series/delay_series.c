/* src/profile/series/delay_series.c: both kinds of rows of the same entries. */
#include "delay_series.h"

void
hd_delay_track_init(hd_delay_track *track, uint32_t n_slices)
{
    *track = (hd_delay_track){ .of_processes = { .n = 0 } };
    hd_path_series_init(&track->of_paths, n_slices);
}

void
hd_delay_track_add(hd_delay_track *track, const hd_severity *entries, size_t n, uint32_t process, uint32_t n_processes)
{
    for (size_t i = 0; i < n; i++)
        *hd_series_sum(&track->of_processes, entries[i].metric, hd_series_slice(&entries[i])) += entries[i].value;
    hd_series_end(&track->of_processes, process, n_processes);
    hd_path_series_add(&track->of_paths, entries, n, process, n_processes);
}

void
hd_delay_track_join(hd_delay_track *track, hd_delay_track *more, uint32_t n_processes)
{
    hd_series_join(&track->of_processes, &more->of_processes, n_processes);
    hd_path_series_join(&track->of_paths, &more->of_paths, n_processes);
}

void
hd_delay_series_gather(hd_delay_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes)
{
    for (uint32_t k = 0; k < series->n_tracks; k++) {
        hd_series_gather_packed(&series->tracks[k].of_processes, analysis_comm, n_processes);
        hd_path_series_gather(&series->tracks[k].of_paths, analysis_comm, n_processes);
    }
}

void
hd_delay_series_fini(hd_delay_series *series)
{
    for (uint32_t k = 0; k < series->n_tracks; k++) {
        hd_series_fini(&series->tracks[k].of_processes);
        hd_path_series_fini(&series->tracks[k].of_paths);
    }
    hd_path_fold_fini(&series->fold);
    *series = (hd_delay_series){ .n_tracks = 0 };
}
