/* src/trace/defs/comm_group.h: the members of a communicator.
 *
 * Members that are equally spaced in the order of the ranks (the world, rows, columns, planes and blocks of a grid) are
 * a run of 12 bytes, however many they are; a group whose runs would need more room than its list keeps the list, 4
 * bytes for each member. Both live in hd_defs_members(). The group of MPI_COMM_SELF has none: no function is for it.
 * Uses: base. Owner: the definitions.
 * MT: any thread, read only. Ranks: local. Errors: none; that there is no such rank is not checked.
 */
#ifndef HD_COMM_GROUP_H
#define HD_COMM_GROUP_H

#include "defs.h"

/* Writes n members (processes, or HD_NONE) to *to, which has room for n numbers, as runs or as a list; sets n and
 * n_runs of *group. Returns how many numbers it took. */
uint32_t hd_comm_group_write(hd_comm_group *group, uint32_t *to, const uint32_t *members, uint32_t n);

/* All members, in the order of their ranks. members: [group->n], out. */
void hd_comm_group_read(const hd_defs *defs, const hd_comm_group *group, uint32_t *members);

/* The process with this rank, < group->n; HD_NONE: one that the archive does not have. Cost: O(log runs). */
uint32_t hd_comm_group_member(const hd_defs *defs, const hd_comm_group *group, uint32_t rank);

/* The rank of a process; HD_NONE: it is no member. Cost: O(runs), or O(members) of a list. */
uint32_t hd_comm_group_rank(const hd_defs *defs, const hd_comm_group *group, uint32_t process);

/* Whether a communicator has one member. comm: index in the definitions, one of processes. */
static inline bool
hd_comm_is_alone(const hd_defs *defs, uint32_t comm)
{
    const hd_comm *c = &hd_defs_comms(defs)[comm];

    return c->group_b == HD_NONE && hd_defs_groups(defs)[c->group_a].n <= 1;
}

#endif
