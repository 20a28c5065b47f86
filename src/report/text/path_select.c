#include "path_select.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "closest.h"
#include "memory.h"
#include "path_text.h"

#define SEPARATORS ";>/"

/* Whether the first `length` characters of text end with name. */
static bool
has_at_end(const char *text, size_t length, const char *name)
{
    size_t n = strlen(name);

    return n > 0 && n <= length && strncmp(text + length - n, name, n) == 0;
}

/* How long the separator at the end of the first `length` characters is, with blanks around it; 0: there is none. */
static size_t
separator_at_end(const char *text, size_t length)
{
    size_t left = length;

    while (left > 0 && text[left - 1] == ' ')
        left--;
    if (left == 0 || strchr(SEPARATORS, text[left - 1]) == NULL)
        return 0;
    left--;
    while (left > 0 && text[left - 1] == ' ')
        left--;
    return length - left;
}

/* The length of text without the line of the call path at its end: "MPI_Recv:13", as it is shown (path_cut.h). */
static size_t
without_line(const hd_cube *cube, uint32_t path, const char *text, size_t length)
{
    const hd_cube_path *at     = &cube->paths[path];
    int32_t             line   = at->call_line > 0 ? at->call_line : cube->regions[at->region].begin_line;
    char               *suffix = hd_format(":%" PRId32, line);
    size_t              left   = line > 0 && has_at_end(text, length, suffix) ? length - strlen(suffix) : length;

    free(suffix);
    return left;
}

/* Whether a call path ends with text, where each region goes by either of its names, with its line or without. */
static bool
ends_with(const hd_cube *cube, uint32_t path, const char *text, size_t length)
{
    const hd_cube_path *at = &cube->paths[path];
    const char         *names[] = { at->name, cube->regions[at->region].mangled_name };
    size_t              ends[] = { length, without_line(cube, path, text, length) };

    for (size_t i = 0; i < 4; i++) {
        const char *name = names[i % 2];
        size_t      end  = ends[i / 2], left, separator;

        if (!has_at_end(text, end, name))
            continue;
        left      = end - strlen(name);
        separator = separator_at_end(text, left);
        if (left == 0 ||
            (separator > 0 && at->parent != HD_NONE && ends_with(cube, at->parent, text, left - separator)))
            return true;
    }
    return false;
}

/* What stands behind the last separator, without blanks around it. free() it. */
static char *
last_region(const char *text)
{
    size_t n = strlen(text), begin;

    while (n > 0 && (text[n - 1] == ' ' || strchr(SEPARATORS, text[n - 1]) != NULL))
        n--;
    for (begin = n; begin > 0 && strchr(SEPARATORS, text[begin - 1]) == NULL; begin--)
        ;
    begin += strspn(text + begin, " ");
    return hd_format("%.*s", begin < n ? (int)(n - begin) : 0, text + begin);
}

char *
hd_path_closest(const hd_cube *cube, const char *text)
{
    const char **names   = HD_NEW_ARRAY(const char *, 2 * (size_t)cube->n_regions + 1);
    char        *name    = last_region(text), *path = NULL;
    const char  *closest = NULL;

    for (uint32_t i = 0; i < cube->n_regions; i++) {
        names[2 * i]     = cube->regions[i].name;
        names[2 * i + 1] = cube->regions[i].mangled_name;
    }
    if (*name != '\0')
        closest = hd_closest(name, names, 2 * (size_t)cube->n_regions);
    for (uint32_t i = 0; i < cube->n_paths && path == NULL && closest != NULL; i++) {
        const hd_cube_region *region = &cube->regions[cube->paths[i].region];

        if (strcmp(region->name, closest) == 0 || strcmp(region->mangled_name, closest) == 0)
            path = hd_path_text(cube, i, " > ");
    }
    free(names);
    free(name);
    return path;
}

hd_status
hd_paths_select(const hd_cube *cube, const char *text, bool **selected)
{
    bool  any = false;
    char *closest;

    if (text == NULL)
        return HD_OK;
    *selected = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1);
    for (uint32_t i = 0; i < cube->n_paths; i++) {
        uint32_t parent = cube->paths[i].parent;

        (*selected)[i] = (parent != HD_NONE && (*selected)[parent]) || ends_with(cube, i, text, strlen(text));
        any |= (*selected)[i];
    }
    if (any)
        return HD_OK;
    hd_fail(HD_EUSAGE, "no call path of report \"%s\" ends with \"%s\"", cube->path, text);
    closest = hd_path_closest(cube, text);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    free(closest);
    hd_fail_detail("call path", "its last regions, outer ones first, without gaps, joined by \" > \", \";\" or \"/\"");
    return HD_EUSAGE;
}
