/* src/base/table.h: a hash table from a 64-bit key to a 32-bit value (usually an index into an array of the caller's).
 *
 * Open addressing, at most 3/4 full, no deletion. Grows with: distinct keys. Uses: memory.
 * MT: one thread at a time. Ranks: local. Cost of every call: O(1) expected.
 */
#ifndef HD_TABLE_H
#define HD_TABLE_H

#include "types.h"

typedef struct hd_table_slot {
    uint64_t key;
    uint32_t value; /* HD_NONE: free */
} __attribute__((packed)) hd_table_slot;

typedef struct hd_table {
    hd_table_slot *slots;
    uint32_t       mask; /* number of slots - 1, a power of two less one; slots == NULL: nothing yet */
    uint32_t       n;
} hd_table;

void hd_table_init(hd_table *table);
void hd_table_fini(hd_table *table);
void hd_table_clear(hd_table *table); /* without keys; it keeps its room. Cost: its slots */

static inline uint64_t
hd_hash(uint64_t key)
{
    key ^= key >> 32;
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return key ^ (key >> 29);
}

/* The value of key, HD_NONE if it is not there. */
static inline uint32_t
hd_table_get(const hd_table *table, uint64_t key)
{
    uint32_t i;

    if (table->slots == NULL)
        return HD_NONE;
    for (i = (uint32_t)hd_hash(key) & table->mask; table->slots[i].value != HD_NONE; i = (i + 1) & table->mask)
        if (table->slots[i].key == key)
            return table->slots[i].value;
    return HD_NONE;
}

/* Stores value (not HD_NONE) under key, which must not be there yet. */
void hd_table_add(hd_table *table, uint64_t key, uint32_t value);

#endif
