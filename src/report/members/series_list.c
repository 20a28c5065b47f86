/* src/report/members/series_list.c: writes and reads the tables of time series. */
#include "series_list.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30, MAX_ID = 64, MAX_ROW = MAX_ID + 4 * HD_TSV_MAX_NUMBER, AT_ONCE = 16 /* rows */ };

static const char head_of_slices[] = "slice\tkind\tfrom\tto";
static const char head_of_series[] = "metric\tprocess\tprocesses\tslice\tvalue";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void
write_slice(FILE *file, uint32_t slice, const char *kind, uint64_t from, uint64_t to, uint64_t resolution)
{
    fprintf(file, "%" PRIu32 "\t%s\t", slice, kind);
    hd_tsv_put_ticks(file, from, resolution, '\t');
    hd_tsv_put_ticks(file, to, resolution, '\n');
}

void
hd_slices_write(FILE *file, const hd_windows *windows, hd_time begin, uint64_t length, uint64_t resolution)
{
    uint64_t from = windows->from - begin, to = windows->to - begin;

    fprintf(file, "%s\n", head_of_slices);
    write_slice(file, 0, "before", 0, from, resolution);
    for (uint32_t slice = 1; slice <= windows->n; slice++)
        write_slice(file, slice, "window", hd_windows_begin(windows, slice) - begin,
                    hd_windows_begin(windows, slice + 1) - begin, resolution);
    write_slice(file, windows->n + 1, "after", to, length > to ? length : to, resolution);
}

const char *
hd_series_metric_id(uint32_t metric)
{
    return metric == HD_SERIES_DURATION ? "duration" : hd_metric_infos[metric].id;
}

/* Returns the end of the line. */
static char *
add_row(char *at, const hd_series_row *row, uint64_t resolution)
{
    const char *id = hd_series_metric_id(row->metric);
    size_t      n  = strlen(id);

    HD_ASSERT(n < MAX_ID);
    memcpy(at, id, n);
    at += n;
    *at++ = '\t';
    at    = hd_tsv_add_count(at, row->process, '\t');
    at    = hd_tsv_add_count(at, row->n_processes, '\t');
    at    = hd_tsv_add_count(at, row->slice, '\t');
    return hd_tsv_add_ticks(at, (uint64_t)row->ticks, resolution, '\n');
}

void
hd_series_write_rows(FILE *file, const hd_series *series, uint64_t resolution)
{
    char lines[AT_ONCE * MAX_ROW], *at = lines;

    for (size_t i = 0; i < series->n; i++) {
        at = add_row(at, &series->rows[i], resolution);
        if (i % AT_ONCE != AT_ONCE - 1 && i + 1 < series->n)
            continue;
        fwrite(lines, 1, (size_t)(at - lines), file);
        at = lines;
    }
}

void
hd_series_write(FILE *file, const hd_series *series, uint64_t resolution)
{
    fprintf(file, "%s\n", head_of_series);
    hd_series_write_rows(file, series, resolution);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_series_list *list;
    size_t          capacity;
    bool            is_over; /* the slice after all windows was there */
} reading;

static bool
read_slice(void *context, char *line)
{
    reading        *r    = context;
    hd_series_list *list = r->list;
    hd_slice_entry  entry;
    uint32_t        number;
    const char     *kind;
    bool            is_last;

    if (r->is_over || !hd_tsv_number(hd_tsv_next(&line), &number) || number != list->n_slices ||
        number > HD_MAX_WINDOWS + 1 || (kind = hd_tsv_next(&line)) == NULL)
        return false;
    is_last = strcmp(kind, "after") == 0;
    if (strcmp(kind, number == 0 ? "before" : is_last ? "after" : "window") != 0 || (is_last && number < 2) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.from) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.to) ||
        line != NULL || entry.to < entry.from)
        return false;
    if (number % 64 == 0)
        list->slices = hd_realloc(list->slices, (size_t)number + 64, sizeof *list->slices);
    list->slices[list->n_slices++] = entry;
    r->is_over                     = is_last;
    return true;
}

static bool
read_entry(void *context, char *line)
{
    reading        *r     = context;
    hd_series_entry entry = { 0 };
    const char     *id    = hd_tsv_next(&line);

    entry.metric = id != NULL ? hd_metric_by_id(id) : HD_NONE;
    if (entry.metric == HD_NONE || !hd_tsv_number(hd_tsv_next(&line), &entry.process) || entry.process == HD_NONE ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.n_processes) || entry.n_processes == 0 ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.slice) || entry.slice >= r->list->n_slices ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.value) || line != NULL)
        return false;
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

hd_status
hd_series_list_read(hd_cube *cube, hd_series_list *list)
{
    reading   r = { .list = list };
    hd_status status;

    *list  = (hd_series_list){ 0 };
    status = hd_tsv_member(cube, HD_SLICES_MEMBER, MAX_BYTES, head_of_slices, read_slice, &r, &list->is_there);
    if (status == HD_OK && list->is_there && !r.is_over)
        status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: table \"%s\" has no end", cube->path, HD_SLICES_MEMBER);
    if (status == HD_OK)
        status = hd_tsv_member(cube, HD_SERIES_MEMBER, MAX_BYTES, head_of_series, read_entry, &r, &list->is_there);
    if (status != HD_OK)
        hd_series_list_fini(list);
    return status;
}

void
hd_series_list_fini(hd_series_list *list)
{
    free(list->slices);
    free(list->entries);
    *list = (hd_series_list){ 0 };
}
