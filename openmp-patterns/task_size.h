/* openmp-patterns/task_size.h: how large tasks are, what switching them takes, waiting for them. Private to the
 * component.
 * Definitions: docs/metrics.md#openmp-tasks. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_TASK_SIZE_H
#define HD_TASK_SIZE_H

#include "pattern.h"

/* severities: [process->n_locations], call paths of each location. resolution: [ticks per second]. */
void hd_task_size_book(const hd_loaded_process *process, hd_severities *const *severities, uint64_t resolution);

#endif
