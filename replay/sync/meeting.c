#include "meeting.h"

#include "comm_members.h"

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
