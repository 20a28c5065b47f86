/* openmp-patterns/lock.h: waiting for locks that another thread of the process holds. Private to the component.
 * Definitions: docs/metrics.md#lock-contention. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_LOCK_H
#define HD_LOCK_H

#include "pattern.h"

/* severities: [process->n_locations], call paths of each location. sink: gets the waits, and the releases that were
 * waited for; NULL: not wanted. waits: the same for instances. series: NULL: not
 * wanted. */
void hd_lock_book(const hd_loaded_process *process, hd_severities *const *severities, hd_wait_series *series,
                  const hd_team_sink *sink, const hd_wait_sink *waits);

#endif
