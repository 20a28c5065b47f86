/* src/report/text/path_cut.c: omits names of a call path, and keeps those that tell it from other call paths. */
#include "path_cut.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "name_cut.h"

static const char separator[] = " > ", dots[] = "...";

enum {
    SEPARATOR = sizeof separator - 1,
    DOTS      = sizeof dots - 1,
    MIN_NAME  = 16,      /* shorter pieces of a name tell little */
    MAX_WORK  = 20000000 /* comparisons of names for one call path: 0.1 s */
};

typedef struct cut { /* of a call path; a list of names begins with the last one */
    const hd_cube *cube;
    uint32_t       n;
    const char   **names;  /* [n] */
    int32_t       *lines;  /* [n] the line that tells it from a sibling of the same name, 0: none */
    char         **texts;  /* [n] as shown */
    bool          *keeps;  /* [n] */
    uint32_t      *rivals; /* [n_rivals] call paths that what is kept describes, too */
    uint32_t       n_rivals;
} cut;

static uint32_t
depth_of(const hd_cube *cube, uint32_t path)
{
    uint32_t n = 0;

    for (; path != HD_NONE; path = cube->paths[path].parent)
        n++;
    return n;
}

/* Regions of one name differ by their line: calls of MPI, parallel regions. */
static int32_t
telling_line(const hd_cube *cube, uint32_t path)
{
    const hd_cube_path *own = &cube->paths[path];
    uint32_t            i   = own->parent == HD_NONE ? cube->n_paths : own->parent + 1;
    int32_t             line;

    while (i < cube->n_paths && (i == path || cube->paths[i].parent != own->parent ||
                                 strcmp(cube->paths[i].name, own->name) != 0))
        i++;
    if (i == cube->n_paths)
        return 0;
    line = own->call_line > 0 ? own->call_line : cube->regions[own->region].begin_line;
    return line > 0 ? line : 0;
}

/* As shown: "MPI_Recv", or "MPI_Recv:13". */
static char *
shown(const char *name, int32_t line)
{
    char *escaped = hd_escaped(name), *text;

    if (line == 0)
        return escaped;
    text = hd_format("%s:%" PRId32, escaped, line);
    free(escaped);
    return text;
}

/* Columns of the names that are kept. */
static uint32_t
columns_of(const cut *c)
{
    uint32_t columns = 0;
    bool     is_gap  = false;

    for (uint32_t i = 0; i < c->n; i++) {
        if (c->keeps[i])
            columns += hd_text_columns(c->texts[i]) + (i > 0 ? SEPARATOR : 0);
        else if (!is_gap)
            columns += SEPARATOR + DOTS;
        is_gap = !c->keeps[i];
    }
    return columns;
}

/* All names of a call path, in their order, are among those of another one: no name tells it from that one.
 * extra: this name counts as kept; all: every one does */
static bool
describes(const cut *c, uint32_t rival, uint32_t extra, bool all)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (!c->keeps[i] && i != extra && !all)
            continue;
        while (rival != HD_NONE && strcmp(c->cube->paths[rival].name, c->names[i]) != 0)
            rival = c->cube->paths[rival].parent;
        if (rival == HD_NONE)
            return false;
        rival = c->cube->paths[rival].parent;
    }
    return true;
}

static void
find_rivals(cut *c, uint32_t path)
{
    const hd_cube *cube     = c->cube;
    size_t         capacity = 0, n = 0, max_n = MAX_WORK / c->n / c->n;

    for (uint32_t i = 0; i < cube->n_paths && n < max_n; i++)
        if (i != path && strcmp(cube->paths[i].name, c->names[0]) == 0 && !describes(c, i, HD_NONE, true))
            HD_PUSH(c->rivals, n, capacity, i);
    c->n_rivals = (uint32_t)n;
}

static void
drop_rivals(cut *c)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_rivals; i++)
        if (describes(c, c->rivals[i], HD_NONE, false))
            c->rivals[n++] = c->rivals[i];
    c->n_rivals = n;
}

/* As hd_without_parameters(), but NULL where it is the name itself. *n: characters up to the bracket */
static char *
without_parameters(const char *name, size_t *n)
{
    const char *end = strrchr(name, ')'), *begin = end;
    uint32_t    depth = 0;

    if (end == NULL || strstr(end, "::") != NULL)
        return NULL;
    for (;; begin--) {
        depth += (*begin == ')') - (uint32_t)(*begin == '(');
        if (depth == 0 || begin == name)
            break;
    }
    if (depth > 0 || begin == name || end - begin <= DOTS + 1 ||
        !(isalnum((unsigned char)begin[-1]) || strchr("_>)", begin[-1]) != NULL))
        return NULL;
    *n = (size_t)(begin - name) + 1;
    return hd_format("%.*s%s%s", (int)*n, name, dots, end);
}

