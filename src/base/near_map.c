#include "near_map.h"

#include <stdlib.h>

#include "memory.h"

enum { FIRST_SLOTS = 16 };

void
hd_near_map_fini(hd_near_map *map)
{
    free(map->slots);
    hd_map_fini(&map->others);
    *map = (hd_near_map){ 0 };
}

/* No two share a place in the larger array that did not in the smaller one. */
static void
grow(hd_near_map *map)
{
    hd_near_map old     = *map;
    uint64_t    n_slots = old.slots == NULL ? FIRST_SLOTS : (old.mask + 1) * 2;

    map->slots = hd_realloc(NULL, n_slots, sizeof *map->slots);
    map->mask  = n_slots - 1;
    for (uint64_t i = 0; i < n_slots; i++)
        map->slots[i].key = HD_MAP_FREE;
    for (uint64_t i = 0; old.slots != NULL && i <= old.mask; i++)
        if (old.slots[i].key != HD_MAP_FREE)
            map->slots[old.slots[i].key & map->mask] = old.slots[i];
    free(old.slots);
}

void
hd_near_map_put_other(hd_near_map *map, uint64_t key, uint64_t value)
{
    hd_map_slot *slot;
    bool         is_new;

    if (map->slots == NULL)
        grow(map);
    hd_map_remove(&map->others, key);
    slot = &map->slots[key & map->mask];
    while (slot->key != HD_MAP_FREE && slot->key != key && 2 * (uint64_t)map->n >= map->mask) {
        grow(map);
        slot = &map->slots[key & map->mask];
    }
    if (slot->key == HD_MAP_FREE || slot->key == key) {
        map->n += slot->key == HD_MAP_FREE;
        *slot = (hd_map_slot){ .key = key, .value = value };
    } else
        *hd_map_add(&map->others, key, &is_new) = value;
}

static void
put_all(const hd_map_slot *slots, uint64_t mask, hd_map *into)
{
    bool is_new;

    for (uint64_t i = 0; slots != NULL && i <= mask; i++)
        if (slots[i].key != HD_MAP_FREE)
            *hd_map_add(into, slots[i].key, &is_new) = slots[i].value;
}

void
hd_near_map_settle(hd_near_map *map, hd_map *into)
{
    if (map->n > 0)
        put_all(map->slots, map->mask, into);
    put_all(map->others.slots, map->others.mask, into);
    hd_near_map_fini(map);
}
