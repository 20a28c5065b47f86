#include "table.h"

#include <stdlib.h>

#include "memory.h"
#include "status.h"

void
hd_table_init(hd_table *table)
{
    *table = (hd_table){ 0 };
}

void
hd_table_fini(hd_table *table)
{
    free(table->slots);
    *table = (hd_table){ 0 };
}

static void
insert(hd_table *table, uint64_t key, uint32_t value)
{
    uint32_t i = (uint32_t)hd_hash(key) & table->mask;

    while (table->slots[i].value != HD_NONE)
        i = (i + 1) & table->mask;
    table->slots[i] = (hd_table_slot){ .key = key, .value = value };
}

static void
resize(hd_table *table, uint32_t n_slots)
{
    hd_table old = *table;

    table->slots = hd_realloc(NULL, n_slots, sizeof *table->slots);
    table->mask  = n_slots - 1;
    for (uint32_t i = 0; i < n_slots; i++)
        table->slots[i] = (hd_table_slot){ .value = HD_NONE };
    for (uint32_t i = 0; old.slots != NULL && i <= old.mask; i++)
        if (old.slots[i].value != HD_NONE)
            insert(table, old.slots[i].key, old.slots[i].value);
    free(old.slots);
}

void
hd_table_clear(hd_table *table)
{
    for (uint32_t i = 0; table->slots != NULL && i <= table->mask; i++)
        table->slots[i] = (hd_table_slot){ .value = HD_NONE };
    table->n = 0;
}

void
hd_table_add(hd_table *table, uint64_t key, uint32_t value)
{
    HD_ASSERT(value != HD_NONE);
    if (table->slots == NULL)
        resize(table, 8);
    else if (table->n + 1 > (table->mask + 1) / 4 * 3) {
        if (table->mask >= (UINT32_C(1) << 30))
            hd_fatal("out of memory: a table of %" PRIu32 " entries cannot grow", table->n);
        resize(table, (table->mask + 1) * 2);
    }
    insert(table, key, value);
    table->n++;
}
