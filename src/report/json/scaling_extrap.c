/* src/report/json/scaling_extrap.c: writes what Extra-P reads, metric by metric, so that values of one metric are in
 * memory at a time. */
#include "scaling_extrap.h"

#include <math.h>
#include <string.h>

#include "escape.h"
#include "json.h"
#include "memory.h"

typedef struct writer {
    const hd_scaling *scaling;
    FILE             *file;
    hd_extrap_format  format;
    char            **names; /* [n_paths] of call paths */
} writer;

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Call paths below each: [n_paths + 1] the first, of the last element that of roots, and [n_paths] the next; HD_NONE:
 * none */
typedef struct siblings {
    uint32_t *first, *next;
} siblings;

static siblings
find_siblings(const hd_cube *cube)
{
    siblings s = { HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1),
                   HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1) };

    memset(s.first, 0xFF, ((size_t)cube->n_paths + 1) * sizeof *s.first); /* HD_NONE */
    for (uint32_t i = cube->n_paths; i-- > 0;) {
        uint32_t parent = cube->paths[i].parent != HD_NONE ? cube->paths[i].parent : cube->n_paths;

        s.next[i]       = s.first[parent];
        s.first[parent] = i;
    }
    return s;
}

/* The how manyth of its siblings with its name. */
static uint32_t
number_among_equals(const hd_cube *cube, const siblings *s, uint32_t path)
{
    uint32_t number = 1;

    for (uint32_t i = s->first[cube->paths[path].parent != HD_NONE ? cube->paths[path].parent : cube->n_paths];
         i != path; i = s->next[i])
        number += strcmp(cube->paths[i].name, cube->paths[path].name) == 0;
    return number;
}

/* A name without the separator and, in lines of text, without control characters; free() it. */
static char *
name_of(const hd_cube *cube, uint32_t path, hd_extrap_format format, uint32_t number)
{
    char  *escaped = format == HD_EXTRAP_TEXT ? hd_escaped(cube->paths[path].name) : hd_strdup(cube->paths[path].name);
    char  *name    = NULL;
    size_t bytes   = 0;
    FILE  *stream  = open_memstream(&name, &bytes);

    if (stream == NULL)
        hd_fatal("out of memory: a call path cannot be written");
    if (*escaped == '\0')
        fputs("(no name)", stream);
    for (const char *c = escaped; *c != '\0'; c++)
        fprintf(stream, c[0] == '-' && c[1] == '>' ? "%c " : "%c", *c);
    if (number > 1)
        fprintf(stream, " (%" PRIu32 ")", number);
    if (fclose(stream) != 0)
        hd_fatal("out of memory: a call path cannot be written");
    free(escaped);
    return name;
}

/* Parents stand before their children. */
static void
name_paths(writer *w)
{
    const hd_cube *cube  = w->scaling->model;
    siblings       equal = find_siblings(cube);

    w->names = HD_NEW_ARRAY(char *, (size_t)cube->n_paths + 1);
    for (uint32_t i = 0; i < cube->n_paths; i++) {
        char *own = name_of(cube, i, w->format, number_among_equals(cube, &equal, i));

        w->names[i] = cube->paths[i].parent == HD_NONE ? hd_strdup(own) :
                      hd_format("%s->%s", w->names[cube->paths[i].parent], own);
        free(own);
    }
    free(equal.first);
    free(equal.next);
}

