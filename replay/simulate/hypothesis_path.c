/* replay/simulate/hypothesis_path.c: a call path as the selection of a hypothesis. */
#include "hypothesis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Whether a name can stand in a selection: nothing in it is taken for a separator or a keyword. */
static bool
is_plain(const char *name)
{
    static const char *const words[] = { " > ", " + ", " on process ", " on node ", " on thread ", " to ", " over ",
                                         " per " };
    size_t n = strlen(name);

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]) != NULL)
            return false;
    return n > 0 && name[0] != ' ' && name[n - 1] != ' ' && strpbrk(name, "\t\n\r#*") == NULL &&
           strncmp(name, "messages ", 9) != 0;
}

static const char *
name_of(const hd_defs *defs, const hd_calltree *tree, uint32_t path)
{
    return hd_defs_text(defs, hd_defs_regions(defs)[tree->nodes[path].region].name);
}

static bool
has_name(const hd_defs *defs, const hd_calltree *tree, uint32_t path, const char *name)
{
    const hd_region *region = &hd_defs_regions(defs)[tree->nodes[path].region];

    return strcmp(hd_defs_text(defs, region->name), name) == 0 ||
           strcmp(hd_defs_text(defs, region->canonical), name) == 0;
}

/* Whether the last n regions of a call path match those of another one. */
static bool
ends_like(const hd_defs *defs, const hd_calltree *tree, uint32_t path, uint32_t other, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *name = name_of(defs, tree, path);

        if (other == HD_NONE || (is_plain(name) && !has_name(defs, tree, other, name)))
            return false;
        path  = tree->nodes[path].parent;
        other = tree->nodes[other].parent;
    }
    return true;
}

static bool
is_below(const hd_calltree *tree, uint32_t path, uint32_t above)
{
    while (path != HD_NONE && path != above)
        path = tree->nodes[path].parent;
    return path == above;
}

/* Whether the last n regions select the call path and what is below it, and nothing else. */
static bool
is_alone(const hd_defs *defs, const hd_calltree *tree, uint32_t path, uint32_t n)
{
    for (uint32_t other = 0; other < tree->n; other++)
        if (!is_below(tree, other, path) && ends_like(defs, tree, path, other, n))
            return false;
    return true;
}

char *
hd_hypothesis_selection(const hd_defs *defs, const hd_calltree *tree, uint32_t path)
{
    uint32_t depth = 0, n = 1;
    char    *text  = NULL;

    for (uint32_t above = path; above != HD_NONE; above = tree->nodes[above].parent)
        depth++;
    while (n <= depth && !is_alone(defs, tree, path, n))
        n++;
    for (uint32_t i = 0; n <= depth && i < n; i++, path = tree->nodes[path].parent) {
        const char *name  = is_plain(name_of(defs, tree, path)) ? name_of(defs, tree, path) : "*";
        char       *whole = text == NULL ? hd_strdup(name) : hd_format("%s > %s", name, text);

        free(text);
        text = whole;
    }
    return text;
}
