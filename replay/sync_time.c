#include "sync_time.h"

/* Adds an element as scout 2.6 does it. */
static void
add_limited(hd_time_vector *vector, uint32_t call_path, hd_span span, uint32_t limit)
{
    size_t smallest = 0;

    hd_time_vector_add(vector, call_path, span);
    if (vector->n <= limit)
        return;
    for (size_t i = 1; i < vector->n; i++)
        if (vector->spans[vector->touched[i]] <= vector->spans[vector->touched[smallest]])
            smallest = i;
    vector->stamps[vector->touched[smallest]] = vector->stamp - 1;
    memmove(&vector->touched[smallest], &vector->touched[smallest + 1], (vector->n - smallest - 1) * sizeof *vector->touched);
    vector->n--;
}

void
hd_sync_time_add(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit)
{
    uint64_t end = to > 0 ? syncs->first[to] : 0;

    for (uint64_t i = from > 0 ? syncs->first[from] : 0; i < end; i++)
        if (limit == 0)
            hd_time_vector_add(vector, syncs->paths[i], syncs->spans[i]);
        else
            add_limited(vector, syncs->paths[i], syncs->spans[i], limit);
}

hd_span
hd_sync_time_net(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit)
{
    hd_span waits = 0;

    hd_time_vector_clear(vector);
    hd_sync_time_add(vector, syncs, from, to, limit);
    for (uint32_t i = from + 1; i < to; i++)
        if (syncs->points[i].wait > 0) {
            hd_time_vector_add(vector, syncs->points[i].call_path, -syncs->points[i].wait);
            waits += syncs->points[i].wait;
        }
    for (size_t i = 0; i < vector->n; i++)
        if (vector->spans[vector->touched[i]] < 0)
            vector->spans[vector->touched[i]] = 0;
    return waits;
}

hd_span
hd_sync_time_pruned(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit)
{
    const hd_sync *begin = &syncs->points[from];
    hd_span        waits = hd_sync_time_net(vector, syncs, from, to, limit);

    if (begin->kind != HD_SYNC_BEGIN && hd_time_vector_get(vector, begin->call_path) > 0) {
        hd_span *span = &vector->spans[begin->call_path];

        *span = *span > begin->pruned ? *span - begin->pruned : 0;
    }
    return waits;
}
