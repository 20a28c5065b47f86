/* replay/simulate/sim_link.c: both ends of each dependency, sorted by their calls. */
#include "sim_link.h"

#include "sim_roles.h"

typedef struct hd_sim_notice_item {
    uint32_t      process, thread; /* whose call it is */
    hd_sim_notice notice;
} hd_sim_notice_item;

_Static_assert(sizeof(hd_sim_notice_item) % 8 == 0, "items are whole words");

#define COMPARE(field)                                                                                                 \
    if (a->field != b->field)                                                                                          \
        return a->field < b->field ? -1 : 1

/* An order that does not depend on who was first; what is equal in all of it may be exchanged. */
static int
compare_dependencies(const void *a_, const void *b_)
{
    const hd_sim_dependency *a = a_, *b = b_;

    COMPARE(call);
    COMPARE(is_extra);
    COMPARE(kind);
    COMPARE(process);
    COMPARE(thread);
    COMPARE(from);
    COMPARE(operation);
    COMPARE(time);
    COMPARE(bytes);
    COMPARE(is_synchronous);
    return 0;
}

static int
compare_notices(const void *a_, const void *b_)
{
    const hd_sim_notice *a = a_, *b = b_;

    COMPARE(call);
    COMPARE(process);
    COMPARE(thread_relay);
    COMPARE(dependency);
    return 0;
}

static int
compare_members(const void *a_, const void *b_)
{
    const hd_sim_member *a = a_, *b = b_;

    COMPARE(call);
    COMPARE(comm);
    COMPARE(is_nbc);
    COMPARE(number);
    return 0;
}

void
hd_sim_link(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    if (location->n_dependencies > 0)
        qsort(location->dependencies, location->n_dependencies, sizeof *location->dependencies, compare_dependencies);
    for (size_t i = 0; i < location->n_dependencies; i++) {
        const hd_sim_dependency *dependency = &location->dependencies[i];
        hd_sim_notice_item       item = { .process = dependency->process, .thread = dependency->thread,
                                          .notice = { .call = dependency->from, .process = location->process_id,
                                                      .thread_relay = location->thread << 1 | dependency->is_relay,
                                                      .dependency = (uint32_t)i } };
        uint32_t                 home;

        if (dependency->process == HD_NONE)
            continue;
        home = hd_sim_home(sw->sim, dependency->process);
        if (home == hd_worker_number(worker))
            hd_sim_notice_deliver(sw, &item);
        else
            hd_worker_send(worker, home, HD_SIM_ITEM_NOTICE, &item, sizeof item, NULL, 0);
    }
    sw->counts.n_calls += location->n_calls;
    sw->counts.n_dependencies += location->n_dependencies;
}

void
hd_sim_notice_deliver(hd_sim_worker *sw, const void *data)
{
    const hd_sim_notice_item *item     = data;
    hd_sim_location          *location = hd_sim_location_of(sw->sim, item->process, item->thread);

    HD_PUSH(location->notices, location->n_notices, location->capacity_notices, item->notice);
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

static uint64_t
hash_of(uint32_t comm_nbc, uint32_t number)
{
    return (uint64_t)comm_nbc << 32 | number;
}

/* Members that wait know their dependencies. A process is in an operation once. */
static void
find_waiters(hd_sim_location *first, uint32_t n_threads)
{
    hd_map waiters = { 0 };
    bool   is_new;

    for (uint32_t t = 0; t < n_threads; t++)
        for (size_t i = 0; i < first[t].n_dependencies; i++) {
            const hd_sim_dependency *dependency = &first[t].dependencies[i];

            if (dependency->process == HD_NONE)
                *hd_map_add(&waiters, hash_of(dependency->thread, dependency->from), &is_new) = i;
        }
    for (uint32_t t = 0; t < n_threads; t++)
        for (size_t i = 0; i < first[t].n_members; i++) {
            hd_sim_member  *member = &first[t].members[i];
            const uint64_t *place  = hd_map_get(&waiters, hash_of(member->comm << 1 | member->is_nbc, member->number));

            if (member->waiter != HD_NONE && place != NULL)
                member->dependency = (uint32_t)*place;
        }
    hd_map_fini(&waiters);
}

void
hd_sim_link_process(hd_sim *sim, hd_sim_location *first)
{
    uint32_t n_threads = first->process->n_locations;

    (void)sim;
    for (uint32_t t = 0; t < n_threads; t++) {
        hd_sim_location *location = &first[t];

        if (location->n_notices > 0)
            qsort(location->notices, location->n_notices, sizeof *location->notices, compare_notices);
        if (location->n_members > 0)
            qsort(location->members, location->n_members, sizeof *location->members, compare_members);
        hd_sim_roles_sort(location);
        free(location->call_of_send_call);
        free(location->next);
        free(location->posts);
        location->call_of_send_call = location->next = NULL;
        location->posts = NULL;
    }
    find_waiters(first, n_threads);
}
