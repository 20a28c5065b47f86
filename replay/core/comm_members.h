/* replay/core/comm_members.h: the processes of an intra-communicator; comm HD_NONE: of all MPI processes.
 * Inside of the replay only. Uses: trace. MT: the worker's thread. Ranks: local. Owner: the worker keeps the sorted
 * members of communicators without a regular order, 4 bytes each, once hd_comm_has() asked for them.
 */
#ifndef HD_COMM_MEMBERS_H
#define HD_COMM_MEMBERS_H

#include "vproc.h"

bool     hd_comm_has(hd_replay_worker *rh, uint32_t comm, uint32_t process);
uint32_t hd_comm_size(const hd_replay_worker *rh, uint32_t comm);
uint32_t hd_comm_member(const hd_replay_worker *rh, uint32_t comm, uint32_t rank); /* HD_NONE: the archive does not have
                                                                                    * it */
/* All of them, in the order of their ranks. members: [hd_comm_size()], out. */
void     hd_comm_read(const hd_replay_worker *rh, uint32_t comm, uint32_t *members);

void     hd_comm_members_fini(hd_replay_worker *rh);

#endif
