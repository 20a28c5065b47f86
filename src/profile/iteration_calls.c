/* src/profile/iteration_calls.c: the places of call paths among the bits of an iteration, and where a time is. */
#include "iteration_calls.h"

#include <stdlib.h>

#include "cluster.h"
#include "memory.h"

void
hd_iterations_want_calls(hd_iterations *iterations, const hd_defs *defs, const hd_calltree *tree)
{
    const hd_region *regions = hd_defs_regions(defs);
    uint32_t         n       = 0;

    free(iterations->calls);
    free(iterations->places);
    iterations->calls  = NULL;
    iterations->places = NULL;
    if (iterations->n == 0 || iterations->n > HD_CLUSTER_ITERATIONS)
        return;
    iterations->places = HD_NEW_UNSET(uint32_t, (size_t)tree->n + 1);
    for (uint32_t i = 0; i < tree->n; i++)
        iterations->places[i] = regions[tree->nodes[i].region].region_class != HD_CLASS_USER ? n++ : HD_NONE;
    iterations->n_words = (n + 63) / 64;
    iterations->calls   = HD_NEW_ARRAY(uint64_t, (size_t)iterations->n * iterations->n_words + 1);
}

hd_iteration_calls *
hd_iteration_calls_new(const hd_iterations *iterations, const hd_process_iterations *of,
                       const hd_loaded_process *process, uint32_t thread, const uint32_t *map)
{
    const hd_loaded_location *location = &process->locations[thread];
    hd_iteration_calls       *calls;

    if (iterations->calls == NULL || of->n == 0 || of->location != thread)
        return NULL;
    calls  = hd_realloc(NULL, sizeof *calls + ((size_t)location->n_nodes + 1) * sizeof *calls->paths, 1);
    *calls = (hd_iteration_calls){ .iterations = iterations, .of = of };
    for (uint32_t i = 0; i < location->n_nodes; i++) {
        uint32_t node = location->map != NULL ? location->map[i] : i;

        calls->paths[i] = (hd_iteration_path){ HD_NONE, 0 };
        if (node != HD_NONE && map[node] != HD_NONE)
            calls->paths[i].place = iterations->places[map[node]];
    }
    return calls;
}

void
hd_iteration_calls_free(hd_iteration_calls *calls)
{
    free(calls);
}

void
hd_iteration_calls_move(hd_iteration_calls *calls, hd_time time)
{
    const hd_iterations *all   = calls->iterations;
    uint32_t             slice = hd_iterations_slice(calls->of, all->n, time, &calls->hint);
    bool                 is_in = slice > 0 && slice <= all->n;

    calls->bits  = is_in ? &all->calls[(size_t)(slice - 1) * all->n_words] : NULL;
    calls->from  = hd_iterations_slice_begin(calls->of, all->n, slice, calls->hint);
    calls->until = hd_iterations_slice_end(calls->of, all->n, slice, calls->hint);
    calls->n_moves++;
}

void
hd_iteration_calls_put_path(hd_iteration_calls *calls, hd_iteration_path *path)
{
    uint64_t *word, bit;

    path->put_at = calls->n_moves;
    if (calls->bits == NULL || path->place == HD_NONE)
        return;
    word = &calls->bits[path->place / 64]; /* other processes have the same bits: most are there */
    bit  = UINT64_C(1) << path->place % 64;
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bit) == 0)
        __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
}
