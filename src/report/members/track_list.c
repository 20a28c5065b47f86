#include "track_list.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "level_list.h"
#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head[] = "track\tcounter\tunit\tscope\tkind\tslice\tvalues\tsum\tleast\tmean\tmost";

void
hd_tracks_write(FILE *file, const hd_track_table *table, const hd_defs *defs)
{
    uint32_t number = 0;

    fprintf(file, "%s\n", head);
    for (size_t i = 0; i < table->n; i++) {
        const hd_track_row   *row     = &table->rows[i];
        const hd_counter_def *counter = &hd_defs_counters(defs)[row->counter];
        char                 *scope   = hd_level_scope(defs, row->counter, row->location);

        number += i == 0 || row->counter != row[-1].counter || row->location != row[-1].location;
        fprintf(file, "%" PRIu32 "\t", number);
        hd_write_cell(file, hd_defs_text(defs, counter->name), HD_CELL_WHOLE);
        fputc('\t', file);
        hd_write_cell(file, hd_defs_text(defs, counter->unit), HD_CELL_WHOLE);
        fputc('\t', file);
        hd_write_cell(file, scope, HD_CELL_WHOLE);
        fprintf(file, "\t%s\t%" PRIu32 "\t%" PRIu64, row->is_level != 0 ? "level" : "sum", row->slice, row->n);
        if (row->is_level != 0)
            fprintf(file, "\t\t%.17g\t%.17g\t%.17g\n", row->least, row->mean, row->most);
        else
            fprintf(file, "\t%.17g\t\t\t\n", row->sum);
        free(scope);
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_track_list *list;
    size_t         capacity;
    uint32_t       n_slices;
} reading;

static void
free_track(hd_track *track)
{
    free(track->counter);
    free(track->unit);
    free(track->scope);
    free(track->slices);
}

/* The next one. Takes its texts. NULL: they are damaged. */
static hd_track *
add_track(reading *r, hd_track *named)
{
    if (named->counter == NULL || named->unit == NULL || named->scope == NULL) {
        free_track(named);
        return NULL;
    }
    HD_PUSH(r->list->tracks, r->list->n, r->capacity, *named);
    return &r->list->tracks[r->list->n - 1];
}

static bool
read_row(void *context, char *line)
{
    reading       *r     = context;
    hd_track_slice row   = { 0 };
    hd_track       named = { 0 }, *track;
    const char    *texts[3], *kind;
    uint32_t       number;

    if (!hd_tsv_number(hd_tsv_next(&line), &number))
        return false;
    for (int i = 0; i < 3; i++)
        texts[i] = hd_tsv_next(&line);
    kind = hd_tsv_next(&line);
    if (texts[2] == NULL || kind == NULL || (strcmp(kind, "level") != 0 && strcmp(kind, "sum") != 0) ||
        !hd_tsv_number(hd_tsv_next(&line), &row.slice) || row.slice >= r->n_slices ||
        !hd_tsv_count(hd_tsv_next(&line), &row.n) || !hd_tsv_real(hd_tsv_next(&line), &row.sum) ||
        !hd_tsv_real(hd_tsv_next(&line), &row.least) || !hd_tsv_real(hd_tsv_next(&line), &row.mean) ||
        !hd_tsv_real(hd_tsv_next(&line), &row.most) || line != NULL)
        return false;
    if (number == r->list->n && number > 0)
        track = &r->list->tracks[number - 1];
    else {
        named = (hd_track){ .counter = hd_tsv_name(texts[0]), .unit = hd_tsv_name(texts[1]),
                            .scope = hd_tsv_name(texts[2]), .is_level = strcmp(kind, "level") == 0 };
        track = add_track(r, &named);
    }
    if (number != r->list->n)
        return false;
    if (track == NULL || (track->n > 0 && track->slices[track->n - 1].slice >= row.slice))
        return false;
    HD_PUSH(track->slices, track->n, track->capacity, row);
    return true;
}

hd_status
hd_track_list_read(hd_cube *cube, uint32_t n_slices, hd_track_list *list)
{
    reading   r = { .list = list, .n_slices = n_slices };
    hd_status status;

    *list  = (hd_track_list){ 0 };
    status = hd_tsv_member(cube, HD_TRACKS_MEMBER, MAX_BYTES, head, read_row, &r, &list->is_there);
    if (status != HD_OK)
        hd_track_list_fini(list);
    return status;
}

void
hd_track_list_fini(hd_track_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free_track(&list->tracks[i]);
    free(list->tracks);
    *list = (hd_track_list){ 0 };
}
