/* replay/simulate/sim_link.h: dependencies are put in order, and the calls that they depend on learn of them.
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local; items go to other workers.
 */
#ifndef HD_SIM_LINK_H
#define HD_SIM_LINK_H

#include "sim_state.h"

/* All dependencies of the location are there: they get their numbers, and notices go to where they lead. */
void hd_sim_link(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
void hd_sim_notice_deliver(hd_sim_worker *sw, const void *data);

/* All notices of the locations of a process are there. first: its first location. */
void hd_sim_link_process(hd_sim_location *first);

#endif
