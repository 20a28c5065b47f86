/* topology/places.c: reads a file of coordinates, line by line. Every error names its line; coordinates are checked
 * against the size when all lines are read, as the size may be missing. */
#include "places.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lines.h"
#include "memory.h"
#include "view.h"

typedef struct places {
    hd_lines        lines;
    const hd_defs  *defs;
    const hd_hosts *hosts;
    hd_cartesian   *cartesian;
    bool            by_host, has_size, has_periodic;
    uint32_t       *rows;   /* [n][n_dimensions] of ranks, or of hosts */
    uint32_t       *line_of; /* [n] 0: none */
    uint32_t        n;
} places;

/* ---- what stands before the rows --------------------------------------------------------------------------------- */

/* Names are used in --fold and --slice, and numbers there stand for dimensions. */
static hd_status
add_dimension(places *p, const char *name)
{
    hd_cartesian *c = p->cartesian;

    if (c->n_dimensions == HD_CARTESIAN_DIMENSIONS_MAX)
        return hd_lines_fail(&p->lines, "there are more than %d dimensions", HD_CARTESIAN_DIMENSIONS_MAX);
    if (name[strspn(name, "0123456789")] == '\0')
        return hd_lines_fail(&p->lines, "\"%.60s\" is a number, not the name of a dimension", name);
    if (strpbrk(name, "+=,") != NULL)
        return hd_lines_fail(&p->lines, "\"%.60s\" is no name of a dimension: it has one of + = ,", name);
    for (uint32_t i = 0; i < c->n_dimensions; i++)
        if (strcasecmp(c->dimension_names[i], name) == 0)
            return hd_lines_fail(&p->lines, "there are two dimensions \"%.60s\"", name);
    c->dimension_names[c->n_dimensions++] = hd_strdup(name);
    return HD_OK;
}

static hd_status
read_head(places *p, char *line)
{
    const char *kind = line != NULL ? hd_lines_word(&line) : NULL;
    char       *word;

    p->lines.number += line == NULL; /* an empty file */
    p->by_host = kind != NULL && strcasecmp(kind, "host") == 0;
    if (kind == NULL || (!p->by_host && strcasecmp(kind, "rank") != 0))
        return hd_lines_fail(&p->lines, "the first line has to be of the form \"rank x y z\" or \"host x y z\"");
    while ((word = hd_lines_word(&line)) != NULL) {
        hd_status status = add_dimension(p, word);

        if (status != HD_OK)
            return status;
    }
    return p->cartesian->n_dimensions > 0 ? HD_OK : hd_lines_fail(&p->lines, "there are no dimensions");
}

/* The next word of a line that has one for each dimension. */
static hd_status
next_word(places *p, char **line, uint32_t dimension, char **word)
{
    *word = dimension < p->cartesian->n_dimensions || **line != '\0' ? hd_lines_word(line) : NULL;
    if ((*word != NULL) == (dimension < p->cartesian->n_dimensions))
        return HD_OK;
    return hd_lines_fail(&p->lines, "there are %s than %" PRIu32 " numbers", *word != NULL ? "more" : "fewer",
                         p->cartesian->n_dimensions);
}

static hd_status
read_size(places *p, char *line)
{
    hd_cartesian *c      = p->cartesian;
    hd_status     status = HD_OK;
    char         *word;

    for (uint32_t i = 0; i <= c->n_dimensions && status == HD_OK; i++) {
        status = next_word(p, &line, i, &word);
        if (status == HD_OK && word != NULL &&
            (!hd_lines_number(word, HD_VIEW_CELLS_MAX + 1, &c->sizes[i]) || c->sizes[i] == 0))
            status = hd_lines_fail(&p->lines, "\"%.60s\" is no size", word);
    }
    p->has_size = true;
    return status;
}

