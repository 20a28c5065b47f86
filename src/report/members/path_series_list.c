/* src/report/members/path_series_list.c: writes and reads the tables of time series by call path. */
#include "path_series_list.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head[] = "metric\tcallpath\tresolution\tprocesses\tfirst\tvalues\tmost\tprocess";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* A field of rows [n] of one wait state and call path. */
static inline __attribute__((always_inline)) char *
add_list(hd_tsv_out *out, char *at, const hd_path_row *rows, size_t n, uint64_t (*value_of)(const hd_path_row *row),
         char behind)
{
    uint32_t slice = rows[0].slice;

    for (size_t i = 0, stop; i < n;) {
        at   = hd_tsv_out_room(out, at);
        stop = n - i > HD_TSV_SOME ? i + HD_TSV_SOME : n;
        for (; i < stop; i++) {
            for (; HD_UNLIKELY(slice + 1 < rows[i].slice); slice++) {
                at    = hd_tsv_out_room(out, at);
                *at++ = ',';
            }
            slice = rows[i].slice;
            at    = hd_tsv_add_some(at, value_of(&rows[i]), ',');
        }
    }
    at[-1] = behind;
    return at;
}

static inline uint64_t
sum_of(const hd_path_row *row)
{
    return (uint64_t)row->sum;
}

static inline uint64_t
most_of(const hd_path_row *row)
{
    return (uint64_t)row->most;
}

static inline uint64_t
process_of(const hd_path_row *row)
{
    return row->process;
}

void
hd_path_series_write_head(FILE *file)
{
    fprintf(file, "%s\n", head);
}

void
hd_path_series_write(FILE *file, const hd_path_series *series, const hd_path_fold *fold, const uint32_t *numbers,
                     uint64_t resolution)
{
    hd_tsv_out out;
    char      *at = out.text;

    out.file = file;
    for (size_t i = 0, end; i < series->n; i = end) {
        const hd_path_row *first = &series->rows[i];
        uint32_t           path  = fold->paths[first->place];

        for (end = i + 1; end < series->n && series->rows[end].metric == first->metric &&
                          series->rows[end].place == first->place; end++)
            ;
        at = hd_tsv_add_text(hd_tsv_out_room(&out, at), hd_metric_infos[first->metric].id, '\t');
        if (path != HD_NONE)
            at = hd_tsv_add_count(at, numbers[path], '\t');
        else
            *at++ = '\t';
        at = hd_tsv_add_count(at, resolution, '\t');
        at = hd_tsv_add_count(at, series->n_together, '\t');
        at = hd_tsv_add_count(at, first->slice, '\t');
        at = add_list(&out, at, first, end - i, sum_of, '\t');
        at = add_list(&out, at, first, end - i, most_of, '\t');
        at = add_list(&out, at, first, end - i, process_of, '\n');
    }
    hd_tsv_out_flush(&out, at);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_path_series_list *list;
    uint32_t            *places; /* of call paths by their ids */
    uint32_t             n_places, n_slices;
    size_t               capacity;
} reading;

static bool
read_element(reading *r, hd_path_entry entry, double resolution, const char *value, const char *most, const char *process)
{
    uint64_t ticks, most_ticks;

    if (value == NULL || most == NULL || process == NULL || entry.slice >= r->n_slices)
        return false;
    if (*value == '\0' && *most == '\0' && *process == '\0')
        return true;
    if (!hd_tsv_count(value, &ticks) || !hd_tsv_count(most, &most_ticks) || most_ticks > ticks ||
        !hd_tsv_number(process, &entry.process) || entry.process == HD_NONE)
        return false;
    entry.value = (double)ticks / resolution;
    entry.most  = (double)most_ticks / resolution;
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

static bool
read_line(void *context, char *line)
{
    reading      *r     = context;
    hd_path_entry entry = { 0 };
    const char   *id    = hd_tsv_next(&line);
    uint64_t      resolution;
    char         *values, *most, *processes;

    entry.metric = id != NULL ? hd_metric_by_id(id) : HD_NONE;
    if (entry.metric == HD_NONE || !hd_tsv_path(hd_tsv_next(&line), r->places, r->n_places, &entry.path) ||
        !hd_tsv_count(hd_tsv_next(&line), &resolution) || resolution == 0 ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.n_processes) || entry.n_processes == HD_NONE || entry.n_processes == 0 ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.slice) || entry.slice == HD_NONE)
        return false;
    values    = hd_tsv_next(&line);
    most      = hd_tsv_next(&line);
    processes = hd_tsv_next(&line);
    if (line != NULL || processes == NULL)
        return false;
    for (; values != NULL; entry.slice++)
        if (!read_element(r, entry, (double)resolution, hd_tsv_element(&values), hd_tsv_element(&most),
                          hd_tsv_element(&processes)))
            return false;
    return most == NULL && processes == NULL;
}

hd_status
hd_path_series_list_read(hd_cube *cube, const char *member, uint32_t n_slices, hd_path_series_list *list)
{
    reading   r = { .list = list, .places = hd_tsv_places(cube), .n_places = cube->n_paths, .n_slices = n_slices };
    hd_status status;

    *list  = (hd_path_series_list){ 0 };
    status = hd_tsv_member(cube, member, MAX_BYTES, head, read_line, &r, &list->is_there);
    free(r.places);
    if (status != HD_OK)
        hd_path_series_list_fini(list);
    return status;
}

void
hd_path_series_list_fini(hd_path_series_list *list)
{
    free(list->entries);
    *list = (hd_path_series_list){ 0 };
}
