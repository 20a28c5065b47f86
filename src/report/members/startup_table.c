/* src/report/members/startup_table.c: writes and reads the table of start-up. */
#include "startup_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

enum { MOST_EMPTY = 8 }; /* elements of a list between two values; where there are more, the list ends */

static const char old_head[] = "metric\tcall_path\tlocation\tvalue"; /* of reports of before */
static const char head[]     = "metric\tcall_path\tresolution\tfirst\tvalues";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* How a value is written: as ticks, of which `resolution` are a second, where these are whole numbers; 0: as it is. */
static uint64_t
resolution_of(const hd_startup_row *row, uint64_t resolution)
{
    return row->metric < HD_N_METRICS && hd_metric_infos[row->metric].unit == HD_UNIT_TICKS && row->cost == 0 &&
           row->value >= 0 ? resolution : 0;
}

static bool
is_real(const hd_startup_row *row, const hd_defs *defs)
{
    return row->metric < HD_N_METRICS ? hd_metric_infos[row->metric].unit == HD_UNIT_TICKS :
           hd_defs_counters(defs)[row->metric - HD_N_METRICS].type == HD_COUNTER_DOUBLE;
}

static double
real_of(const hd_startup_row *row, uint64_t resolution)
{
    return row->metric < HD_N_METRICS ? ((double)row->value + row->cost) / (double)resolution : row->cost;
}

static char *
add_value(char *at, const hd_startup_row *row, const hd_defs *defs, uint64_t resolution)
{
    if (resolution != 0)
        return hd_tsv_add_count(at, (uint64_t)row->value, '\n') - 1;
    if (is_real(row, defs))
        return hd_tsv_add_exact(at, real_of(row, defs->resolution), '\n') - 1;
    return at + snprintf(at, HD_TSV_MAX_NUMBER, "%" PRId64, row->value);
}

/* Whether its value stands in the list that ends with that of the row before. */
static bool
goes_on(const hd_startup_row *row, const hd_defs *defs, uint64_t resolution)
{
    return row->metric == row[-1].metric && row->call_path == row[-1].call_path && row->location > row[-1].location &&
           row->location - row[-1].location <= MOST_EMPTY && resolution_of(row, defs->resolution) == resolution;
}

void
hd_startup_table_write(FILE *file, const hd_startup_row *rows, size_t n, const uint32_t *numbers,
                       char *const *counters, const hd_defs *defs)
{
    hd_tsv_out out;
    char      *at = hd_tsv_out_begin(&out, file, head);

    for (size_t i = 0; i < n;) {
        uint64_t resolution = resolution_of(&rows[i], defs->resolution);

        at = hd_tsv_out_flush(&out, at);
        fputs(rows[i].metric < HD_N_METRICS ? hd_metric_infos[rows[i].metric].id : counters[rows[i].metric - HD_N_METRICS],
              file);
        *at++ = '\t';
        at    = hd_tsv_add_count(at, numbers[rows[i].call_path], '\t');
        if (resolution != 0)
            at = hd_tsv_add_count(at, resolution, '\t');
        else
            *at++ = '\t';
        at = hd_tsv_add_count(at, rows[i].location, '\t');
        at = add_value(at, &rows[i], defs, resolution);
        for (i++; i < n && goes_on(&rows[i], defs, resolution); i++) {
            at = hd_tsv_out_room(&out, at);
            for (uint32_t k = rows[i - 1].location; k < rows[i].location; k++)
                *at++ = ',';
            at = add_value(at, &rows[i], defs, resolution);
        }
        *at++ = '\n';
    }
    hd_tsv_out_flush(&out, at);
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

/* Metric and call path. */
static bool
read_place(reading *r, char **line, hd_cube_part *part)
{
    const char *id = hd_tsv_next(line);

    part->metric = id != NULL ? find_metric(r, id) : HD_NONE;
    return part->metric != HD_NONE && hd_tsv_path(hd_tsv_next(line), r->places, r->cube->n_paths, &part->path) &&
           part->path != HD_NONE;
}

static bool
add_part(reading *r, const hd_cube_part *part)
{
    if (part->location >= r->cube->n_locations)
        return false;
    HD_PUSH(r->parts, r->n, r->capacity, *part);
    return true;
}

static bool
read_old_row(void *context, char *line)
{
    reading     *r    = context;
    hd_cube_part part = { 0 };

    return read_place(r, &line, &part) && hd_tsv_number(hd_tsv_next(&line), &part.location) &&
           read_value(hd_tsv_next(&line), r->cube->metrics[part.metric].is_integer, &part.value) && line == NULL &&
           add_part(r, &part);
}

/* An element of a list. resolution 0: it is as it is */
static bool
read_element(const reading *r, const char *element, uint64_t resolution, hd_cube_part *part)
{
    uint64_t ticks;

    if (resolution == 0)
        return read_value(element, r->cube->metrics[part->metric].is_integer, &part->value);
    if (!hd_tsv_count(element, &ticks))
        return false;
    part->value.real = (double)ticks / (double)resolution;
    return true;
}

static bool
read_row(void *context, char *line)
{
    reading     *r    = context;
    hd_cube_part part = { 0 };
    uint64_t     resolution = 0;
    const char  *text;
    char        *values, *element;

    if (!read_place(r, &line, &part) || (text = hd_tsv_next(&line)) == NULL ||
        (*text != '\0' && (!hd_tsv_count(text, &resolution) || resolution == 0 || r->cube->metrics[part.metric].is_integer)) ||
        !hd_tsv_number(hd_tsv_next(&line), &part.location) || (values = hd_tsv_next(&line)) == NULL || line != NULL)
        return false;
    for (; (element = hd_tsv_element(&values)) != NULL; part.location++)
        if (*element != '\0' && (!read_element(r, element, resolution, &part) || !add_part(r, &part)))
            return false;
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
    reading   r    = { .cube = cube, .places = hd_tsv_places(cube) };
    char     *text = NULL;
    size_t    bytes;
    hd_status status   = hd_cube_misc(cube, HD_STARTUP_MEMBER, MAX_BYTES, &text, &bytes);
    bool      is_there = text != NULL;
    bool      is_old   = is_there && strncmp(text, old_head, strlen(old_head)) == 0;

    if (status == HD_OK && is_there)
        status = hd_tsv_lines(cube, HD_STARTUP_MEMBER, text, is_old ? old_head : head, is_old ? read_old_row : read_row, &r);
    free(text);
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
