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

/* Whether rows of calls stand in the order of their calls, and one for each call at most. */
static inline __attribute__((always_inline)) bool
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
    uint32_t *place;
    uint8_t  *sorted;

    if (are_ascending(rows, n, size, offset))
        return hd_realloc(rows, n + 1, size);
    place  = HD_NEW_ARRAY(uint32_t, n_calls + 1);
    sorted = hd_realloc(NULL, n + 1, size);
    for (size_t i = 0; i < n; i++)
        place[call_at(rows, size, offset, i) + 1]++;
    for (size_t call = 1; call < n_calls; call++)
        place[call] += place[call - 1];
    for (size_t i = 0; i < n; i++)
        memcpy(sorted + place[call_at(rows, size, offset, i)]++ * size, (const uint8_t *)rows + i * size, size);
    for (size_t i = 1, first = 0, last_moved = 0; i <= n; i++) { /* those of one call */
        if (i < n && call_at(sorted, size, offset, i - 1) == call_at(sorted, size, offset, i)) {
            if (compare(sorted + (i - 1) * size, sorted + i * size) > 0)
                last_moved = i;
            continue;
        }
        if (last_moved > first)
            qsort(sorted + first * size, i - first, size, compare);
        first = i;
    }
    free(place);
    free(rows);
    return sorted;
}

#define SORT_BY_CALL(location, rows, type, compare)                                                                    \
    ((location)->rows = sort_by_call((location)->rows, (location)->n_##rows, sizeof *(location)->rows,                 \
                                     offsetof(type, call), (location)->n_calls, compare))

/* A call of another worker learns of it by an item; one of this worker is known by the number of its location. */
void
hd_sim_link(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    const hd_sim *sim = sw->sim;
    uint32_t      own = hd_worker_number(worker);

    SORT_BY_CALL(location, dependencies, hd_sim_dependency, compare_dependencies);
    for (size_t i = 0; i < location->n_dependencies; i++) {
        const hd_sim_dependency *dependency = &location->dependencies[i];
        hd_sim_notice            notice     = { .call = dependency->from, .dependency = (uint32_t)i };
        uint32_t                 home;

        location->calls[dependency->call].n_dependencies++;
        if (dependency->process == HD_NONE)
            continue;
        home = hd_sim_home(sim, dependency->process);
        if (HD_LIKELY(home == own)) {
            hd_sim_location *other = hd_sim_location_of(sim, dependency->process, dependency->thread);

            notice.process     = HD_NONE;
            notice.thread_what = location->number << 2 | what_of(dependency);
            HD_PUSH(other->notices, other->n_notices, other->capacity_notices, notice);
            continue;
        }
        notice.process     = location->process_id;
        notice.thread_what = location->thread << 2 | what_of(dependency);
        hd_worker_send(worker, home, HD_SIM_ITEM_NOTICE,
                       &(hd_sim_notice_item){ dependency->process, dependency->thread, notice },
                       sizeof(hd_sim_notice_item), NULL, 0);
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

/* The threads of a process may start and complete a non-blocking operation. */
static uint64_t
hash_of(uint32_t comm_nbc, uint32_t number)
{
    return (uint64_t)comm_nbc << 32 | number;
}

/* Members that wait know their dependencies. A process is in a non-blocking operation once. */
static void
find_nonblocking_waiters(hd_sim_location *first, uint32_t n_threads)
{
    hd_map waiters = { 0 };
    bool   is_new;

    for (uint32_t t = 0; t < n_threads; t++)
        for (size_t i = 0; i < first[t].n_dependencies; i++) {
            const hd_sim_dependency *dependency = &first[t].dependencies[i];

            if (dependency->process == HD_NONE && dependency->thread != HD_SIM_TEAM && (dependency->thread & 1) != 0)
                *hd_map_add(&waiters, hash_of(dependency->thread, dependency->from), &is_new) = i;
        }
    for (uint32_t t = 0; t < n_threads; t++)
        for (size_t i = 0; i < first[t].n_members; i++) {
            hd_sim_member  *member = &first[t].members[i];
            const uint64_t *place  = NULL;

            if (member->waiter != HD_NONE && member->is_nbc)
                place = hd_map_get(&waiters, hash_of(member->comm << 1 | 1, member->number));
            if (place != NULL)
                member->dependency = (uint32_t)*place;
        }
    hd_map_fini(&waiters);
}

/* The same of what is not non-blocking, and of what threads do together: a member waits with the call that it takes
 * part with. Returns whether any is non-blocking. */
static bool
find_waiters(hd_sim_location *location)
{
    const hd_sim_dependency *dependency = location->dependencies, *end = dependency + location->n_dependencies;
    bool                     any_nbc    = false;

    for (size_t i = 0; i < location->n_members; i++) {
        hd_sim_member *member = &location->members[i];
        uint32_t       group  = member->comm == HD_SIM_TEAM ? HD_SIM_TEAM : member->comm << 1;

        any_nbc |= member->is_nbc;
        if (member->waiter == HD_NONE || member->is_nbc)
            continue;
        while (dependency < end && dependency->call < member->call)
            dependency++;
        for (const hd_sim_dependency *at = dependency; at < end && at->call == member->call; at++)
            if (at->process == HD_NONE && at->thread == group && at->from == member->number)
                member->dependency = (uint32_t)(at - location->dependencies);
    }
    return any_nbc;
}

void
hd_sim_link_process(hd_sim_location *first)
{
    uint32_t n_threads = first->process->n_locations;
    bool     any_nbc   = false;

    for (uint32_t t = 0; t < n_threads; t++) {
        hd_sim_location *location = &first[t];

        SORT_BY_CALL(location, notices, hd_sim_notice, compare_notices);
        SORT_BY_CALL(location, members, hd_sim_member, compare_members);
        hd_sim_roles_sort(location);
        free(location->call_of_send_call);
        free(location->next);
        free(location->queues);
        free(location->posts);
        free(location->op_calls);
        any_nbc |= find_waiters(location);
        location->call_of_send_call = location->next = location->op_calls = NULL;
        location->posts  = NULL;
        location->queues = NULL;
    }
    if (any_nbc)
        find_nonblocking_waiters(first, n_threads);
}
