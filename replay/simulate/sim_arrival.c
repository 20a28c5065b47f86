/* replay/simulate/sim_arrival.c: new times go from the call that they are of to a dependency. */
#include "sim_arrival.h"

typedef struct hd_sim_times_item {
    uint32_t     process, thread, dependency, unused;
    hd_sim_times times;
} hd_sim_times_item;

_Static_assert(sizeof(hd_sim_times_item) % 8 == 0, "items are whole words");

static uint64_t
key_of(const hd_sim_location *location, uint32_t dependency)
{
    return (uint64_t)location->number << 32 | dependency;
}

void
hd_sim_arrive(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t dependency,
              const hd_sim_times *times)
{
    bool      is_new;
    uint64_t *place;

    if (dependency < location->i_dependency) /* it was dropped */
        return;
    place = hd_map_add(&sw->arrived, key_of(location, dependency), &is_new);
    if (is_new)
        *place = (uint64_t)(uintptr_t)hd_pool_take(&sw->times);
    *(hd_sim_times *)(uintptr_t)*place = *times;
    if (location->is_blocked)
        hd_worker_wake(worker, location->number);
}

void
hd_sim_times_deliver(hd_sim_worker *sw, hd_worker *worker, const void *data)
{
    const hd_sim_times_item *item = data;

    hd_sim_arrive(sw, worker, hd_sim_location_of(sw->sim, item->process, item->thread), item->dependency, &item->times);
}

void
hd_sim_take_back(hd_sim_worker *sw, const hd_sim_location *location, uint32_t dependency)
{
    uint64_t place;

    if (hd_map_take(&sw->arrived, key_of(location, dependency), &place))
        hd_pool_put(&sw->times, (void *)(uintptr_t)place);
}

const hd_sim_times *
hd_sim_arrived(const hd_sim_worker *sw, const hd_sim_location *location, uint32_t dependency)
{
    const uint64_t *place = hd_map_get(&sw->arrived, key_of(location, dependency));

    return place != NULL ? (const hd_sim_times *)(uintptr_t)*place : NULL;
}

void
hd_sim_notify(hd_sim_worker *sw, hd_worker *worker, const hd_sim_notice *notice, const hd_sim_times *times)
{
    hd_sim_times_item item = { .process = notice->process, .thread = notice->thread_what >> 2,
                               .dependency = notice->dependency, .times = *times };
    uint32_t          home = hd_sim_home(sw->sim, notice->process);

    if (home == hd_worker_number(worker))
        hd_sim_times_deliver(sw, worker, &item);
    else
        hd_worker_send(worker, home, HD_SIM_ITEM_TIMES, &item, sizeof item, NULL, 0);
}
