/* src/profile/iteration_calls.h: which call paths each iteration has.
 *
 * A call that communicates belongs to the iteration in which it begins, on the thread that has the iterations.
 * Uses: iterations, trace. MT: one thread at a time for a location; several locations at the same time. Ranks: local.
 * Memory, meanwhile: 4 bytes per call path of the location, a bit per call path of an interface.
 */
#ifndef HD_ITERATION_CALLS_H
#define HD_ITERATION_CALLS_H

#include "iterations.h"

/* Those of the calls of a location up to this head of its op log. Nothing where they are not wanted, or it has no
 * iterations. map: call path of the process -> of the tree. */
void hd_iteration_calls_put(const hd_iterations *iterations, const hd_process_iterations *of,
                            const hd_loaded_process *process, uint32_t thread, const uint32_t *map,
                            const uint16_t *end);

#endif
