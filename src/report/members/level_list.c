/* src/report/members/level_list.c: writes and reads the table of levels. */
#include "level_list.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head[] = "counter\tunit\tscope\tkind\tvalues\tfrom\tto\tsum\tleast\tmean\tmost";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

char *
hd_level_scope(const hd_defs *defs, uint32_t counter, uint32_t recorder)
{
    const hd_counter_def  *track    = &hd_defs_counters(defs)[counter];
    const hd_location_def *location = &hd_defs_locations(defs)[recorder];

    if (counter >= defs->n_counters && track->scope == HD_SCOPE_PROCESS && track->scope_index != HD_NONE)
        return hd_format("process %" PRIu32, track->scope_index);
    if (counter >= defs->n_counters && track->scope == HD_SCOPE_NODE && track->scope_index != HD_NONE)
        return hd_format("node %s", hd_defs_text(defs, hd_defs_nodes(defs)[track->scope_index].name));
    if (hd_defs_processes(defs)[location->process].n_locations == 1)
        return hd_format("process %" PRIu32, location->process);
    return hd_format("process %" PRIu32 " location %" PRIu32, location->process, location->thread);
}

static void
put_time(FILE *file, hd_time time, const hd_defs *defs)
{
    fprintf(file, "\t%.9f", (double)hd_span_between(defs->first_time, time) / (double)defs->resolution);
}

void
hd_levels_write(FILE *file, const hd_level_table *table, const hd_defs *defs)
{
    fprintf(file, "%s\n", head);
    for (size_t i = 0; i < table->n; i++) {
        const hd_level       *level    = &table->rows[i].level;
        const hd_counter_def *counter  = &hd_defs_counters(defs)[level->counter];
        bool                  is_level = hd_level_is_level(defs, level);
        double                length   = (double)hd_span_between(level->begin, level->end);
        char                 *scope    = hd_level_scope(defs, level->counter, table->rows[i].location);

        hd_write_cell(file, hd_defs_text(defs, counter->name), HD_CELL_WHOLE);
        fputc('\t', file);
        hd_write_cell(file, hd_defs_text(defs, counter->unit), HD_CELL_WHOLE);
        fputc('\t', file);
        hd_write_cell(file, scope, HD_CELL_WHOLE);
        fprintf(file, "\t%s\t%" PRIu64, is_level ? "level" : "sum", level->n);
        put_time(file, level->begin, defs);
        put_time(file, level->end, defs);
        if (is_level)
            fprintf(file, "\t\t%.17g\t%.17g\t%.17g\n", level->least, length > 0 ? level->integral / length : level->last,
                    level->most);
        else
            fprintf(file, "\t%.17g\t\t\t\n",
                    counter->mode == HD_COUNTER_RELATIVE ? level->sum : level->last - level->first);
        free(scope);
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_level_list *list;
    size_t         capacity;
} reading;

static void
free_entry(hd_level_entry *entry)
{
    free(entry->counter);
    free(entry->unit);
    free(entry->scope);
}

static bool
read_level(void *context, char *line)
{
    reading       *r     = context;
    hd_level_entry entry = { 0 };
    const char    *names[3], *kind;
    double         from, to;

    for (int i = 0; i < 3; i++)
        names[i] = hd_tsv_next(&line);
    kind = hd_tsv_next(&line);
    if (names[2] == NULL || kind == NULL || (strcmp(kind, "level") != 0 && strcmp(kind, "sum") != 0) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.n) || !hd_tsv_real(hd_tsv_next(&line), &from) ||
        !hd_tsv_real(hd_tsv_next(&line), &to) || !hd_tsv_real(hd_tsv_next(&line), &entry.sum) ||
        !hd_tsv_real(hd_tsv_next(&line), &entry.least) || !hd_tsv_real(hd_tsv_next(&line), &entry.mean) ||
        !hd_tsv_real(hd_tsv_next(&line), &entry.most) || line != NULL)
        return false;
    entry.is_level = strcmp(kind, "level") == 0;
    entry.counter  = hd_tsv_name(names[0]);
    entry.unit     = hd_tsv_name(names[1]);
    entry.scope    = hd_tsv_name(names[2]);
    if (entry.counter == NULL || entry.unit == NULL || entry.scope == NULL) {
        free_entry(&entry);
        return false;
    }
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

hd_status
hd_level_list_read(hd_cube *cube, hd_level_list *list)
{
    reading   r = { .list = list };
    hd_status status;

    *list  = (hd_level_list){ 0 };
    status = hd_tsv_member(cube, HD_LEVELS_MEMBER, MAX_BYTES, head, read_level, &r, &list->is_there);
    if (status != HD_OK)
        hd_level_list_fini(list);
    return status;
}

void
hd_level_list_fini(hd_level_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free_entry(&list->entries[i]);
    free(list->entries);
    *list = (hd_level_list){ 0 };
}
