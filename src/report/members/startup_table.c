/* src/report/members/startup_table.c: writes and reads the table of start-up. */
#include "startup_table.h"

#include <errno.h>
#include <stdlib.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head[] = "metric\tcall_path\tlocation\tvalue";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void
write_counter(FILE *file, const hd_startup_row *row, const hd_counter_def *counter)
{
    if (counter->type == HD_COUNTER_DOUBLE)
        fprintf(file, "%.17g\n", row->cost);
    else
        fprintf(file, "%" PRId64 "\n", row->value);
}

static void
write_metric(FILE *file, const hd_startup_row *row, const hd_metric_info *metric, uint64_t resolution)
{
    if (metric->unit == HD_UNIT_TICKS)
        fprintf(file, "%.17g\n", ((double)row->value + row->cost) / (double)resolution);
    else
        fprintf(file, "%" PRId64 "\n", row->value);
}

void
hd_startup_table_write(FILE *file, const hd_startup_row *rows, size_t n, const uint32_t *numbers,
                       char *const *counters, const hd_defs *defs)
{
    fprintf(file, "%s\n", head);
    for (size_t i = 0; i < n; i++) {
        bool     is_metric = rows[i].metric < HD_N_METRICS;
        uint32_t counter   = is_metric ? 0 : rows[i].metric - HD_N_METRICS;

        fputs(is_metric ? hd_metric_infos[rows[i].metric].id : counters[counter], file);
        fputc('\t', file);
        hd_tsv_put_count(file, numbers[rows[i].call_path], '\t');
        hd_tsv_put_count(file, rows[i].location, '\t');
        if (is_metric)
            write_metric(file, &rows[i], &hd_metric_infos[rows[i].metric], defs->resolution);
        else
            write_counter(file, &rows[i], &hd_defs_counters(defs)[counter]);
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    const hd_cube *cube;
    uint32_t      *places;
    const char    *last_id;     /* of the line before */
    uint32_t       last_metric;
    hd_cube_part  *parts;
    size_t         n, capacity;
} reading;

static uint32_t
find_metric(reading *r, const char *id)
{
    if (r->last_id == NULL || strcmp(id, r->last_id) != 0) {
        r->last_metric = hd_cube_metric_by_id(r->cube, id);
        r->last_id     = r->last_metric != HD_NONE ? r->cube->metrics[r->last_metric].id : NULL;
    }
    return r->last_metric;
}

static bool
read_value(const char *field, bool is_integer, hd_cube_cell *value)
{
    char *end;

    if (field == NULL || *field == '\0')
        return false;
    errno = 0;
    if (is_integer)
        value->integer = strtoll(field, &end, 10);
    else
        value->real = strtod(field, &end);
    return *end == '\0' && errno == 0 && (is_integer || (value->real - value->real == 0));
}

static bool
read_row(void *context, char *line)
{
    reading     *r    = context;
    hd_cube_part part = { 0 };
    const char  *id   = hd_tsv_next(&line);

    part.metric = id != NULL ? find_metric(r, id) : HD_NONE;
    if (part.metric == HD_NONE || !hd_tsv_path(hd_tsv_next(&line), r->places, r->cube->n_paths, &part.path) ||
        part.path == HD_NONE || !hd_tsv_number(hd_tsv_next(&line), &part.location) ||
        part.location >= r->cube->n_locations ||
        !read_value(hd_tsv_next(&line), r->cube->metrics[part.metric].is_integer, &part.value) || line != NULL)
        return false;
    HD_PUSH(r->parts, r->n, r->capacity, part);
    return true;
}

static int
compare_parts(const void *left, const void *right)
{
    const hd_cube_part *a = left, *b = right;

    if (a->metric != b->metric)
        return a->metric < b->metric ? -1 : 1;
    if (a->path != b->path)
        return a->path < b->path ? -1 : 1;
    return (a->location > b->location) - (a->location < b->location);
}

hd_status
hd_startup_table_read(hd_cube *cube, hd_cube_part **parts, size_t *n)
{
    reading   r        = { .cube = cube, .places = hd_tsv_places(cube) };
    bool      is_there = false;
    hd_status status   = hd_tsv_member(cube, HD_STARTUP_MEMBER, MAX_BYTES, head, read_row, &r, &is_there);

    free(r.places);
    if (status == HD_OK && is_there && r.parts == NULL)
        r.parts = HD_NEW_ARRAY(hd_cube_part, 1);
    if (status != HD_OK) {
        free(r.parts);
        r = (reading){ .parts = NULL };
    }
    if (r.n > 1)
        qsort(r.parts, r.n, sizeof *r.parts, compare_parts);
    *parts = r.parts;
    *n     = r.n;
    return status;
}