char *
hd_without_parameters(const char *name)
{
    size_t n;
    char  *text = without_parameters(name, &n);

    return text != NULL ? text : hd_strdup(name);
}

/* Parameters of functions that are not overloaded, in this report, tell nothing. */
static void
omit_parameters(cut *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        size_t   n;
        char    *text = without_parameters(c->names[i], &n);
        uint32_t other = 0;

        while (text != NULL && other < c->cube->n_paths &&
               (strncmp(c->cube->paths[other].name, c->names[i], n) != 0 ||
                strcmp(c->cube->paths[other].name, c->names[i]) == 0))
            other++;
        if (text != NULL && other == c->cube->n_paths) {
            free(c->texts[i]);
            c->texts[i] = shown(text, c->lines[i]);
        }
        free(text);
    }
}

/* Keeps names until none of the rivals is left; each time the one that tells the path from most of them. */
static void
keep_what_differs(cut *c)
{
    while (c->n_rivals > 0) {
        uint32_t best = HD_NONE, most = 0;

        for (uint32_t i = 1; i < c->n; i++) {
            uint32_t n = 0;

            for (uint32_t k = 0; k < c->n_rivals && !c->keeps[i]; k++)
                n += !describes(c, c->rivals[k], i, false);
            if (n > most) {
                most = n;
                best = i;
            }
        }
        if (best == HD_NONE) /* two names together would: keep the one that is nearest to the end */
            for (best = 1; best < c->n && c->keeps[best]; best++)
                ;
        c->keeps[best] = true;
        drop_rivals(c);
    }
}

static void
keep_what_fits(cut *c, uint32_t columns)
{
    for (uint32_t i = 1; i < c->n; i++)
        if (!c->keeps[i]) {
            c->keeps[i] = true;
            c->keeps[i] = columns_of(c) <= columns;
        }
}

/* Shortens the names that are kept, the longest first, as far as needed. */
static void
shorten(cut *c, uint32_t columns)
{
    uint32_t needed = columns_of(c);

    while (needed > columns) {
        uint32_t     longest = HD_NONE, length = MIN_NAME, goal;
        hd_name_cuts cuts = { 0 };
        char        *text;

        for (uint32_t i = 0; i < c->n; i++)
            if (c->keeps[i] && hd_text_columns(c->texts[i]) > length) {
                length  = hd_text_columns(c->texts[i]);
                longest = i;
            }
        if (longest == HD_NONE)
            return;
        goal = length > needed - columns + MIN_NAME ? length - (needed - columns) : MIN_NAME;
        text = hd_strdup(hd_name_cut(&cuts, c->texts[longest], goal));
        hd_name_cuts_fini(&cuts);
        free(c->texts[longest]);
        c->texts[longest] = text;
        needed            = columns_of(c);
    }
}

static char *
joined(const cut *c)
{
    char  *text = NULL;
    size_t bytes;
    FILE  *stream = open_memstream(&text, &bytes);
    bool   is_gap = false;

    if (stream == NULL)
        hd_fatal("out of memory: a call path cannot be written");
    for (uint32_t i = c->n; i-- > 0;) {
        if (c->keeps[i] || !is_gap)
            fprintf(stream, "%s%s", c->keeps[i] ? c->texts[i] : dots, i > 0 ? separator : "");
        is_gap = !c->keeps[i];
    }
    if (fclose(stream) != 0)
        hd_fatal("out of memory: a call path cannot be written");
    return text;
}

char *
hd_path_cut(const hd_cube *cube, uint32_t path, uint32_t columns)
{
    uint32_t n = depth_of(cube, path);
    cut      c = { .cube = cube, .n = n, .names = HD_NEW_ARRAY(const char *, (size_t)n + 1),
                   .lines = HD_NEW_ARRAY(int32_t, (size_t)n + 1),
                   .texts = HD_NEW_ARRAY(char *, (size_t)n + 1),
                   .keeps = HD_NEW_ARRAY(bool, (size_t)n + 1) };
    char    *text;

    for (uint32_t i = 0, at = path; i < n; i++, at = cube->paths[at].parent) {
        c.names[i] = cube->paths[at].name;
        c.lines[i] = telling_line(cube, at);
        c.texts[i] = shown(c.names[i], c.lines[i]);
        c.keeps[i] = true;
    }
    if (columns_of(&c) > columns)
        omit_parameters(&c);
    if (columns_of(&c) > columns) {
        find_rivals(&c, path);
        for (uint32_t i = 1; i < n; i++)
            c.keeps[i] = false;
        drop_rivals(&c);
        keep_what_differs(&c);
        keep_what_fits(&c, columns);
        shorten(&c, columns);
    }
    text = joined(&c);
    for (uint32_t i = 0; i < n; i++)
        free(c.texts[i]);
    free(c.texts);
    free(c.names);
    free(c.lines);
    free(c.keeps);
    free(c.rivals);
    return text;
}
