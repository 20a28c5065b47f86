#include "work_table.h"

#include <stdlib.h>

#include "memory.h"

void
hd_work_table_init(hd_work_table *table)
{
    *table = (hd_work_table){ 0 };
    hd_table_init(&table->index);
}

void
hd_work_table_fini(hd_work_table *table)
{
    hd_table_fini(&table->index);
    free(table->rows);
    *table = (hd_work_table){ 0 };
}

static void
add_work(hd_work *sum, const hd_work *work)
{
    sum->time += work->time;
    for (uint32_t i = 0; i < HD_COMPARED_MAX; i++)
        sum->counted[i] += work->counted[i];
}

void
hd_work_table_add(hd_work_table *table, uint32_t location, uint32_t call_path, const hd_work *own,
                  const hd_work *others)
{
    uint64_t key = (uint64_t)location << 32 | call_path;
    uint32_t at  = hd_table_get(&table->index, key);

    if (at == HD_NONE) {
        at = (uint32_t)table->n;
        HD_PUSH(table->rows, table->n, table->capacity,
                ((hd_work_row){ .location = location, .call_path = call_path }));
        hd_table_add(&table->index, key, at);
    }
    table->rows[at].n++;
    add_work(&table->rows[at].own, own);
    add_work(&table->rows[at].others, others);
}

void
hd_work_table_take(hd_work_table *table, hd_work_table *from)
{
    for (size_t i = 0; i < from->n; i++)
        HD_PUSH(table->rows, table->n, table->capacity, from->rows[i]);
    hd_work_table_fini(from);
}

static int
compare_rows(const void *left, const void *right)
{
    const hd_work_row *a = left, *b = right;

    if (a->call_path != b->call_path)
        return a->call_path < b->call_path ? -1 : 1;
    return (a->location > b->location) - (a->location < b->location);
}

void
hd_work_table_gather(hd_work_table *table, hd_analysis_comm *analysis_comm)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    hd_analysis_comm_gather(analysis_comm, table->rows, table->n * sizeof *table->rows, &all, &n_bytes);
    for (uint32_t r = 0; n_bytes != NULL && r < hd_analysis_comm_size(analysis_comm); r++)
        sum += n_bytes[r];
    free(n_bytes);
    hd_work_table_fini(table);
    table->rows = (hd_work_row *)(void *)all;
    table->n    = sum / sizeof *table->rows;
    if (table->n > 1)
        qsort(table->rows, table->n, sizeof *table->rows, compare_rows);
}
