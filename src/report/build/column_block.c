/* src/report/build/column_block.c: entries of a location are sorted by call path, so it counts, then places. */
#include "column_block.h"

#include "location_cursor.h"
#include "memory.h"
#include "status.h"

void
hd_column_block_init(hd_column_block *block, uint32_t n_paths)
{
    *block = (hd_column_block){ .n_paths = n_paths, .start = HD_NEW_ARRAY(size_t, (size_t)n_paths + 1) };
}

void
hd_column_block_fini(hd_column_block *block)
{
    free(block->collected);
    free(block->columns);
    free(block->start);
    *block = (hd_column_block){ .n_paths = 0 };
}

/* seen: [n_paths] the last column that has it, from 1 on; 0: none so far */
static inline void
count(hd_column_block *block, uint32_t call_path, uint32_t column, uint32_t *seen)
{
    HD_ASSERT(call_path < block->n_paths);
    block->start[call_path] += seen[call_path] != column + 1;
    seen[call_path] = column + 1;
}

/* How many columns have the call paths, into start. */
static void
count_all(hd_column_block *block)
{
    uint32_t *seen = HD_NEW_ARRAY(uint32_t, (size_t)block->n_paths + 1);

    memset(block->start, 0, ((size_t)block->n_paths + 1) * sizeof *block->start);
    for (uint32_t column = 0; column < block->n_columns; column++) {
        const hd_report_location *location = &block->locations[column];

        for (size_t i = 0; i < location->n; i++)
            count(block, location->entries[i].call_path, column, seen);
        for (size_t i = 0; i < location->n_costs; i++)
            count(block, location->costs[i].call_path, column, seen);
    }
    free(seen);
}

void
hd_column_block_take(hd_column_block *block, const hd_report_location *locations, uint32_t n)
{
    size_t all = 0;

    block->locations = locations;
    block->n_columns = n;
    count_all(block);
    for (uint32_t call_path = 0; call_path < block->n_paths; call_path++) {
        size_t here = block->start[call_path];

        block->start[call_path] = all;
        all += here;
    }
    block->collected = hd_realloc(block->collected, all, sizeof *block->collected);
    block->columns   = hd_realloc(block->columns, all, sizeof *block->columns);
    for (uint32_t column = 0; column < n; column++) {
        hd_location_cursor cursor = { .location = &locations[column] };
        hd_collected       collected;
        uint32_t           call_path;

        while ((call_path = hd_location_cursor_take(&cursor, &collected)) != HD_NONE) {
            block->collected[block->start[call_path]] = collected;
            block->columns[block->start[call_path]++] = column;
        }
    }
    /* start[i] is now the end of i, that is, the start of i + 1 */
    memmove(block->start + 1, block->start, block->n_paths * sizeof *block->start);
    block->start[0] = 0;
}
