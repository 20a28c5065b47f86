/* src/report/members/series_list.c: writes and reads the tables of time series. */
#include "series_list.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head_of_slices[] = "slice\tkind\tfrom\tto";
static const char head_of_rows[]   = "metric\tprocess\tprocesses\tslice\tvalue"; /* of reports of before */
static const char head_of_series[] = "metric\tprocess\tprocesses\tresolution\tfirst\tvalues";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

typedef struct slice_end { /* text of the end of the slice before, with which the next one begins */
    char   text[HD_TSV_MAX_NUMBER];
    size_t n;
} slice_end;

static char *
add_slice(char *at, uint32_t slice, const char *kind, uint64_t to, uint64_t resolution, slice_end *end)
{
    at = hd_tsv_add_count(at, slice, '\t');
    at = hd_tsv_add_text(at, kind, '\t');
    memcpy(at, end->text, end->n);
    at += end->n;
    *at++  = '\t';
    end->n = (size_t)(hd_tsv_add_ticks(end->text, to, resolution, '\n') - end->text) - 1;
    memcpy(at, end->text, end->n + 1);
    return at + end->n + 1;
}

void
hd_slices_write(FILE *file, const hd_windows *windows, hd_time begin, uint64_t length, uint64_t resolution)
{
    uint64_t   to  = windows->to - begin;
    slice_end  end = { "0", 1 };
    hd_tsv_out out;
    char      *at = hd_tsv_out_begin(&out, file, head_of_slices);

    for (uint32_t slice = 0; slice <= windows->n; slice++)
        at = add_slice(hd_tsv_out_room(&out, at), slice, slice == 0 ? "before" : "window",
                       hd_windows_begin(windows, slice + 1) - begin, resolution, &end);
    at = add_slice(hd_tsv_out_room(&out, at), windows->n + 1, "after", length > to ? length : to, resolution, &end);
    hd_tsv_out_flush(&out, at);
}

/* Elements without waiting before the slice. */
static char *
add_empty(hd_tsv_out *out, char *at, uint32_t n)
{
    for (; n > 0; n--) {
        at    = hd_tsv_out_room(out, at);
        *at++ = ',';
    }
    return at;
}

/* The value of a slice, for which there is room; before: the slice of the one before it, or this one. */
static inline char *
add_value(hd_tsv_out *out, char *at, uint32_t before, uint32_t slice, uint64_t ticks)
{
    if (HD_UNLIKELY(before + 1 < slice))
        at = add_empty(out, at, slice - before - 1);
    return hd_tsv_add_some(at, ticks, ',');
}

/* Rows of the same metric and process whose words say all. *slice: of the last one */
static inline char *
add_plain(hd_tsv_out *out, char *at, hd_record_cursor *cursor, uint32_t *slice)
{
    const uint8_t *word   = cursor->at, *stop;
    uint32_t       before = *slice, next;
    uint64_t       ticks;

    while (hd_series_next_plain(word, cursor->end, &next, &ticks)) {
        at   = hd_tsv_out_room(out, at);
        stop = cursor->end - word > 8 * HD_TSV_SOME ? word + 8 * HD_TSV_SOME : cursor->end;
        do {
            at     = add_value(out, at, before, next, ticks);
            before = next;
            word += 8;
        } while (hd_series_next_plain(word, stop, &next, &ticks));
    }
    cursor->at = word;
    *slice     = before;
    return at;
}

