/* src/report/members/file_list.c: writes and reads the table of files. */
#include "file_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head[] =
    "file\tparadigm\tinner\tprocesses\treads\twrites\tothers\tbytes_read\tbytes_written\ttime";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

typedef struct order_key {
    const hd_file_row *row;
    const hd_file     *file;
    const char        *name;
} order_key;

static int
compare_keys(const void *left, const void *right)
{
    const order_key *a = left, *b = right;
    int              names;

    if (a->row->time != b->row->time)
        return a->row->time > b->row->time ? -1 : 1;
    names = strcmp(a->name, b->name);
    if (names != 0)
        return names;
    return (a->row->file > b->row->file) - (a->row->file < b->row->file);
}

void
hd_files_write(FILE *file, const hd_file_table *table, const hd_defs *defs)
{
    order_key *keys = HD_NEW_ARRAY(order_key, table->n + 1);

    for (size_t i = 0; i < table->n; i++) {
        const hd_file *of = &hd_defs_files(defs)[table->rows[i].file];

        keys[i] = (order_key){ &table->rows[i], of, hd_defs_text(defs, of->name) };
    }
    qsort(keys, table->n, sizeof *keys, compare_keys);
    fprintf(file, "%s\n", head);
    for (size_t i = 0; i < table->n; i++) {
        const hd_file_row *row = keys[i].row;

        hd_write_cell(file, keys[i].name, HD_CELL_WHOLE);
        fputc('\t', file);
        hd_write_cell(file, hd_defs_text(defs, keys[i].file->paradigm), HD_CELL_WHOLE);
        fprintf(file, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t",
                keys[i].file->is_inner, row->n_processes, row->reads, row->writes, row->others, row->bytes_read,
                row->bytes_written);
        hd_tsv_put_ticks(file, (uint64_t)row->time, defs->resolution, '\n');
    }
    free(keys);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_file_list *list;
    size_t        capacity;
} reading;

static bool
read_file(void *context, char *line)
{
    reading      *r     = context;
    hd_file_entry entry = { 0 };
    const char   *name  = hd_tsv_next(&line), *paradigm = hd_tsv_next(&line);

    if (name == NULL || paradigm == NULL || !hd_tsv_number(hd_tsv_next(&line), &entry.is_inner) || entry.is_inner > 1 ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.n_processes) || entry.n_processes == HD_NONE ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.reads) || !hd_tsv_count(hd_tsv_next(&line), &entry.writes) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.others) || !hd_tsv_count(hd_tsv_next(&line), &entry.bytes_read) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.bytes_written) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.time) ||
        line != NULL)
        return false;
    entry.name     = hd_tsv_name(name);
    entry.paradigm = hd_tsv_name(paradigm);
    if (entry.name == NULL || entry.paradigm == NULL) {
        free(entry.name);
        free(entry.paradigm);
        return false;
    }
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

hd_status
hd_file_list_read(hd_cube *cube, hd_file_list *list)
{
    reading   r = { .list = list };
    hd_status status;

    *list  = (hd_file_list){ 0 };
    status = hd_tsv_member(cube, HD_FILES_MEMBER, MAX_BYTES, head, read_file, &r, &list->is_there);
    if (status != HD_OK)
        hd_file_list_fini(list);
    return status;
}

void
hd_file_list_fini(hd_file_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->entries[i].name);
        free(list->entries[i].paradigm);
    }
    free(list->entries);
    *list = (hd_file_list){ 0 };
}

double
hd_file_bandwidth(const hd_file_entry *entry)
{
    double bytes = (double)entry->bytes_read + (double)entry->bytes_written;

    return bytes > 0 && entry->time > 0 ? bytes / entry->time : NAN;
}

hd_file_entry
hd_file_list_total(const hd_file_list *list)
{
    hd_file_entry total = { 0 };

    for (size_t i = 0; i < list->n; i++) {
        const hd_file_entry *entry = &list->entries[i];

        if (entry->is_inner != 0)
            continue;
        total.reads += entry->reads;
        total.writes += entry->writes;
        total.others += entry->others;
        total.bytes_read += entry->bytes_read;
        total.bytes_written += entry->bytes_written;
        total.time += entry->time;
    }
    return total;
}
