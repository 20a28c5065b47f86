/* src/profile/iteration_calls.c: which call paths each iteration has, of those that communicate. */
#include <stdlib.h>

#include "cluster.h"
#include "iterations.h"
#include "memory.h"

/* Places of the call paths of interfaces among the bits of an iteration; HD_NONE: of the others. free() them. */
static uint32_t *
places_of(const hd_trace *trace, const hd_calltree *tree, uint32_t *n)
{
    const hd_region *regions = hd_defs_regions(trace->defs);
    uint32_t        *places  = HD_NEW_UNSET(uint32_t, (size_t)tree->n + 1);

    *n = 0;
    for (uint32_t i = 0; i < tree->n; i++)
        places[i] = regions[tree->nodes[i].region].region_class != HD_CLASS_USER ? (*n)++ : HD_NONE;
    return places;
}

/* The place of each call path of the location. free() them. */
static uint32_t *
own_places(const hd_loaded_location *location, const uint32_t *map, const uint32_t *places)
{
    uint32_t *own = HD_NEW_UNSET(uint32_t, (size_t)location->n_nodes + 1);

    for (uint32_t i = 0; i < location->n_nodes; i++) {
        uint32_t node = location->map != NULL ? location->map[i] : i;

        own[i] = node != HD_NONE && map[node] != HD_NONE ? places[map[node]] : HD_NONE;
    }
    return own;
}

/* A call belongs to the iteration in which it begins. Calls stand in the order of their leaves. */
static void
read_process(hd_iterations *iterations, const hd_process_iterations *of, const hd_loaded_location *location,
             const uint32_t *own)
{
    uint32_t  hint = 0;
    hd_cursor cursor;

    hd_cursor_init(&cursor, &location->log);
    while (hd_cursor_call(&cursor)) {
        uint32_t place = own[cursor.call.call_path], slice;

        hd_cursor_skip(&cursor);
        slice = hd_iterations_slice(of, iterations->n, cursor.call.enter, &hint);
        if (place != HD_NONE && slice > 0 && slice <= of->n)
            iterations->calls[(size_t)(slice - 1) * iterations->n_words + place / 64] |= UINT64_C(1) << place % 64;
    }
}

void
hd_iterations_read_calls(hd_iterations *iterations, const hd_trace *trace, uint32_t *const *maps,
                         const hd_calltree *tree)
{
    uint32_t n, *places;

    free(iterations->calls);
    iterations->calls = NULL;
    if (iterations->n == 0 || iterations->n > HD_CLUSTER_ITERATIONS)
        return;
    places              = places_of(trace, tree, &n);
    iterations->n_words = (n + 63) / 64;
    iterations->calls   = HD_NEW_ARRAY(uint64_t, (size_t)iterations->n * iterations->n_words + 1);
    for (uint32_t p = 0; p < trace->n_processes; p++) {
        const hd_process_iterations *of = &iterations->of[p];
        const hd_loaded_location    *location;
        uint32_t                    *own;

        if (of->n == 0)
            continue;
        location = &trace->processes[p].locations[of->location];
        own      = own_places(location, maps[p], places);
        read_process(iterations, of, location, own);
        free(own);
    }
    free(places);
}
