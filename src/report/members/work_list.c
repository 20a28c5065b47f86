#include "work_list.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head[] = "call path\tprocess\tthread\twaits\ttime\ttime of others\tcounter\town\tothers";

void
hd_work_write(FILE *file, const hd_work_table *table, const hd_compared_counters *compared, const hd_defs *defs,
              const uint32_t *numbers)
{
    fprintf(file, "%s\n", head);
    for (size_t i = 0; i < table->n; i++) {
        const hd_work_row     *row      = &table->rows[i];
        const hd_location_def *location = &hd_defs_locations(defs)[row->location];

        for (uint32_t k = 0; k < compared->n; k++) {
            fprintf(file, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t", numbers[row->call_path], location->process,
                    location->thread, row->n);
            hd_tsv_put_ticks(file, (uint64_t)row->own.time, defs->resolution, '\t');
            hd_tsv_put_ticks(file, (uint64_t)row->others.time, defs->resolution, '\t');
            hd_write_cell(file, hd_defs_text(defs, hd_defs_counters(defs)[compared->counters[k]].name), HD_CELL_WHOLE);
            fprintf(file, "\t%" PRIu64 "\t%" PRIu64 "\n", row->own.counted[k], row->others.counted[k]);
        }
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_work_list  *list;
    const hd_cube *cube;
    uint32_t      *places;    /* of call paths, by id */
    hd_table       locations; /* process and thread -> location */
    size_t         capacity;
} reading;

/* HD_COMPARED_MAX: there are too many, or the name is damaged. */
static uint32_t
counter_of(hd_work_list *list, const char *cell)
{
    char    *name = hd_tsv_name(cell);
    uint32_t at   = 0;

    while (name != NULL && at < list->n_counters && strcmp(list->names[at], name) != 0)
        at++;
    if (name != NULL && at == list->n_counters && at < HD_COMPARED_MAX)
        list->names[list->n_counters++] = name;
    else {
        at = name != NULL ? at : HD_COMPARED_MAX;
        free(name);
    }
    return at;
}

static hd_work_entry *
entry_of(reading *r, const hd_work_entry *entry)
{
    hd_work_list *list = r->list;

    if (list->n == 0 || list->entries[list->n - 1].path != entry->path ||
        list->entries[list->n - 1].location != entry->location)
        HD_PUSH(list->entries, list->n, r->capacity, *entry);
    return &list->entries[list->n - 1];
}

static bool
read_work(void *context, char *line)
{
    reading       *r     = context;
    hd_work_entry  entry = { 0 }, *to;
    uint32_t       process, thread, counter;
    uint64_t       own, others;

    if (!hd_tsv_path(hd_tsv_next(&line), r->places, r->cube->n_paths, &entry.path) || entry.path == HD_NONE ||
        !hd_tsv_number(hd_tsv_next(&line), &process) || !hd_tsv_number(hd_tsv_next(&line), &thread) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.waits) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.own.time) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.others.time))
        return false;
    counter = counter_of(r->list, hd_tsv_next(&line));
    if (counter == HD_COMPARED_MAX || !hd_tsv_count(hd_tsv_next(&line), &own) ||
        !hd_tsv_count(hd_tsv_next(&line), &others) || line != NULL)
        return false;
    entry.location = hd_table_get(&r->locations, (uint64_t)process << 32 | thread);
    if (entry.location == HD_NONE)
        return false;
    if (r->cube->skipped != NULL && r->cube->skipped[entry.path])
        return true;
    to                          = entry_of(r, &entry);
    to->own.counted[counter]    = (double)own;
    to->others.counted[counter] = (double)others;
    return true;
}

hd_status
hd_work_list_read(hd_cube *cube, hd_work_list *list)
{
    reading   r = { .list = list, .cube = cube, .places = hd_tsv_places(cube) };
    hd_status status;

    *list = (hd_work_list){ 0 };
    hd_table_init(&r.locations);
    for (uint32_t i = 0; i < cube->n_locations; i++) {
        uint64_t key = (uint64_t)cube->locations[i].process << 32 | cube->locations[i].thread;

        if (hd_table_get(&r.locations, key) == HD_NONE)
            hd_table_add(&r.locations, key, i);
    }
    status = hd_tsv_member(cube, HD_WORK_MEMBER, MAX_BYTES, head, read_work, &r, &list->is_there);
    if (status != HD_OK)
        hd_work_list_fini(list);
    hd_table_fini(&r.locations);
    free(r.places);
    return status;
}

void
hd_work_list_fini(hd_work_list *list)
{
    for (uint32_t i = 0; i < list->n_counters; i++)
        free(list->names[i]);
    free(list->entries);
    *list = (hd_work_list){ 0 };
}
