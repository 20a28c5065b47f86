/* src/base/map.h: a hash map from a 64-bit key to a 64-bit value, with removal: open collectives, tasks.
 *
 * Open addressing, linear probing, removal by shifting back, at most half full. Grows with: the most keys at one time.
 * Uses: table.h's hash, memory. MT: one thread at a time. Ranks: local. Cost of every call: O(1) expected.
 */
#ifndef HD_MAP_H
#define HD_MAP_H

#include "table.h"
#include "types.h"

typedef struct hd_map_slot {
    uint64_t key, value;
} hd_map_slot;

typedef struct hd_map {
    hd_map_slot *slots; /* key == HD_MAP_FREE: free */
    uint32_t     mask, n;
} hd_map;

#define HD_MAP_FREE UINT64_MAX /* may not be added, and is never there */

void hd_map_fini(hd_map *map); /* an hd_map of zeros is an empty one */

/* The place of key's value, made (value 0, *is_new set to true) if not there; valid until the next add or remove. */
uint64_t *hd_map_add(hd_map *map, uint64_t key, bool *is_new);
/* The place of key's value, NULL if not there. */
uint64_t *hd_map_get(const hd_map *map, uint64_t key);
/* Removes key; false if it was not there. value: out, what it had; as it was if it was not there. */
bool hd_map_take(hd_map *map, uint64_t key, uint64_t *value);
bool hd_map_remove(hd_map *map, uint64_t key); /* the same */

#endif
