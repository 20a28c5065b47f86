#include "path_select.h"

#include <string.h>

#include "memory.h"

/* How long the last region in a call path is, and how long what separates it from what is before. */
static size_t
last_region(const char *text, size_t length, size_t *separator)
{
    for (size_t i = length; i > 0; i--) {
        *separator = text[i - 1] == ';' ? 1 : i >= 3 && strncmp(text + i - 3, " > ", 3) == 0 ? 3 : 0;
        if (*separator != 0)
            return length - i;
    }
    *separator = 0;
    return length;
}

static bool
ends_with(const hd_cube *cube, uint32_t path, const char *text)
{
    size_t length = strlen(text), separator = 1;

    while (separator != 0) {
        size_t n = last_region(text, length, &separator);

        if (path == HD_NONE || strlen(cube->paths[path].name) != n || strncmp(cube->paths[path].name, text + length - n, n) != 0)
            return false;
        length -= n + separator;
        path = cube->paths[path].parent;
    }
    return true;
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

        (*selected)[i] = (parent != HD_NONE && (*selected)[parent]) || ends_with(cube, i, text);
        any |= (*selected)[i];
    }
    if (any)
        return HD_OK;
    hd_fail(HD_EUSAGE, "no call path of report \"%s\" ends with \"%s\"", cube->path, text);
    hd_fail_detail("call path", "its last regions, outer ones first, joined by \";\"");
    hd_fail_detail("try", "heddle dump %s", cube->path);
    return HD_EUSAGE;
}
