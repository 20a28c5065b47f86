/* replay/core/comm_members.c: members of communicators. Most have a regular order, which needs no memory; of the
 * others a sorted copy is made when membership is asked for the first time. */
#include "comm_members.h"

#include "comm_group.h"

enum { FEW_RUNS = 4 }; /* of a communicator that are gone through one by one */

static const hd_comm_group *
group_of(const hd_replay_worker *rh, uint32_t comm)
{
    return &hd_defs_groups(rh->replay->defs)[hd_defs_comms(rh->replay->defs)[comm].group_a];
}

uint32_t
hd_comm_size(const hd_replay_worker *rh, uint32_t comm)
{
    return comm == HD_NONE ? rh->replay->defs->n_mpi_processes : group_of(rh, comm)->n;
}

uint32_t
hd_comm_member(const hd_replay_worker *rh, uint32_t comm, uint32_t rank)
{
    return comm == HD_NONE ? rank : hd_comm_group_member(rh->replay->defs, group_of(rh, comm), rank);
}

void
hd_comm_read(const hd_replay_worker *rh, uint32_t comm, uint32_t *members)
{
    if (comm != HD_NONE)
        hd_comm_group_read(rh->replay->defs, group_of(rh, comm), members);
    for (uint32_t i = 0; comm == HD_NONE && i < rh->replay->defs->n_mpi_processes; i++)
        members[i] = i;
}

static int
compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Members of a group without a regular order, ascending; made when they are first asked for. */
static const uint32_t *
sorted_members(hd_replay_worker *rh, uint32_t comm)
{
    const hd_comm_group *group = group_of(rh, comm);
    bool                 is_new;
    uint64_t            *place = hd_map_add(&rh->sorted_members, comm, &is_new);
    uint32_t            *sorted;

    if (is_new) {
        sorted = HD_NEW_ARRAY(uint32_t, group->n);
        if (group->n > 0) {
            hd_comm_group_read(rh->replay->defs, group, sorted);
            qsort(sorted, group->n, sizeof *sorted, compare_numbers);
        }
        *place = (uint64_t)(uintptr_t)sorted;
    }
    return (const uint32_t *)(uintptr_t)*place;
}

bool
hd_comm_has(hd_replay_worker *rh, uint32_t comm, uint32_t process)
{
    const hd_comm_group *group;

    if (comm == HD_NONE)
        return true;
    group = group_of(rh, comm);
    if (group->n_runs > 0 && group->n_runs <= FEW_RUNS)
        return hd_comm_group_rank(rh->replay->defs, group, process) != HD_NONE;
    return group->n > 0 &&
           bsearch(&process, sorted_members(rh, comm), group->n, sizeof process, compare_numbers) != NULL;
}

void
hd_comm_members_fini(hd_replay_worker *rh)
{
    for (uint32_t i = 0; rh->sorted_members.slots != NULL && i <= rh->sorted_members.mask; i++)
        if (rh->sorted_members.slots[i].key != HD_MAP_FREE)
            free((void *)(uintptr_t)rh->sorted_members.slots[i].value);
    hd_map_fini(&rh->sorted_members);
}
