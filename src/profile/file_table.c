/* src/profile/file_table.c: sums up what processes did with files. Each rank sorts its rows once; pairs of ranks merge
 * sorted rows. */
#include "file_table.h"

#include <stdlib.h>

#include "memory.h"

void
hd_file_table_fini(hd_file_table *table)
{
    free(table->rows);
    *table = (hd_file_table){ 0 };
}

static int
compare_files(const void *left, const void *right)
{
    const hd_file_row *a = left, *b = right;

    return (a->file > b->file) - (a->file < b->file);
}

static void
add_row(hd_file_row *sum, const hd_file_row *row)
{
    sum->n_processes += row->n_processes;
    sum->reads += row->reads;
    sum->writes += row->writes;
    sum->others += row->others;
    sum->bytes_read += row->bytes_read;
    sum->bytes_written += row->bytes_written;
    sum->time += row->time;
}

/* Sorts rows; those of one file become one. Returns how many are left. */
static size_t
sort_rows(hd_file_row *rows, size_t n)
{
    size_t n_kept = 0;

    if (n > 1)
        qsort(rows, n, sizeof *rows, compare_files);
    for (size_t i = 0; i < n; i++)
        if (n_kept > 0 && rows[n_kept - 1].file == rows[i].file)
            add_row(&rows[n_kept - 1], &rows[i]);
        else
            rows[n_kept++] = rows[i];
    return n_kept;
}

void
hd_file_table_add(hd_file_table *table, const hd_loaded_process *process)
{
    const hd_analysis_intervals *intervals = process->analysis_intervals;
    uint32_t bits  = intervals != NULL && !intervals->is_main_window ? hd_analysis_intervals_bits(intervals) : 0;
    size_t   first = table->n;

    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t i = 0; i < process->locations[t].more->n_file_uses; i++) {
            const hd_file_use *use = &process->locations[t].more->file_uses[i];

            if ((use->node & bits) == 0)
                HD_PUSH(table->rows, table->n, table->capacity,
                        ((hd_file_row){ .file = use->file, .reads = use->reads, .writes = use->writes,
                                        .others = use->others, .bytes_read = use->bytes_read,
                                        .bytes_written = use->bytes_written, .time = use->time }));
        }
    if (table->n == first)
        return;
    table->n = first + sort_rows(table->rows + first, table->n - first);
    for (size_t i = first; i < table->n; i++)
        table->rows[i].n_processes = 1;
}

static void
merge_rows(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    const hd_file_row *a = (const void *)lower->data, *a_end = a + lower->n / sizeof *a;
    const hd_file_row *b = (const void *)upper->data, *b_end = b + upper->n / sizeof *b;
    hd_bytes           merged = { 0 };

    (void)context;
    if (b == b_end)
        return;
    hd_bytes_reserve(&merged, lower->n + upper->n);
    while (a < a_end || b < b_end) {
        bool        takes_a = b == b_end || (a < a_end && a->file <= b->file);
        hd_file_row row     = takes_a ? *a++ : *b++;

        if (takes_a && b < b_end && row.file == b->file)
            add_row(&row, b++);
        hd_bytes_put(&merged, &row, sizeof row);
    }
    hd_bytes_fini(lower);
    *lower = merged;
}

bool
hd_file_table_gather(hd_file_table *table, hd_analysis_comm *analysis_comm)
{
    size_t   n    = sort_rows(table->rows, table->n);
    hd_bytes rows = { .data = (uint8_t *)table->rows, .n = n * sizeof *table->rows,
                      .capacity = table->capacity * sizeof *table->rows };
    uint64_t has_any = n > 0;

    hd_analysis_comm_fold(analysis_comm, &rows, merge_rows, NULL);
    hd_analysis_comm_reduce(analysis_comm, &has_any, 1, HD_OR);
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        *table = (hd_file_table){ 0 };
    } else {
        table->rows = (hd_file_row *)(void *)rows.data;
        table->n    = table->capacity = rows.n / sizeof *table->rows;
    }
    return has_any != 0;
}
