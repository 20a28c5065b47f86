/* scheduler/termination.h: the end of a run.
 *
 * Termination detection with four counters: F. Mattern, Algorithms for distributed termination detection, Distributed
 * Computing 2 (1987).
 * Uses: engine_state, transport. MT: main thread only, while running. Ranks: local, never waits; all ranks call it
 * until engine->over.
 */
#ifndef HD_TERMINATION_H
#define HD_TERMINATION_H

#include "engine_state.h"

/* Whether all workers of the rank wait for messages and none is under way in it: nothing can happen here without a
 * message from another rank. MT: main thread. */
bool hd_termination_is_quiescent(const hd_engine *engine);

/* Sums up the batches sent and received of all ranks, again and again while this rank has no work; sets engine->over
 * when nothing is under way any more. */
void hd_termination_detect(hd_engine *engine);

/* If this rank was asked to stop: sets engine->stopped and notifies the other ranks, once. A rank without work must not
 * call it while engine->summing: the sum could be the one that ends the run. */
void hd_termination_spread_stop(hd_engine *engine);

/* Whether any rank was asked to stop, as far as this one knows. MT: any thread. */
static inline bool
hd_termination_is_stopped(const hd_engine *engine)
{
    return atomic_load_explicit(&engine->stopped, memory_order_relaxed);
}

#endif
