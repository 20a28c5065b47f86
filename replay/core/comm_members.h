/* replay/core/comm_members.h: the processes of an intra-communicator; comm HD_NONE: of all MPI processes.
 * Inside of the replay only. Uses: trace. MT: the worker's thread. Ranks: local. Owner: the worker. Memory: once
 * hd_comm_has() asked, a bit for each process and communicator; where that is more than 1 MiB, the sorted members of
 * communicators without a regular order, 4 bytes each.
 */
#ifndef HD_COMM_MEMBERS_H
#define HD_COMM_MEMBERS_H

#include "vproc.h"

bool     hd_comm_has_far(hd_replay_worker *rh, uint32_t comm, uint32_t process); /* of one not asked for yet */
uint32_t hd_comm_size(const hd_replay_worker *rh, uint32_t comm);
uint32_t hd_comm_member(const hd_replay_worker *rh, uint32_t comm, uint32_t rank); /* HD_NONE: the archive does not have
                                                                                    * it */
/* All of them, in the order of their ranks. members: [hd_comm_size()], out. */
void     hd_comm_read(const hd_replay_worker *rh, uint32_t comm, uint32_t *members);

void     hd_comm_members_fini(hd_replay_worker *rh);

#define HD_MEMBERS_KNOWN (UINT64_C(1) << 63) /* in the last word of a communicator: its bits are there */

static inline bool
hd_comm_has(hd_replay_worker *rh, uint32_t comm, uint32_t process)
{
    const uint64_t *bits;

    if (comm == HD_NONE)
        return true;
    if (HD_LIKELY(rh->member_bits != NULL && process < rh->replay->defs->n_processes)) {
        bits = rh->member_bits + (size_t)comm * rh->member_words;
        if (HD_LIKELY((bits[rh->member_words - 1] & HD_MEMBERS_KNOWN) != 0))
            return (bits[process / 64] >> process % 64 & 1) != 0;
    }
    return hd_comm_has_far(rh, comm, process);
}

#endif
