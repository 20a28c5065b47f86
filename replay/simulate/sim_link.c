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
    COMPARE(is_leave);
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
    COMPARE(thread_what);
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

static uint32_t
what_of(const hd_sim_dependency *dependency)
{
    return dependency->is_leave ? HD_SIM_LEAVE : dependency->is_relay ? HD_SIM_RELAY : HD_SIM_ENTER;
}

static uint32_t
call_at(const uint8_t *rows, size_t size, size_t offset, size_t i)
{
    uint32_t call;

    memcpy(&call, rows + i * size + offset, sizeof call);
    return call;
}

/* Those of one call. */
static void
sort_few(uint8_t *rows, size_t n, size_t size, int (*compare)(const void *a, const void *b))
{
    for (size_t i = 1; i < n; i++)
        if (compare(rows + (i - 1) * size, rows + i * size) > 0) {
            qsort(rows, n, size, compare);
            return;
        }
}

/* Whether rows of calls stand in the order of their calls, and one for each call at most. */
static bool
are_ascending(const void *rows, size_t n, size_t size, size_t offset)
{
    for (size_t i = 1; i < n; i++)
        if (call_at(rows, size, offset, i - 1) >= call_at(rows, size, offset, i))
            return false;
    return true;
}

/* Rows of `size` bytes, with the number of a call, below n_calls, at the offset: first by that. Returns them where they
 * are then, without room behind them. Inlined, so that rows are copied as what they are. */
static inline __attribute__((always_inline)) void *
sort_by_call(void *rows, size_t n, size_t size, size_t offset, size_t n_calls,
             int (*compare)(const void *a, const void *b))
{
    size_t  *place;
    uint8_t *sorted;

    if (are_ascending(rows, n, size, offset))
        return hd_realloc(rows, n + 1, size);
    place  = HD_NEW_ARRAY(size_t, n_calls + 1);
    sorted = hd_realloc(NULL, n + 1, size);
    for (size_t i = 0; i < n; i++)
        place[call_at(rows, size, offset, i) + 1]++;
    for (size_t call = 1; call <= n_calls; call++)
        place[call] += place[call - 1];
    for (size_t i = 0; i < n; i++)
        memcpy(sorted + place[call_at(rows, size, offset, i)]++ * size, (const uint8_t *)rows + i * size, size);
    for (size_t call = 0, first = 0; call < n_calls; first = place[call++]) /* place: where the next call begins */
        if (place[call] - first > 1)
            sort_few(sorted + first * size, place[call] - first, size, compare);
    free(place);
    free(rows);
    return sorted;
}

#define SORT_BY_CALL(location, rows, type, compare)                                                                    \
    ((location)->rows = sort_by_call((location)->rows, (location)->n_##rows, sizeof *(location)->rows,                 \
                                     offsetof(type, call), (location)->n_calls, compare))

void
hd_sim_link(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    SORT_BY_CALL(location, dependencies, hd_sim_dependency, compare_dependencies);
    for (size_t i = 0; i < location->n_dependencies; i++) {
        const hd_sim_dependency *dependency = &location->dependencies[i];
        hd_sim_notice_item       item = { .process = dependency->process, .thread = dependency->thread,
                                          .notice = { .call = dependency->from, .process = location->process_id,
                                                      .thread_what = location->thread << 2 | what_of(dependency),
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

            if (dependency->process == HD_NONE && dependency->thread != HD_SIM_TEAM)
                *hd_map_add(&waiters, hash_of(dependency->thread, dependency->from), &is_new) = i;
        }
    for (uint32_t t = 0; t < n_threads; t++)
        for (size_t i = 0; i < first[t].n_members; i++) {
            hd_sim_member  *member = &first[t].members[i];
            const uint64_t *place  = member->comm == HD_SIM_TEAM ? NULL :
                hd_map_get(&waiters, hash_of(member->comm << 1 | member->is_nbc, member->number));

            if (member->waiter != HD_NONE && place != NULL)
                member->dependency = (uint32_t)*place;
        }
    hd_map_fini(&waiters);
}

/* The same of what threads do together: each waits with the call that it takes part with, once. */
static void
find_team_waiters(hd_sim_location *location)
{
    size_t at = 0;

    for (size_t i = 0; i < location->n_members; i++) {
        hd_sim_member *member = &location->members[i];

        if (member->comm != HD_SIM_TEAM || member->waiter == HD_NONE)
            continue;
        while (location->dependencies[at].call < member->call || location->dependencies[at].process != HD_NONE ||
               location->dependencies[at].thread != HD_SIM_TEAM)
            at++;
        member->dependency = (uint32_t)at;
    }
}

/* Of those to locations of the own worker a pass need not look up where they go. */
static void
find_own(const hd_sim *sim, hd_sim_location *location)
{
    uint32_t own = hd_sim_home(sim, location->process_id);

    for (size_t i = 0; i < location->n_notices; i++) {
        hd_sim_notice *notice = &location->notices[i];

        if (hd_sim_home(sim, notice->process) != own)
            continue;
        notice->thread_what = hd_sim_location_of(sim, notice->process, notice->thread_what >> 2)->number << 2 |
                              (notice->thread_what & 3);
        notice->process     = HD_NONE;
    }
}

void
hd_sim_link_process(hd_sim *sim, hd_sim_location *first)
{
    uint32_t n_threads = first->process->n_locations;

    for (uint32_t t = 0; t < n_threads; t++) {
        hd_sim_location *location = &first[t];

        SORT_BY_CALL(location, notices, hd_sim_notice, compare_notices);
        find_own(sim, location);
        SORT_BY_CALL(location, members, hd_sim_member, compare_members);
        hd_sim_roles_sort(location);
        free(location->call_of_send_call);
        free(location->next);
        free(location->queues);
        free(location->posts);
        free(location->op_calls);
        find_team_waiters(location);
        location->call_of_send_call = location->next = location->op_calls = NULL;
        location->posts  = NULL;
        location->queues = NULL;
    }
    find_waiters(first, n_threads);
}