static hd_status
read_periodic(places *p, char *line)
{
    static const char *const words[] = { "no", "yes", "false", "true", "0", "1" };
    hd_status                status  = HD_OK;
    char                    *word;

    for (uint32_t i = 0; i <= p->cartesian->n_dimensions && status == HD_OK; i++) {
        size_t w = 0;

        status = next_word(p, &line, i, &word);
        if (status != HD_OK || word == NULL)
            break;
        while (w < sizeof words / sizeof *words && strcasecmp(words[w], word) != 0)
            w++;
        if (w == sizeof words / sizeof *words)
            status = hd_lines_fail(&p->lines, "\"%.60s\" is neither yes nor no", word);
        else
            p->cartesian->is_periodic[i] = w % 2 != 0;
    }
    p->has_periodic = true;
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* HD_NONE: a host that is of no account. */
static hd_status
find_row(places *p, const char *word, uint32_t *row)
{
    if (p->by_host)
        *row = hd_hosts_find(p->hosts, word);
    else if (!hd_lines_number(word, HD_NONE, row))
        return hd_lines_fail(&p->lines, "\"%.60s\" is no rank", word);
    else if (*row >= p->n)
        return hd_lines_fail(&p->lines, "there is no rank %" PRIu32 ": the program has %" PRIu32 " MPI processes", *row,
                             p->n);
    if (*row != HD_NONE && p->line_of[*row] != 0)
        return hd_lines_fail(&p->lines, "%s %.60s is in line %" PRIu32 " already", p->by_host ? "host" : "rank", word,
                             p->line_of[*row]);
    return HD_OK;
}

static hd_status
read_row(places *p, char *line)
{
    hd_cartesian *c = p->cartesian;
    char         *word;
    uint32_t      row;
    hd_status     status = find_row(p, hd_lines_word(&line), &row);

    for (uint32_t i = 0; i <= c->n_dimensions && status == HD_OK; i++) {
        uint32_t x;

        status = next_word(p, &line, i, &word);
        if (status != HD_OK || word == NULL)
            break;
        if (!hd_lines_number(word, HD_VIEW_CELLS_MAX, &x))
            status = hd_lines_fail(&p->lines, "\"%.60s\" is no coordinate", word);
        else if (p->has_size && x >= c->sizes[i])
            status = hd_lines_fail(&p->lines, "%s is %" PRIu32 ", its size is %" PRIu32, c->dimension_names[i], x,
                                   c->sizes[i]);
        else if (!p->has_size && x >= c->sizes[i])
            c->sizes[i] = x + 1;
        if (status == HD_OK && row != HD_NONE)
            p->rows[(size_t)row * c->n_dimensions + i] = x;
    }
    if (status == HD_OK && row != HD_NONE)
        p->line_of[row] = p->lines.number;
    return status;
}

/* line: after its first word. */
static hd_status
read_setting(places *p, bool is_size, bool is_row, char *line)
{
    const char *name = is_size ? "size" : "periodic";

    if (is_row)
        return hd_lines_fail(&p->lines, "%s has to stand before the first %s", name, p->by_host ? "host" : "rank");
    if (is_size ? p->has_size : p->has_periodic)
        return hd_lines_fail(&p->lines, "%s is given twice", name);
    return is_size ? read_size(p, line) : read_periodic(p, line);
}

static hd_status
read_body(places *p)
{
    hd_status status = HD_OK;
    bool      is_row = false;
    char     *line;

    while (status == HD_OK && (line = hd_lines_next(&p->lines)) != NULL) {
        size_t length  = strcspn(line, " \t\r\v\f");
        bool   is_size = length == 4 && strncasecmp(line, "size", 4) == 0;

        if (is_size || (length == 8 && strncasecmp(line, "periodic", 8) == 0))
            status = read_setting(p, is_size, is_row, line + length);
        else {
            is_row = true;
            status = read_row(p, line);
        }
    }
    return status;
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

static hd_status
check_size(const places *p)
{
    uint64_t n = 1;

    for (uint32_t i = 0; i < p->cartesian->n_dimensions; i++) {
        n *= p->cartesian->sizes[i];
        if (n > HD_VIEW_CELLS_MAX)
            return hd_fail(HD_EFORMAT, "\"%s\": the topology has more than %" PRIu64 " places", p->lines.path,
                           HD_VIEW_CELLS_MAX);
    }
    return HD_OK;
}

static hd_status
place_processes(places *p)
{
    uint32_t n = p->cartesian->n_dimensions, n_missing = 0, first = HD_NONE;

    hd_cartesian_clear(p->cartesian);
    for (uint32_t i = p->defs->n_mpi_processes; i-- > 0;) {
        uint32_t row = p->by_host ? p->hosts->of_process[i] : i;

        if (row != HD_NONE && p->line_of[row] != 0) {
            memcpy(p->cartesian->places + (size_t)i * n, p->rows + (size_t)row * n, n * sizeof *p->rows);
            continue;
        }
        n_missing++;
        first = i;
    }
    if (n_missing == 0)
        return HD_OK;
    hd_fail(HD_EFORMAT, "\"%s\" has no place for %" PRIu32 " of the %" PRIu32 " MPI processes", p->lines.path,
            n_missing, p->defs->n_mpi_processes);
    if (!p->by_host)
        hd_fail_detail("first", "rank %" PRIu32, first);
    else
        hd_fail_detail("first", "rank %" PRIu32 ", host %s", first,
                       p->hosts->of_process[first] != HD_NONE ? p->hosts->names[p->hosts->of_process[first]] :
                       "unknown");
    return HD_EFORMAT;
}

hd_status
hd_places_read(char *text, const char *path, const char *name, const hd_defs *defs, const hd_hosts *hosts,
               hd_cartesian **cartesian)
{
    places    p      = { .lines = { .next = text, .path = path }, .defs = defs, .hosts = hosts,
                         .cartesian = hd_cartesian_new(defs, name) };
    hd_status status = read_head(&p, hd_lines_next(&p.lines));

    p.n       = p.by_host ? hosts->n : defs->n_mpi_processes;
    p.rows    = HD_NEW_ARRAY(uint32_t, (size_t)p.n * p.cartesian->n_dimensions + 1);
    p.line_of = HD_NEW_ARRAY(uint32_t, (size_t)p.n + 1);
    if (status == HD_OK)
        status = read_body(&p);
    if (status == HD_OK)
        status = check_size(&p);
    if (status == HD_OK)
        status = place_processes(&p);
    if (status == HD_OK) {
        *cartesian  = p.cartesian;
        p.cartesian = NULL;
    }
    hd_cartesian_free(p.cartesian);
    free(p.rows);
    free(p.line_of);
    return status;
}
