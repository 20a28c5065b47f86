/* openmp-patterns/team.h: the teams of one process: time to fork and join, waiting at barriers. Private to the
 * component.
 * Definitions: docs/metrics.md#thread-management, #openmp-barriers. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_TEAM_H
#define HD_TEAM_H

#include "pattern.h"

/* severities: [process->n_locations], call paths of each location. n_threads: of the process; 0: there are no idle
 * threads. series, sink, waits: see hd_process_patterns. */
void hd_team_book(const hd_loaded_process *process, hd_severities *const *severities, uint32_t n_threads,
                  hd_wait_series *series, const hd_team_sink *sink, const hd_wait_sink *waits);

#endif
