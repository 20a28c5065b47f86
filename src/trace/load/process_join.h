/* src/trace/load/process_join.h: what the locations of one process have to settle once all of them are loaded. Inside
 * of load only.
 * Uses: decode. MT: one thread per process. Ranks: local.
 */
#ifndef HD_PROCESS_JOIN_H
#define HD_PROCESS_JOIN_H

#include "location_join.h"
#include "trace.h"

/* Puts the tasks together that moved between threads; makes the process's tree of call paths and the maps into it;
 * settles requests that one thread started and another completed; numbers operations in their channels
 * (channel_numbers.h).
 *   joins   [process->n_locations]
 *   compat  --compat=scout26
 * Cost: linear in call paths and requests under way, and that of channel_numbers.h. */
void hd_process_join(hd_loaded_process *process, hd_location_join *joins, const hd_defs *defs, bool compat,
                     hd_findings *findings);

#endif
