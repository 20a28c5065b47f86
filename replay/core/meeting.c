#include "meeting.h"

#include "comm_group.h"

enum { FEW_RUNS = 4 }; /* of a communicator that are gone through one by one */

static const hd_comm_group *
group_of(const hd_replay_host *rh, uint32_t comm)
{
    return &hd_defs_groups(rh->replay->defs)[hd_defs_comms(rh->replay->defs)[comm].group_a];
}

uint32_t
hd_comm_size(const hd_replay_host *rh, uint32_t comm)
{
    return comm == HD_NONE ? rh->replay->defs->n_mpi_processes : group_of(rh, comm)->n;
}

uint32_t
hd_comm_member(const hd_replay_host *rh, uint32_t comm, uint32_t rank)
{
    return comm == HD_NONE ? rank : hd_comm_group_member(rh->replay->defs, group_of(rh, comm), rank);
}

static int
compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Members of a group without a regular order, ascending; made when they are first asked for. */
static const uint32_t *
sorted_members(hd_replay_host *rh, uint32_t comm)
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
hd_comm_has(hd_replay_host *rh, uint32_t comm, uint32_t process)
{
    const hd_comm_group *group;

    if (comm == HD_NONE)
        return true;
    group = group_of(rh, comm);
    if (group->n_runs > 0 && group->n_runs <= FEW_RUNS)
        return hd_comm_group_rank(rh->replay->defs, group, process) != HD_NONE;
    return group->n > 0 && bsearch(&process, sorted_members(rh, comm), group->n, sizeof process, compare_numbers) != NULL;
}

void
hd_meetings_fini(hd_meetings *meetings)
{
    hd_map_fini(&meetings->pairs);
    free(meetings->groups);
    hd_map_fini(&meetings->of_comm);
}

void
hd_meetings_add(hd_meetings *meetings, uint32_t process, uint32_t sync)
{
    bool is_new;

    *hd_map_add(&meetings->pairs, process, &is_new) = sync;
}

static void
drop_covered(hd_meetings *meetings)
{
    size_t n = 0;
    bool   is_new;

    for (size_t i = 0; i < meetings->n; i++)
        if (meetings->groups[i].sync != 0) {
            meetings->groups[n] = meetings->groups[i];
            if (meetings->groups[n].comm != HD_NONE && meetings->groups[n].list == HD_NONE)
                *hd_map_add(&meetings->of_comm, meetings->groups[n].comm, &is_new) = n;
            n++;
        }
    meetings->n         = n;
    meetings->n_covered = 0;
}

void
hd_meetings_add_group(hd_meetings *meetings, hd_meeting meeting)
{
    bool      is_new;
    uint64_t *place;

    if (meeting.comm == HD_NONE) { /* with all: it covers everything */
        meetings->n = meetings->n_covered = 0;
        hd_map_fini(&meetings->of_comm);
    } else if (meeting.list == HD_NONE) {
        place = hd_map_add(&meetings->of_comm, meeting.comm, &is_new);
        if (!is_new) {
            meetings->groups[*place].sync = 0;
            meetings->n_covered++;
        }
        *place = meetings->n;
    }
    HD_PUSH(meetings->groups, meetings->n, meetings->capacity, meeting);
    if (meetings->n_covered > 16 && meetings->n_covered > meetings->n / 2)
        drop_covered(meetings);
}

static bool
list_has(const hd_process_list *list, uint32_t process)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->processes[i] == process)
            return true;
    return false;
}

uint32_t
hd_meetings_latest(const hd_meetings *meetings, uint32_t process)
{
    const uint64_t *pair   = hd_map_get(&meetings->pairs, process);
    uint32_t        latest = pair != NULL ? (uint32_t)*pair : 0;

    for (size_t i = meetings->n; i > 0; i--) {
        const hd_meeting *meeting = &meetings->groups[i - 1];

        if (meeting->sync == 0)
            continue;
        if (meeting->sync <= latest)
            break;
        if (meeting->list == HD_NONE ? hd_comm_has(meetings->rh, meeting->comm, process)
                                     : list_has(meetings->rh->lists[meeting->list], process))
            return meeting->sync;
    }
    return latest;
}
