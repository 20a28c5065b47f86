/* replay/clock/clock_incomplete.c: counts the collective operations of each communicator at one worker, its home. An
 * instance that lacks a member would block the others for ever, so these are excluded before the events are passed. */
#include "clock_incomplete.h"

#include "comm_group.h"

typedef struct clock_count_item {
    uint32_t comm, is_nbc;
    uint32_t n, unused; /* collectives of a process, or those that are complete */
} clock_count_item;

_Static_assert(sizeof(clock_count_item) % 8 == 0, "items are whole words");

void
hd_clock_incomplete_fini(hd_clock_incomplete *incomplete)
{
    hd_map_fini(&incomplete->counts_at);
    free(incomplete->counts);
}

bool
hd_clock_is_alone(const hd_defs *defs, uint32_t comm)
{
    const hd_comm *c = comm < defs->n_comms ? &hd_defs_comms(defs)[comm] : NULL;

    if (c == NULL)
        return defs->n_mpi_processes <= 1;
    return hd_defs_groups(defs)[c->group_a].self || (c->group_b == HD_NONE && hd_defs_groups(defs)[c->group_a].n <= 1);
}

static uint64_t
key_of(uint32_t comm, bool is_nbc)
{
    return (uint64_t)comm << 1 | is_nbc;
}

/* The worker of the first member that is in the archive. */
static uint32_t
home_of(const hd_clock_worker *ch, uint32_t comm)
{
    const hd_defs       *defs  = ch->replay->defs;
    const hd_comm_group *group = comm < defs->n_comms ? &hd_defs_groups(defs)[hd_defs_comms(defs)[comm].group_a] : NULL;
    uint32_t             first = group == NULL ? 0 : HD_NONE;

    for (uint32_t i = 0; group != NULL && i < group->n && first == HD_NONE; i++)
        first = hd_comm_group_member(defs, group, i);
    return hd_placement_worker(ch->replay->request->placement, (hd_process){ first != HD_NONE ? first : 0 });
}

static void
count_process(hd_clock_incomplete *incomplete, const clock_count_item *item)
{
    bool            is_new;
    uint64_t       *place = hd_map_add(&incomplete->counts_at, key_of(item->comm, item->is_nbc != 0), &is_new);
    hd_clock_count *count;

    if (is_new) {
        *place = incomplete->n_counts;
        HD_PUSH(incomplete->counts, incomplete->n_counts, incomplete->capacity_counts,
                ((hd_clock_count){ .comm = item->comm, .is_nbc = item->is_nbc != 0, .min_n = item->n,
                                   .max_n = item->n }));
    }
    count = &incomplete->counts[*place];
    count->n_processes++;
    count->min_n = count->min_n < item->n ? count->min_n : item->n;
    count->max_n = count->max_n > item->n ? count->max_n : item->n;
}

void
hd_clock_incomplete_announce(hd_clock_incomplete *incomplete, const hd_clock_worker *ch, hd_worker *worker,
                             const hd_clock_process *process)
{
    hd_map n_of_comm = { 0 }; /* key_of() -> collectives of the process */

    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t i = 0; i < process->logs[t].n_collectives; i++) {
            const hd_clock_collective *collective = &process->logs[t].collectives[i];
            bool                       is_new;

            if (!hd_clock_is_alone(ch->replay->defs, collective->comm))
                ++*hd_map_add(&n_of_comm, key_of(collective->comm, collective->is_nbc), &is_new);
        }
    for (uint32_t i = 0; n_of_comm.slots != NULL && i <= n_of_comm.mask; i++) {
        uint64_t         key  = n_of_comm.slots[i].key;
        clock_count_item item = { .comm = (uint32_t)(key >> 1), .is_nbc = key & 1,
                                  .n = (uint32_t)n_of_comm.slots[i].value };
        uint32_t         home;

        if (key == HD_MAP_FREE)
            continue;
        home = home_of(ch, item.comm);
        if (home == hd_worker_number(worker))
            count_process(incomplete, &item);
        else
            hd_worker_send(worker, home, HD_CLOCK_ITEM_COUNT, &item, sizeof item, NULL, 0);
    }
    hd_map_fini(&n_of_comm);
}

static void
set_limit(hd_reduction *reduction, const clock_count_item *item)
{
    hd_reduction_comm_of(reduction, item->comm, item->is_nbc != 0)->limit = item->n;
}

static void
notify_workers(const hd_clock_worker *ch, hd_worker *worker, hd_reduction *reduction, const clock_count_item *item,
               const uint32_t *members, uint32_t n)
{
    const hd_placement *placement   = ch->replay->request->placement;
    bool               *is_notified = HD_NEW_ARRAY(bool, hd_placement_n_workers(placement));

    for (uint32_t m = 0; m < n; m++) {
        uint32_t to = members[m] != HD_NONE ? hd_placement_worker(placement, (hd_process){ members[m] }) : HD_NONE;

        if (to == HD_NONE || is_notified[to])
            continue;
        is_notified[to] = true;
        if (to == hd_worker_number(worker))
            set_limit(reduction, item);
        else
            hd_worker_send(worker, to, HD_CLOCK_ITEM_INCOMPLETE, item, sizeof *item, NULL, 0);
    }
    free(is_notified);
}

void
hd_clock_incomplete_notify(const hd_clock_incomplete *incomplete, const hd_clock_worker *ch, hd_worker *worker,
                           hd_reduction *reduction)
{
    for (size_t i = 0; i < incomplete->n_counts; i++) {
        const hd_clock_count *count = &incomplete->counts[i];
        uint32_t              n, n_there = 0, *members = hd_reduction_members(ch->replay->defs, count->comm, &n);
        clock_count_item      item  = { .comm = count->comm, .is_nbc = count->is_nbc };

        for (uint32_t m = 0; m < n; m++)
            n_there += members[m] != HD_NONE;
        item.n = count->n_processes < n_there ? 0 : count->min_n;
        if (item.n < count->max_n)
            notify_workers(ch, worker, reduction, &item, members, n);
        free(members);
    }
}

void
hd_clock_incomplete_deliver(hd_clock_incomplete *incomplete, hd_reduction *reduction, uint32_t kind,
                            const void *data)
{
    if (kind == HD_CLOCK_ITEM_COUNT)
        count_process(incomplete, data);
    else
        set_limit(reduction, data);
}
