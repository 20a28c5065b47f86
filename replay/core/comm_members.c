/* replay/core/comm_members.c: members of communicators. Most have a regular order, which needs no memory; of the
 * others a sorted copy is made when membership is asked for the first time. */
#include "comm_members.h"

#include "comm_group.h"

enum {
    FEW_RUNS      = 4,      /* of a communicator that are gone through one by one */
    BIT_WORDS_MAX = 1 << 17 /* of all communicators */
};

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

static bool
find_member(hd_replay_worker *rh, uint32_t comm, uint32_t process)
{
    const hd_comm_group *group = group_of(rh, comm);

    if (group->n_runs > 0 && group->n_runs <= FEW_RUNS)
        return hd_comm_group_rank(rh->replay->defs, group, process) != HD_NONE;
    return group->n > 0 &&
           bsearch(&process, sorted_members(rh, comm), group->n, sizeof process, compare_numbers) != NULL;
}

/* Those of a communicator. Its last word has room for HD_MEMBERS_KNOWN. */
static void
set_bits(hd_replay_worker *rh, uint32_t comm)
{
    uint64_t *bits    = rh->member_bits + (size_t)comm * rh->member_words;
    uint32_t  n       = hd_comm_size(rh, comm);
    uint32_t *members = HD_NEW_UNSET(uint32_t, n);

    hd_comm_read(rh, comm, members);
    for (uint32_t i = 0; i < n; i++)
        if (members[i] != HD_NONE)
            bits[members[i] / 64] |= UINT64_C(1) << members[i] % 64;
    bits[rh->member_words - 1] |= HD_MEMBERS_KNOWN;
    free(members);
}

bool
hd_comm_has_far(hd_replay_worker *rh, uint32_t comm, uint32_t process)
{
    const hd_defs *defs    = rh->replay->defs;
    uint32_t       n_words = defs->n_processes / 64 + 1;

    if (process >= defs->n_processes || defs->n_comms > BIT_WORDS_MAX / n_words)
        return find_member(rh, comm, process);
    if (rh->member_bits == NULL) {
        rh->member_words = n_words;
        rh->member_bits  = HD_NEW_ARRAY(uint64_t, (size_t)defs->n_comms * n_words);
    }
    set_bits(rh, comm);
    return hd_comm_has(rh, comm, process);
}

void
hd_comm_members_fini(hd_replay_worker *rh)
{
    for (uint32_t i = 0; rh->sorted_members.slots != NULL && i <= rh->sorted_members.mask; i++)
        if (rh->sorted_members.slots[i].key != HD_MAP_FREE)
            free((void *)(uintptr_t)rh->sorted_members.slots[i].value);
    hd_map_fini(&rh->sorted_members);
    free(rh->member_bits);
}
