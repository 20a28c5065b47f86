#include "local_definitions.h"

#include "memory.h"

#define QUICK_END (UINT64_C(1) << 62) /* differences of times up to here have the same double, signed or not */

void
hd_local_definitions_clear(hd_local_definitions *definitions)
{
    for (size_t i = 0; i < OTF2_MAPPING_MAX; i++) {
        free(definitions->mappings[i].to);
        free(definitions->mappings[i].pairs);
    }
    free(definitions->intervals);
    *definitions = (hd_local_definitions){ .quick_end = QUICK_END };
}

typedef struct taken_map {
    hd_mapping       *mapping;
    const OTF2_IdMap *map;
} taken_map;

static void
find_end(uint64_t from, uint64_t to, void *user)
{
    taken_map *taken = user;

    (void)to;
    if (from < HD_MAPPING_DENSE && from >= taken->mapping->n_to)
        taken->mapping->n_to = from + 1;
}

/* What the library finds for the number counts, where a damaged table has it twice. */
static void
take_pair(uint64_t from, uint64_t to, void *user)
{
    taken_map  *taken   = user;
    hd_mapping *mapping = taken->mapping;
    uint64_t    found;

    if (OTF2_IdMap_GetGlobalId(taken->map, from, &found) == OTF2_SUCCESS)
        to = found;
    if (from < mapping->n_to)
        mapping->to[from] = to;
    else
        HD_PUSH(mapping->pairs, mapping->n_pairs, mapping->capacity, ((hd_number_pair){ from, to }));
}

static int
compare_pairs(const void *left, const void *right)
{
    const hd_number_pair *a = left, *b = right;

    return a->from < b->from ? -1 : a->from > b->from;
}

void
hd_local_definitions_map(hd_local_definitions *definitions, OTF2_MappingType type, const OTF2_IdMap *map)
{
    hd_mapping *mapping = type < OTF2_MAPPING_MAX ? &definitions->mappings[type] : NULL;
    taken_map   taken   = { mapping, map };

    if (mapping == NULL || mapping->is_set)
        return;
    mapping->is_set = true;
    OTF2_IdMap_Traverse(map, find_end, &taken);
    mapping->to = HD_NEW_UNSET(uint64_t, mapping->n_to + 1);
    for (uint64_t i = 0; i < mapping->n_to; i++)
        mapping->to[i] = i;
    OTF2_IdMap_Traverse(map, take_pair, &taken);
    if (mapping->n_pairs > 1)
        qsort(mapping->pairs, mapping->n_pairs, sizeof *mapping->pairs, compare_pairs);
}

uint64_t
hd_mapping_find(const hd_mapping *mapping, uint64_t number)
{
    size_t low = 0, high = mapping->n_pairs;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (mapping->pairs[middle].from < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < mapping->n_pairs && mapping->pairs[low].from == number ? mapping->pairs[low].to : number;
}

void
hd_local_definitions_offset(hd_local_definitions *definitions, hd_time time, hd_span offset)
{
    hd_clock_interval *pending = &definitions->pending;

    if (definitions->has_pending && pending->begin >= time) {
        definitions->has_pending = false;
        return;
    }
    if (definitions->has_pending) {
        pending->end   = time;
        pending->slope = (double)(hd_span)((uint64_t)offset - (uint64_t)pending->offset) /
                         (double)(time - pending->begin);
        HD_PUSH(definitions->intervals, definitions->n_intervals, definitions->capacity, *pending);
    }
    *pending                 = (hd_clock_interval){ .begin = time, .offset = offset };
    definitions->has_pending = true;
}

/* Makes the current interval ready. */
static void
make_ready(hd_local_definitions *definitions)
{
    const hd_clock_interval *interval = &definitions->intervals[definitions->current];
    bool                     is_last  = definitions->current + 1 == definitions->n_intervals;

    definitions->begin     = interval->begin;
    definitions->offset    = interval->offset;
    definitions->slope     = interval->slope;
    definitions->quick_end = is_last ? QUICK_END : hd_time_min(interval->end, QUICK_END);
    if (interval->begin > QUICK_END)
        definitions->quick_end = 0;
}

void
hd_local_definitions_begin(hd_local_definitions *definitions, bool is_raw)
{
    definitions->current   = 0;
    definitions->begin     = 0;
    definitions->offset    = 0;
    definitions->slope     = 0;
    definitions->quick_end = QUICK_END;
    if (is_raw)
        definitions->n_intervals = 0;
    if (definitions->n_intervals > 0)
        make_ready(definitions);
}

hd_time
hd_local_definitions_other_time(hd_local_definitions *definitions, hd_time time)
{
    size_t last = definitions->current;
    double distance;

    if (definitions->n_intervals == 0)
        return time;
    while (last + 1 < definitions->n_intervals && time > definitions->intervals[last].end)
        last++;
    if (last != definitions->current) {
        definitions->current = last;
        make_ready(definitions);
    }
    distance = time >= definitions->begin ? (double)(time - definitions->begin)
                                          : -(double)(definitions->begin - time);
    return time + (hd_time)definitions->offset + (hd_time)lrint(definitions->slope * distance);
}
