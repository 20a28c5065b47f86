/* replay/replay_result.c: frees the results. */
#include "replay_result.h"

void
hd_replay_result_fini(hd_replay_result *result)
{
    for (uint32_t i = 0; i < result->n_locations; i++) {
        free(result->locations[i].entries);
        free(result->locations[i].costs);
        free(result->locations[i].window);
        free(result->locations[i].startup);
        free(result->locations[i].startup_costs);
        hd_location_counters_fini(&result->locations[i].counters);
        hd_location_counters_fini(&result->locations[i].startup_counters);
    }
    free(result->locations);
    free(result->causes.rows);
    free(result->pairs.rows);
    hd_cause_lags_fini(&result->lags);
    hd_wait_facts_fini(&result->unfinished);
    hd_wait_statistics_fini(&result->statistics);
    hd_matrix_fini(&result->matrix);
    hd_series_fini(&result->series);
    hd_path_series_fini(&result->path_series);
    hd_iteration_series_fini(&result->iterations);
    hd_path_series_fini(&result->time_paths);
    hd_path_series_fini(&result->iteration_time_paths);
    hd_counter_series_fini(&result->counters);
    hd_counter_series_fini(&result->iteration_counters);
    hd_counter_series_fini(&result->counts);
    hd_counter_series_fini(&result->iteration_counts);
    hd_delay_series_fini(&result->delays);
    hd_file_table_fini(&result->files);
    free(result->threads);
    hd_findings_fini(&result->findings);
    hd_work_table_fini(&result->work);
    *result = (hd_replay_result){ 0 };
}
