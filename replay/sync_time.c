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

/* Adds the time of the point's own interval without its wait. Returns the wait. */
static hd_span
add_net(hd_time_vector *vector, const hd_syncs *syncs, uint32_t point, uint32_t limit)
{
    const hd_sync *sync = &syncs->points[point];

    hd_sync_time_add(vector, syncs, point, point + 1, limit);
    if (sync->wait > 0 && limit == 0)
        hd_time_vector_add(vector, sync->call_path, -sync->wait);
    return sync->wait;
}

static hd_span
add_level(hd_time_vector *vector, const hd_sync_level *level, uint32_t at)
{
    for (uint64_t i = level->first[at]; i < level->first[at + 1]; i++)
        hd_time_vector_add(vector, level->paths[i], level->spans[i]);
    return level->waits[at];
}

void
hd_sync_time_index(hd_time_vector *vector, hd_syncs *syncs)
{
    uint32_t n_below = (uint32_t)syncs->n - 1; /* the end has no interval */

    for (uint32_t l = 1; l < HD_SYNC_LEVELS && n_below >= 2 * HD_SYNC_FAN_OUT; l++) {
        hd_sync_level *level    = &syncs->levels[l];
        size_t         capacity = 0, capacity_spans = 0, n_entries = 0;

        level->n     = n_below / HD_SYNC_FAN_OUT;
        level->first = HD_NEW_ARRAY(uint64_t, (size_t)level->n + 1);
        level->waits = HD_NEW_ARRAY(hd_span, level->n);
        for (uint32_t i = 0; i < level->n; i++) {
            hd_time_vector_clear(vector);
            for (uint32_t k = i * HD_SYNC_FAN_OUT; k < (i + 1) * HD_SYNC_FAN_OUT; k++)
                level->waits[i] += l == 1 ? add_net(vector, syncs, k, 0) : add_level(vector, &syncs->levels[l - 1], k);
            for (size_t k = 0; k < vector->n; k++)
                if (vector->spans[vector->touched[k]] != 0) {
                    size_t n = n_entries;

                    HD_PUSH(level->paths, n, capacity, vector->touched[k]);
                    HD_PUSH(level->spans, n_entries, capacity_spans, vector->spans[vector->touched[k]]);
                }
            level->first[i + 1] = n_entries;
        }
        level->paths = hd_realloc(level->paths, n_entries, sizeof *level->paths);
        level->spans = hd_realloc(level->spans, n_entries, sizeof *level->spans);
        n_below      = level->n;
    }
}

/* Of the points from `from` on, all before `to`, whole groups at once. Returns the sum of the waits. */
static hd_span
add_points(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit)
{
    hd_span waits = 0;

    while (from < to) {
        uint32_t level = 0, size = 1;

        while (limit == 0 && level + 1 < HD_SYNC_LEVELS && from % (size * HD_SYNC_FAN_OUT) == 0 &&
               to - from >= size * HD_SYNC_FAN_OUT && from / (size * HD_SYNC_FAN_OUT) < syncs->levels[level + 1].n) {
            level++;
            size *= HD_SYNC_FAN_OUT;
        }
        waits += level == 0 ? add_net(vector, syncs, from, limit) : add_level(vector, &syncs->levels[level], from / size);
        from += size;
    }
    return waits;
}

hd_span
hd_sync_time_net(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit)
{
    hd_span waits;

    hd_time_vector_clear(vector);
    if (from >= to)
        return 0;
    hd_sync_time_add(vector, syncs, from, from + 1, limit);
    waits = add_points(vector, syncs, from + 1, to, limit);
    for (uint32_t i = from + 1; i < to && limit > 0; i++) /* the limit is one of times, not of what is left of them */
        if (syncs->points[i].wait > 0)
            hd_time_vector_add(vector, syncs->points[i].call_path, -syncs->points[i].wait);
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
