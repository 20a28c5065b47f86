/* replay/simulate/sim_nbc.h: whether a non-blocking collective operation goes on outside of MPI, learned of the archive.
 *
 *   member    [Iallreduce]····work····[Wait]        the operation needs several messages one after the other: if the
 *   waiter    [Iallreduce]·[Wait ·················]  library moves them in calls of MPI only, the waiter cannot leave
 *                                                   before the member is in the next one
 *
 * Evidence are calls that complete an operation and were entered before those that they wait for were in MPI again: how
 * many, and of them those left before. With 4 or more, and less than a tenth left before, operations of that kind
 * depend on the next call of MPI after the one that starts them; otherwise on the latter.
 * Inside of the component only. Uses: sim_state.h. MT: the worker's thread; learn: main thread only. Memory: 40 bytes per
 * member, and per dependency, of a non-blocking operation while the model is made.
 */
#ifndef HD_SIM_NBC_H
#define HD_SIM_NBC_H

#include "sim_state.h"

/* The call of MPI after the one that starts the operation; that one itself, if there is none. */
uint32_t hd_sim_nbc_next(const hd_sim_location *location, uint32_t call);

/* The last member of the location contributes to an operation of that kind; next_call: of the location. */
void hd_sim_nbc_member(hd_sim_worker *sw, hd_sim_location *location, uint32_t operation, uint32_t next_call);
/* The last dependency of the location is on a member, or on all: HD_NONE, in MPI again with next_call, at next_enter. */
void hd_sim_nbc_wait(hd_sim_worker *sw, hd_sim_location *location, hd_time next_enter, uint32_t next_call);

/* Ranks: all, together. */
void hd_sim_nbc_learn(hd_sim *sim);
/* Before dependencies are linked. Ranks: local. */
void hd_sim_nbc_settle(hd_sim_worker *sw);

#endif