void
hd_series_write(FILE *file, const hd_series *series, const char *(*id)(uint32_t metric), uint64_t resolution)
{
    hd_series_cursor     cursor = hd_series_begin(series);
    const hd_series_row *row    = &cursor.row;
    uint32_t             metric = HD_NONE, process = HD_NONE, slice = 0;
    hd_tsv_out           out;
    char                *at = hd_tsv_out_begin(&out, file, head_of_series);

    while (hd_series_next(&cursor)) {
        if (row->process != process || row->metric != metric) {
            metric  = row->metric;
            process = row->process;
            slice   = row->slice;
            at[-1]  = '\n'; /* also that of the head */
            at      = hd_tsv_add_text(hd_tsv_out_room(&out, at), id(metric), '\t');
            at      = hd_tsv_add_count(at, process, '\t');
            at      = hd_tsv_add_count(at, row->n_processes, '\t');
            at      = hd_tsv_add_count(at, resolution, '\t');
            at      = hd_tsv_add_count(at, slice, '\t');
        }
        at    = add_value(&out, hd_tsv_out_room(&out, at), slice, row->slice, (uint64_t)row->ticks);
        slice = row->slice;
        at    = add_plain(&out, at, &cursor.at, &slice);
    }
    at[-1] = '\n';
    hd_tsv_out_flush(&out, at);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_series_list *list;
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

typedef struct reading_rows {
    hd_series_entry *rows;
    size_t           n, capacity;
    uint32_t       (*by_id)(const char *id);
    uint32_t         n_slices, n_groups;
} reading_rows;

static bool
read_place(reading_rows *r, char **line, hd_series_entry *entry)
{
    const char *id = hd_tsv_next(line);

    entry->metric = id != NULL ? r->by_id(id) : HD_NONE;
    return entry->metric != HD_NONE && hd_tsv_number(hd_tsv_next(line), &entry->process) &&
           entry->process < r->n_groups && hd_tsv_number(hd_tsv_next(line), &entry->n_processes) &&
           entry->n_processes > 0 && entry->n_processes <= r->n_groups - entry->process;
}

static bool
read_row(void *context, char *line)
{
    reading_rows   *r     = context;
    hd_series_entry entry = { 0 };

    if (!read_place(r, &line, &entry) || !hd_tsv_number(hd_tsv_next(&line), &entry.slice) ||
        entry.slice >= r->n_slices || !hd_tsv_seconds(hd_tsv_next(&line), &entry.value) || line != NULL)
        return false;
    HD_PUSH(r->rows, r->n, r->capacity, entry);
    return true;
}

static bool
read_values(void *context, char *line)
{
    reading_rows   *r     = context;
    hd_series_entry entry = { 0 };
    uint64_t        resolution, ticks;
    char           *at, *element;

    if (!read_place(r, &line, &entry) || !hd_tsv_count(hd_tsv_next(&line), &resolution) || resolution == 0 ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.slice) || entry.slice == HD_NONE ||
        (at = hd_tsv_next(&line)) == NULL || line != NULL)
        return false;
    for (; (element = hd_tsv_element(&at)) != NULL; entry.slice++) {
        if (entry.slice >= r->n_slices || (*element != '\0' && !hd_tsv_count(element, &ticks)))
            return false;
        entry.value = *element != '\0' ? (double)ticks / (double)resolution : 0;
        if (*element != '\0')
            HD_PUSH(r->rows, r->n, r->capacity, entry);
    }
    return true;
}

hd_status
hd_series_rows_read(hd_cube *cube, const char *member, uint32_t (*by_id)(const char *id), uint32_t n_slices,
                    hd_series_entry **rows, size_t *n, bool *is_there)
{
    reading_rows r    = { .by_id = by_id, .n_slices = n_slices, .n_groups = cube->n_groups };
    char        *text = NULL;
    size_t       bytes;
    hd_status    status = hd_cube_misc(cube, member, MAX_BYTES, &text, &bytes);
    bool         is_old = text != NULL && strncmp(text, head_of_rows, strlen(head_of_rows)) == 0;

    *is_there |= text != NULL;
    if (status == HD_OK && text != NULL)
        status = hd_tsv_lines(cube, member, text, is_old ? head_of_rows : head_of_series,
                              is_old ? read_row : read_values, &r);
    free(text);
    *rows = r.rows;
    *n    = r.n;
    return status;
}

static uint32_t
metric_by_id(const char *id)
{
    return hd_metric_by_id(id);
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
        status = hd_series_rows_read(cube, HD_SERIES_MEMBER, metric_by_id, list->n_slices, &list->entries, &list->n,
                                     &list->is_there);
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
