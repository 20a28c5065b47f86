#include "clock_window.h"

#include <otf2/otf2.h>

#include "comm_group.h"

static int
compare_accesses(const void *a_, const void *b_)
{
    const hd_clock_access *a = a_, *b = b_;

    if (a->window != b->window)
        return a->window < b->window ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* Each target once. */
static void
sort_accesses(hd_clock_reading *r)
{
    size_t n = 0;

    if (r->n_accesses > 1)
        qsort(r->accesses, r->n_accesses, sizeof *r->accesses, compare_accesses);
    for (size_t i = 0; i < r->n_accesses; i++)
        if (n > 0 && r->accesses[n - 1].window == r->accesses[i].window &&
            r->accesses[n - 1].target == r->accesses[i].target)
            r->accesses[n - 1] = r->accesses[i];
        else
            r->accesses[n++] = r->accesses[i];
    r->n_accesses = n;
}

/* Those of a window become the targets of the current fence. */
static void
take_targets(hd_clock_reading *r, uint32_t window)
{
    size_t n = 0;

    sort_accesses(r);
    for (size_t i = 0; i < r->n_accesses; i++)
        if (r->accesses[i].window == window)
            HD_SCRATCH_PUSH(r->scratch, r->log->targets, r->log->n_targets, r->log->capacity_targets,
                            ((hd_clock_target){ r->accesses[i].target, r->accesses[i].point }));
        else
            r->accesses[n++] = r->accesses[i];
    r->n_accesses = n;
}

void
hd_clock_end_at_window(hd_clock_reading *r, uint32_t window)
{
    static const uint8_t operations[] = { [HD_CALL_WIN_CREATE] = HD_OPERATION_WIN_CREATE,
                                          [HD_CALL_WIN_FREE] = HD_OPERATION_WIN_FREE,
                                          [HD_CALL_WIN_FENCE] = HD_OPERATION_WIN_FENCE,
                                          [HD_CALL_SHMEM_BARRIER] = HD_OPERATION_SHMEM_BARRIER,
                                          [HD_CALL_SHMEM_EXCHANGE] = HD_OPERATION_SHMEM_EXCHANGE };
    size_t        begin = r->begin, first = r->log->n_targets;
    hd_call_group call  = hd_clock_call_of(r);
    uint32_t      own   = call < sizeof operations && operations[call] != 0 ? operations[call] : HD_OPERATION_OTHER;

    r->begin = 0;
    if (window != HD_NONE)
        take_targets(r, window);
    hd_clock_end_collective(r, begin, HD_CHANNEL_COLL, window,
                            &(hd_clock_collective){ .operation = own, .root = OTF2_COLLECTIVE_ROOT_NONE,
                                                    .first_target = first,
                                                    .n_targets = (uint32_t)(r->log->n_targets - first) });
}

static bool
has_target(const hd_clock_reading *r, uint32_t window, uint32_t target)
{
    uint32_t group = hd_defs_comms(r->defs)[window].group_a;

    return group != HD_NONE && target < hd_defs_groups(r->defs)[group].n;
}

void
hd_clock_pass_access(hd_clock_reading *r, uint32_t window, uint32_t target)
{
    size_t point = hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false);

    if (window == HD_NONE || !has_target(r, window, target))
        return;
    if (r->n_accesses > 0 && r->accesses[r->n_accesses - 1].window == window &&
        r->accesses[r->n_accesses - 1].target == target) {
        r->accesses[r->n_accesses - 1].point = point;
        return;
    }
    if (r->n_accesses == r->capacity_accesses && r->n_accesses > 0) {
        sort_accesses(r);
        if (r->n_accesses > r->capacity_accesses / 2) { /* or every few accesses would sort all */
            r->capacity_accesses *= 2;
            r->accesses = hd_realloc(r->accesses, r->capacity_accesses, sizeof *r->accesses);
        }
    }
    HD_PUSH(r->accesses, r->n_accesses, r->capacity_accesses, ((hd_clock_access){ window, target, point }));
}

/* The channel of the notifications of a process of the group; HD_NONE: it is not at the window. */
static uint32_t
notification_channel(hd_clock_reading *r, hd_channel_kind kind, uint32_t window, const hd_comm_group *group, uint32_t i,
                     uint32_t tag)
{
    const hd_defs       *defs    = r->defs;
    const hd_comm_group *all     = &hd_defs_groups(defs)[hd_defs_comms(defs)[window].group_a];
    uint32_t             process = group->self ? r->channels.process : hd_comm_group_member(defs, group, i);
    uint32_t             rank    = all->self ? 0 : process != HD_NONE ? hd_comm_group_rank(defs, all, process) :
                                   HD_NONE;

    return rank != HD_NONE ? hd_channel_table_number(&r->channels, kind, window, rank, tag) : HD_NONE;
}

/* Notifications to a group: points of one record. */
static bool
send_notifications(hd_clock_reading *r, uint32_t window, const hd_comm_group *group, uint32_t tag)
{
    bool is_same = false;

    for (uint32_t i = 0; i < group->n; i++) {
        uint32_t channel = notification_channel(r, HD_CHANNEL_SEND, window, group, i, tag);

        if (channel == HD_NONE)
            continue;
        hd_clock_add_point(r, HD_CLOCK_SEND, channel, is_same);
        is_same = true;
    }
    return is_same;
}

static void
receive_notifications(hd_clock_reading *r, uint32_t window, const hd_comm_group *group, uint32_t tag)
{
    for (uint32_t i = 0; i < group->n; i++) {
        uint32_t channel = notification_channel(r, HD_CHANNEL_RECV, window, group, i, tag);

        if (channel != HD_NONE)
            HD_PUSH(r->taken, r->n_taken, r->capacity_taken, channel);
    }
}

/* The record of MPI_Win_complete stands at its end: notifications went out since its begin, which is the point before,
 * mostly. */
static bool
send_from_begin(hd_clock_reading *r, uint32_t window, const hd_comm_group *group)
{
    hd_time now = r->now;
    bool    is_before = r->epoch_begin > 0 && r->epoch_begin + 1 == r->log->n, any;

    if (is_before)
        r->now = r->log->points[--r->log->n].time;
    any = send_notifications(r, window, group, HD_TAG_COMPLETE);
    if (is_before && !any)
        hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    r->now = now;
    return any && !is_before;
}

void
hd_clock_pass_group(hd_clock_reading *r, uint32_t window, uint32_t number, bool is_done)
{
    hd_call_group call    = hd_clock_call_of(r);
    bool          is_sent = false;

    if (window != HD_NONE && number != HD_NONE && hd_defs_comms(r->defs)[window].group_a != HD_NONE) {
        const hd_comm_group *group = &hd_defs_groups(r->defs)[number];

        if (call == HD_CALL_WIN_POST)
            is_sent = send_notifications(r, window, group, HD_TAG_POST);
        else if (call == HD_CALL_WIN_COMPLETE) {
            is_sent = send_from_begin(r, window, group);
            receive_notifications(r, window, group, HD_TAG_POST);
        } else if (call == HD_CALL_WIN_WAIT || (call == HD_CALL_WIN_TEST && is_done))
            receive_notifications(r, window, group, HD_TAG_COMPLETE);
    }
    if (!is_sent)
        hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
}
