/* src/trace/defs/context_defs.c: calling contexts with their depths, and what samples were taken by. */
#include "context_defs.h"

#include <math.h>

#include "memory.h"

static uint32_t
region_of(const raw_defs *raw, uint32_t ref)
{
    return ref == HD_NONE ? HD_NONE : hd_table_get(&raw->region_index, ref);
}

/* Up from a context to one whose depth is known, then down again. UNKNOWN, ON_WAY: while it is looked for. way:
 * [n_contexts] scratch. */
static void
measure_depth(hd_context *contexts, uint32_t i, uint32_t *way)
{
    enum { UNKNOWN = HD_CONTEXT_DEPTH_MAX + 1, ON_WAY };
    uint32_t n = 0, depth;

    while (i != HD_NONE && contexts[i].depth == UNKNOWN) {
        contexts[i].depth = ON_WAY;
        way[n++]          = i;
        i                 = contexts[i].parent;
    }
    depth = i == HD_NONE ? 1 : contexts[i].depth == ON_WAY || contexts[i].depth == 0 ? 0 : contexts[i].depth + 1;
    while (n > 0) {
        i                 = way[--n];
        depth             = contexts[i].region == HD_NONE || depth > HD_CONTEXT_DEPTH_MAX ? 0 : depth;
        contexts[i].depth = depth;
        depth             = depth == 0 ? 0 : depth + 1;
    }
}

/* The number of its place: that of the first context there. places: file and line -> index of that context. */
static void
find_site(const raw_defs *raw, uint32_t ref, hd_context *contexts, uint32_t i, hd_table *places)
{
    uint32_t place = ref == HD_NONE ? HD_NONE : hd_table_get(&raw->place_index, ref);
    uint32_t first;
    uint64_t key;

    if (place == HD_NONE || raw->places[place].line == 0 || hd_raw_defs_text(raw, raw->places[place].file) == 0)
        return;
    contexts[i].file = hd_raw_defs_text(raw, raw->places[place].file);
    contexts[i].line = raw->places[place].line;
    key              = (uint64_t)contexts[i].file << 32 | contexts[i].line;
    first            = hd_table_get(places, key);
    if (first == HD_NONE)
        hd_table_add(places, key, first = i);
    contexts[i].site = first + 1;
}

static void
fill_contexts(const raw_defs *raw, hd_defs *defs)
{
    hd_context *contexts = (hd_context *)(void *)((char *)defs + defs->contexts);
    uint32_t   *refs     = (uint32_t *)(void *)((char *)defs + defs->context_refs);
    uint32_t   *way      = HD_NEW_ARRAY(uint32_t, raw->n_contexts);
    hd_table    places;

    hd_table_init(&places);
    for (size_t i = 0; i < raw->n_contexts; i++) {
        const raw_context *from = &raw->contexts[i];
        uint32_t           parent = from->parent == HD_NONE ? HD_NONE : hd_table_get(&raw->context_index, from->parent);

        contexts[i] = (hd_context){ .region = region_of(raw, from->region), .parent = parent,
                                    .depth = HD_CONTEXT_DEPTH_MAX + 1 };
        if (parent == HD_NONE && from->parent != HD_NONE)
            contexts[i].region = HD_NONE;
        refs[i] = from->ref;
        find_site(raw, from->place, contexts, (uint32_t)i, &places);
    }
    hd_table_fini(&places);
    for (uint32_t i = 0; i < raw->n_contexts; i++)
        measure_depth(contexts, i, way);
    free(way);
}

static void
fill_samplers(const raw_defs *raw, hd_defs *defs)
{
    hd_sampler *samplers = (hd_sampler *)(void *)((char *)defs + defs->samplers);

    for (size_t i = 0; i < raw->n_samplers; i++) {
        const raw_sampler *from = &raw->samplers[i];

        samplers[i] = (hd_sampler){ hd_raw_defs_text(raw, from->name), from->is_time,
                                    (double)from->period * pow(from->is_decimal ? 10 : 2, (double)from->exponent) };
    }
}

void
hd_context_defs_fill(const raw_defs *raw, hd_defs *defs)
{
    fill_contexts(raw, defs);
    fill_samplers(raw, defs);
}
