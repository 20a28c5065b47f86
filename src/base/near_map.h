/* src/base/near_map.h: a map as map.h, for keys that mostly follow each other, as the numbers of requests do: of those
 * that are there at one time, each has a place of its own in an array, by its lowest bits. What finds its place taken
 * is in a map.
 *
 * Grows with: the most keys at one time. Uses: map. MT: one thread at a time. Ranks: local. Cost of every call: O(1)
 * expected.
 */
#ifndef HD_NEAR_MAP_H
#define HD_NEAR_MAP_H

#include "map.h"

typedef struct hd_near_map {
    hd_map_slot *slots; /* [mask + 1], key == HD_MAP_FREE: free; NULL: nothing yet */
    uint64_t     mask;
    uint32_t     n;     /* in slots */
    hd_map       others;
} hd_near_map;

void hd_near_map_fini(hd_near_map *map); /* an hd_near_map of zeros is an empty one */

void hd_near_map_put_other(hd_near_map *map, uint64_t key, uint64_t value);
/* Puts a value; one that was there is replaced. key: not HD_MAP_FREE. */
static inline void
hd_near_map_put(hd_near_map *map, uint64_t key, uint64_t value)
{
    if (HD_LIKELY(map->slots != NULL && map->others.n == 0)) {
        hd_map_slot *slot = &map->slots[key & map->mask];

        if (HD_LIKELY(slot->key == HD_MAP_FREE)) {
            *slot = (hd_map_slot){ .key = key, .value = value };
            map->n++;
            return;
        }
    }
    hd_near_map_put_other(map, key, value);
}

/* Removes key; false if it was not there. value: out, what it had; as it was if it was not there. */
static inline bool
hd_near_map_take(hd_near_map *map, uint64_t key, uint64_t *value)
{
    if (HD_LIKELY(map->slots != NULL && key != HD_MAP_FREE)) {
        hd_map_slot *slot = &map->slots[key & map->mask];

        if (HD_LIKELY(slot->key == key)) {
            *value    = slot->value;
            slot->key = HD_MAP_FREE;
            map->n--;
            return true;
        }
    }
    return hd_map_take(&map->others, key, value);
}

static inline bool
hd_near_map_is_empty(const hd_near_map *map)
{
    return map->n == 0 && map->others.n == 0;
}

/* All that is left goes into a map. */
void hd_near_map_settle(hd_near_map *map, hd_map *into);

#endif
