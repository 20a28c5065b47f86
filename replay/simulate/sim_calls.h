/* replay/simulate/sim_calls.h: the calls of a location as the simulation keeps them.
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_SIM_CALLS_H
#define HD_SIM_CALLS_H

#include "sim_state.h"

/* Reads the op log, with the thread_calls between its calls: calls, polled waits, posts of receives, and which call
 * each hd_send_call is. */
void hd_sim_calls_read(hd_sim_location *location, bool counts_records);

/* The location's cursor goes to the call of that number, from the one before. */
void hd_sim_cursor_next(hd_sim_location *location);

/* The first call of the op log that was left after that time; HD_NONE: there is none. While the model is made. */
uint32_t hd_sim_call_after(hd_sim_location *location, hd_time time);

#endif
