#include "level_table.h"

#include "memory.h"

static int
compare_rows(const void *left, const void *right)
{
    const hd_level_row *a = left, *b = right;

    if (a->level.counter != b->level.counter)
        return a->level.counter < b->level.counter ? -1 : 1;
    return (a->location > b->location) - (a->location < b->location);
}

hd_level_table
hd_level_table_gather(hd_analysis_comm *analysis_comm, const hd_trace *trace)
{
    hd_level_table table    = { 0 };
    size_t         capacity = 0;
    uint8_t       *all      = NULL;
    uint64_t      *n_bytes  = NULL, sum = 0;

    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &trace->processes[p].locations[t];

            for (size_t i = 0; i < location->more->n_levels; i++)
                HD_PUSH(table.rows, table.n, capacity,
                        ((hd_level_row){ location->more->levels[i], location->location }));
        }
    hd_analysis_comm_gather(analysis_comm, table.rows, table.n * sizeof *table.rows, &all, &n_bytes);
    for (uint32_t r = 0; n_bytes != NULL && r < hd_analysis_comm_size(analysis_comm); r++)
        sum += n_bytes[r];
    free(n_bytes);
    free(table.rows);
    table.rows = (hd_level_row *)(void *)all;
    table.n    = sum / sizeof *table.rows;
    if (table.n > 1)
        qsort(table.rows, table.n, sizeof *table.rows, compare_rows);
    return table;
}

void
hd_level_table_fini(hd_level_table *table)
{
    free(table->rows);
    *table = (hd_level_table){ 0 };
}

bool
hd_level_is_level(const hd_defs *defs, const hd_level *level)
{
    uint8_t mode = hd_defs_counters(defs)[level->counter].mode;

    return mode == HD_COUNTER_LEVEL || (mode == HD_COUNTER_ACCUMULATED && level->has_fallen);
}