static void
forget_names(writer *w)
{
    for (uint32_t i = 0; i < w->scaling->model->n_paths; i++)
        free(w->names[i]);
    free(w->names);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* All digits, without an exponent, which the grammar of the text format does not have. */
static void
put_decimal(FILE *file, double value)
{
    int decimals = value != 0 ? 16 - (int)floor(log10(fabs(value))) : 0;

    fprintf(file, " %.*f", decimals < 0 ? 0 : decimals > 40 ? 40 : decimals, value);
}

/* The runs of the size of run `first`: they stand side by side. */
static uint32_t
end_of_size(const hd_scaling *scaling, uint32_t first)
{
    uint32_t end = first + 1;

    while (end < scaling->n_runs && hd_scaling_size(scaling, end) == hd_scaling_size(scaling, first))
        end++;
    return end;
}

/* of_path: [n_runs][n_paths] */
static double
value_at(const hd_scaling *scaling, double *const *of_path, uint32_t run, uint32_t path)
{
    return of_path[run][path] / hd_scaling_size(scaling, run);
}

static void
put_text(const writer *w, double *const *of_path, uint32_t path)
{
    fprintf(w->file, "REGION %s\n", w->names[path]);
    for (uint32_t first = 0, end; first < w->scaling->n_runs; first = end) {
        end = end_of_size(w->scaling, first);
        fputs("DATA", w->file);
        for (uint32_t run = first; run < end; run++)
            put_decimal(w->file, value_at(w->scaling, of_path, run, path));
        fputc('\n', w->file);
    }
}

static void
put_json(const writer *w, const char *metric, double *const *of_path, uint32_t path)
{
    for (uint32_t first = 0, end; first < w->scaling->n_runs; first = end) {
        hd_json json;

        end = end_of_size(w->scaling, first);
        hd_json_init(&json, w->file, 0);
        hd_json_object(&json, NULL);
        hd_json_object(&json, "params");
        hd_json_count(&json, "p", hd_scaling_size(w->scaling, first));
        hd_json_end(&json);
        hd_json_text(&json, "callpath", w->names[path]);
        hd_json_text(&json, "metric", metric);
        hd_json_array(&json, "value");
        for (uint32_t run = first; run < end; run++)
            hd_json_number(&json, NULL, value_at(w->scaling, of_path, run, path));
        hd_json_end(&json);
        hd_json_end(&json);
        fputc('\n', w->file);
    }
}

static bool
is_anywhere(const hd_scaling *scaling, double *const *of_path, uint32_t path)
{
    for (uint32_t c = 0; c < scaling->n_runs; c++)
        if (of_path[c][path] != 0)
            return true;
    return false;
}

static hd_status
put_metric(const writer *w, uint32_t metric)
{
    const hd_scaling *scaling = w->scaling;
    const char       *id      = scaling->model->metrics[metric].id;
    double          **of_path = HD_NEW_ARRAY(double *, scaling->n_runs), total;
    bool              has_head = false;
    hd_status         status   = HD_OK;

    for (uint32_t c = 0; c < scaling->n_runs; c++)
        of_path[c] = HD_NEW_ARRAY(double, (size_t)scaling->model->n_paths + 1);
    for (uint32_t c = 0; c < scaling->n_runs && status == HD_OK; c++)
        status = hd_alignment_total(scaling->alignment, c, metric, NULL, of_path[c], &total);
    for (uint32_t path = 0; status == HD_OK && path < scaling->model->n_paths; path++) {
        if (!is_anywhere(scaling, of_path, path))
            continue;
        if (!has_head && w->format == HD_EXTRAP_TEXT) {
            fputs("METRIC ", w->file);
            hd_write_escaped(w->file, id);
            fputc('\n', w->file);
        }
        has_head = true;
        if (w->format == HD_EXTRAP_TEXT)
            put_text(w, of_path, path);
        else
            put_json(w, id, of_path, path);
    }
    for (uint32_t c = 0; c < scaling->n_runs; c++)
        free(of_path[c]);
    free(of_path);
    return status;
}

hd_status
hd_scaling_write_extrap(const hd_scaling *scaling, hd_extrap_format format, FILE *file)
{
    writer    w      = { .scaling = scaling, .file = file, .format = format };
    hd_status status = HD_OK;

    name_paths(&w);
    if (format == HD_EXTRAP_TEXT) {
        fputs("PARAMETER p\nPOINTS", file);
        for (uint32_t first = 0; first < scaling->n_runs; first = end_of_size(scaling, first))
            fprintf(file, " (%" PRIu32 ")", hd_scaling_size(scaling, first));
        fputc('\n', file);
    }
    for (uint32_t i = 0; i < scaling->model->n_metrics && status == HD_OK; i++) {
        bool is_there = scaling->model->metrics[i].is_additive;

        for (uint32_t c = 0; c < scaling->n_runs; c++)
            is_there &= scaling->alignment->metric_of[c][i] != HD_NONE;
        if (is_there)
            status = put_metric(&w, i);
    }
    forget_names(&w);
    return status;
}
