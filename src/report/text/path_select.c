#include "path_select.h"

#include <string.h>

#include "memory.h"

/* Whether the first `length` characters of text end with name. */
static bool
has_at_end(const char *text, size_t length, const char *name)
{
    size_t n = strlen(name);

    return n > 0 && n <= length && strncmp(text + length - n, name, n) == 0;
}

/* How long the separator at the end of the first `length` characters is; 0: there is none. */
static size_t
separator_at_end(const char *text, size_t length)
{
    return has_at_end(text, length, ";") ? 1 : has_at_end(text, length, " > ") ? 3 : 0;
}

/* Whether a call path ends with text, where each region goes by either of its names. */
static bool
ends_with(const hd_cube *cube, uint32_t path, const char *text, size_t length)
{
    const hd_cube_path *at = &cube->paths[path];
    const char         *names[] = { at->name, cube->regions[at->region].mangled_name };

    for (size_t i = 0; i < 2; i++) {
        size_t left, separator;

        if (!has_at_end(text, length, names[i]))
            continue;
        left      = length - strlen(names[i]);
        separator = separator_at_end(text, left);
        if (left == 0 || (separator > 0 && at->parent != HD_NONE && ends_with(cube, at->parent, text, left - separator)))
            return true;
    }
    return false;
}

hd_status
hd_paths_select(const hd_cube *cube, const char *text, bool **selected)
{
    bool any = false;

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
    hd_fail_detail("call path", "its last regions, outer ones first, joined by \";\"");
    hd_fail_detail("try", "heddle dump %s", cube->path);
    return HD_EUSAGE;
}
