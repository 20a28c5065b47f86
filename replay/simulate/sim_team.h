/* replay/simulate/sim_team.h: what the threads of a process do together, with new times: barriers of a team, the end of
 * a team. Those that wait get the latest times of those that contribute. All of them are on one worker.
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local. Memory: 80 bytes for each that some but not all members are
 * at, 24 per thread that waits there.
 */
#ifndef HD_SIM_TEAM_H
#define HD_SIM_TEAM_H

#include "sim_state.h"

void hd_sim_team_init(hd_sim_worker *sw);
void hd_sim_team_fini(hd_sim_worker *sw);

/* The member of the location is there. With the last one that contributes, dependencies get the latest
 * times (hd_sim_arrive()). */
void hd_sim_team_enter(hd_sim_worker *sw, hd_worker *worker, const hd_sim_location *location,
                       const hd_sim_member *member, const hd_span *enter);

#endif
