/* replay/simulate/sim_arrival.c: new times go from the call that they are of to a dependency. */
#include "sim_arrival.h"

#include <stdlib.h>

#include "memory.h"

typedef struct hd_sim_times_item {
    uint32_t process, thread, dependency, unused;
    hd_span  times[HD_SIM_WIDEST]; /* [width of the pass] */
} hd_sim_times_item;

_Static_assert(sizeof(hd_sim_times_item) % 8 == 0, "items are whole words");

void
hd_sim_arrived_init(hd_sim_worker *sw)
{
    sw->arrived   = NULL;
    sw->n_arrived = 0;
    sw->unused    = HD_NONE;
}

void
hd_sim_arrived_fini(hd_sim_worker *sw)
{
    for (uint32_t i = 0; i < sw->n_arrived / HD_SIM_CHUNK; i++)
        free(sw->arrived[i]);
    free(sw->arrived);
    hd_sim_arrived_init(sw);
}

/* Each of them names the next one. */
void
hd_sim_arrived_grow(hd_sim_worker *sw)
{
    uint32_t n     = sw->n_arrived / HD_SIM_CHUNK;
    hd_span *chunk = hd_realloc(NULL, (size_t)HD_SIM_CHUNK * sw->sim->width, sizeof *chunk);

    if ((n & (n - 1)) == 0)
        sw->arrived = hd_realloc(sw->arrived, n > 0 ? 2 * (size_t)n : 1, sizeof *sw->arrived);
    sw->arrived[n] = chunk;
    for (uint32_t i = 0; i < HD_SIM_CHUNK; i++)
        chunk[i * sw->sim->width] = i + 1 < HD_SIM_CHUNK ? sw->n_arrived + i + 1 : HD_NONE;
    sw->unused = sw->n_arrived;
    sw->n_arrived += HD_SIM_CHUNK;
}

void
hd_sim_times_deliver(hd_sim_worker *sw, hd_worker *worker, const void *data)
{
    const hd_sim_times_item *item = data;

    hd_sim_arrive(sw, worker, hd_sim_location_of(sw->sim, item->process, item->thread), item->dependency, item->times,
                  sw->sim->width);
}

void
hd_sim_notify_other(hd_sim_worker *sw, hd_worker *worker, const hd_sim_notice *notice, const hd_span *times)
{
    uint32_t          n = sw->sim->width;
    hd_sim_times_item item;

    item.process    = notice->process;
    item.thread     = notice->thread_what >> 2;
    item.dependency = notice->dependency;
    item.unused     = 0;
    hd_sim_lanes_copy(item.times, times, n);
    hd_worker_send(worker, hd_sim_home(sw->sim, notice->process), HD_SIM_ITEM_TIMES, &item,
                   (uint32_t)(offsetof(hd_sim_times_item, times) + n * sizeof *times), NULL, 0);
}
