/* openmp-patterns/task_size.h: how large tasks are, what switching them takes, waiting for them. Private to the
 * component.
 * Definitions: docs/metrics.md#openmp-tasks. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_TASK_SIZE_H
#define HD_TASK_SIZE_H

#include "pattern.h"

/* op: a task or taskwait. out: of the thread. resolution: [ticks per second]. */
void hd_task_size_book(const hd_thread_op *op, hd_severities *out, uint64_t resolution);

#endif
