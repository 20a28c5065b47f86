/* replay/simulate/sim_calls.h: the calls of a location as the simulation keeps them.
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_SIM_CALLS_H
#define HD_SIM_CALLS_H

#include "sim_state.h"

/* Reads the op log, with the thread_calls between its calls: calls, polled waits, receives and their posts, which call
 * each hd_send_call is, and the records that are exchanged. */
void hd_sim_calls_read(hd_sim_worker *sw, hd_sim_location *location);

#endif
