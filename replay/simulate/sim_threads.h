/* replay/simulate/sim_threads.h: the calls of a location that its log of threads has, and what they depend on, with
 * recorded times.
 *
 *   fork ─▶ begin of another thread     barrier ─▶ barrier      release ─▶ acquire of the next owner
 *   end of a thread ─▶ join             creation of a task ─▶ its begin     end of children ─▶ taskwait
 *
 * In front of a begin a thread is idle: it waits for the fork. A barrier in which the thread ran tasks begins when it
 * went on with it. Barriers that lack members have no dependencies, nor has what is in the wrong order in time.
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local. Memory: while the model is made 104 bytes per call.
 */
#ifndef HD_SIM_THREADS_H
#define HD_SIM_THREADS_H

#include "sim_state.h"

/* Reads the logs of threads of a process into the thread_calls of its locations. first: its first location. */
void hd_sim_threads_read(hd_sim_location *first);

/* Adds those to the calls that were left before that call of the op log; NULL: all. i: of the first one. */
void hd_sim_threads_merge(hd_sim_location *location, size_t *i, const hd_call *call);

/* Once the locations of the process have their calls: dependencies and members. Frees thread_calls. */
void hd_sim_threads_connect(hd_sim_worker *sw, hd_sim_location *first);

#endif
