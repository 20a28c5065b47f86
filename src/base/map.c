#include "map.h"

#include <stdlib.h>

#include "memory.h"
#include "status.h"

void
hd_map_fini(hd_map *map)
{
    free(map->slots);
    *map = (hd_map){ 0 };
}

static uint32_t
find(const hd_map *map, uint64_t key)
{
    uint32_t i = (uint32_t)hd_hash(key) & map->mask;

    while (map->slots[i].key != key && map->slots[i].key != HD_MAP_FREE)
        i = (i + 1) & map->mask;
    return i;
}

static __attribute__((noinline)) void
grow(hd_map *map)
{
    hd_map   old     = *map;
    uint32_t n_slots = old.slots == NULL ? 4 : (old.mask + 1) * 2;

    if (n_slots == 0)
        hd_fatal("out of memory: a map of %" PRIu32 " entries cannot grow", map->n);
    map->slots = hd_realloc(NULL, n_slots, sizeof *map->slots);
    map->mask  = n_slots - 1;
    for (uint32_t i = 0; i < n_slots; i++)
        map->slots[i].key = HD_MAP_FREE;
    for (uint32_t i = 0; old.slots != NULL && i <= old.mask; i++)
        if (old.slots[i].key != HD_MAP_FREE)
            map->slots[find(map, old.slots[i].key)] = old.slots[i];
    free(old.slots);
}

static inline uint64_t *
add(hd_map *map, uint64_t key, bool *is_new)
{
    uint32_t i = find(map, key);

    *is_new = map->slots[i].key == HD_MAP_FREE;
    if (*is_new) {
        map->slots[i] = (hd_map_slot){ .key = key };
        map->n++;
    }
    return &map->slots[i].value;
}

static __attribute__((noinline)) uint64_t *
add_grown(hd_map *map, uint64_t key, bool *is_new)
{
    grow(map);
    return add(map, key, is_new);
}

uint64_t *
hd_map_add(hd_map *map, uint64_t key, bool *is_new)
{
    HD_ASSERT(key != HD_MAP_FREE);
    if (HD_UNLIKELY(2 * map->n >= map->mask)) /* half full, or without slots: 0 >= 0 */
        return add_grown(map, key, is_new);
    return add(map, key, is_new);
}

uint64_t *
hd_map_get(const hd_map *map, uint64_t key)
{
    uint32_t i;

    if (map->slots == NULL || key == HD_MAP_FREE)
        return NULL;
    i = find(map, key);
    return map->slots[i].key == key ? &map->slots[i].value : NULL;
}

bool
hd_map_take(hd_map *map, uint64_t key, uint64_t *value)
{
    uint32_t hole, i;

    if (map->slots == NULL || key == HD_MAP_FREE)
        return false;
    hole = find(map, key);
    if (map->slots[hole].key != key)
        return false;
    *value = map->slots[hole].value;
    for (i = (hole + 1) & map->mask; map->slots[i].key != HD_MAP_FREE; i = (i + 1) & map->mask) {
        uint32_t home = (uint32_t)hd_hash(map->slots[i].key) & map->mask;

        if (((i - home) & map->mask) >= ((i - hole) & map->mask)) {
            map->slots[hole] = map->slots[i];
            hole             = i;
        }
    }
    map->slots[hole].key = HD_MAP_FREE;
    map->n--;
    return true;
}

bool
hd_map_remove(hd_map *map, uint64_t key)
{
    return hd_map_take(map, key, &(uint64_t){ 0 });
}
