/* replay/simulate/sim_latest.h: collective operations in which all wait for the latest, with new times.
 * Uses: sim_state.h, reduction.h. MT: the worker's thread. Ranks: local; items go to other workers.
 */
#ifndef HD_SIM_LATEST_H
#define HD_SIM_LATEST_H

#include "sim_state.h"

void hd_sim_latest_init(hd_sim_worker *sw, hd_worker *worker);
void hd_sim_latest_fini(hd_sim_worker *sw);

/* The member enters at these times; NULL: it does not contribute. With the last one, dependencies get the latest times
 * (hd_sim_arrive()). */
void hd_sim_latest_enter(hd_sim_worker *sw, hd_worker *worker, const hd_sim_member *member, const hd_span *enter);

#endif
