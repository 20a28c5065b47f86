/* replay/simulate/hypothesis/hypothesis_path.c: a call path as the selection of a hypothesis. */
#include "hypothesis.h"

#include <inttypes.h>
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

/* The line that tells the region of a call path from others of its name; 0: it does not. */
static uint32_t
telling_line(const hd_defs *defs, const hd_calltree *tree, uint32_t path)
{
    uint32_t line = hd_defs_regions(defs)[tree->nodes[path].region].begin_line;

    for (uint32_t other = 0; other < tree->n && line > 0; other++)
        if (hd_defs_regions(defs)[tree->nodes[other].region].begin_line != line &&
            has_name(defs, tree, other, name_of(defs, tree, path)))
            return line;
    return 0;
}

/* Whether the last n regions of a call path match those of another one. lines: [n] of its regions, the last one first,
 * 0: any */
static bool
ends_like(const hd_defs *defs, const hd_calltree *tree, uint32_t path, uint32_t other, uint32_t n,
          const uint32_t *lines)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *name = name_of(defs, tree, path);

        if (other == HD_NONE || (is_plain(name) && !has_name(defs, tree, other, name)) ||
            (lines[i] > 0 && hd_defs_regions(defs)[tree->nodes[other].region].begin_line != lines[i]))
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
is_alone(const hd_defs *defs, const hd_calltree *tree, uint32_t path, uint32_t n, const uint32_t *lines)
{
    for (uint32_t other = 0; other < tree->n; other++)
        if (!is_below(tree, other, path) && ends_like(defs, tree, path, other, n, lines))
            return false;
    return true;
}

/* The name of a region in a selection: "MPI_Barrier", "MPI_Barrier:18", "*". free() it. */
static char *
word_of(const hd_defs *defs, const hd_calltree *tree, uint32_t path, uint32_t line)
{
    const char *name = name_of(defs, tree, path);

    if (!is_plain(name))
        return hd_strdup("*");
    return line > 0 ? hd_format("%s:%" PRIu32, name, line) : hd_strdup(name);
}

/* How many regions are needed; more than depth: all of them do not do. */
static uint32_t
n_needed(const hd_defs *defs, const hd_calltree *tree, uint32_t path, uint32_t depth, const uint32_t *lines)
{
    uint32_t n = 1;

    while (n <= depth && !is_alone(defs, tree, path, n, lines))
        n++;
    return n;
}

char *
hd_hypothesis_selection(const hd_defs *defs, const hd_calltree *tree, uint32_t path)
{
    uint32_t  depth = 0, n, *lines;
    char     *text  = NULL;

    for (uint32_t above = path; above != HD_NONE; above = tree->nodes[above].parent)
        depth++;
    lines = HD_NEW_ARRAY(uint32_t, (size_t)depth + 1);
    n     = n_needed(defs, tree, path, depth, lines);
    if (n > depth) { /* names do not do */
        for (uint32_t i = 0, at = path; i < depth; i++, at = tree->nodes[at].parent)
            lines[i] = is_plain(name_of(defs, tree, at)) ? telling_line(defs, tree, at) : 0;
        n = n_needed(defs, tree, path, depth, lines);
    }
    for (uint32_t i = 0; n <= depth && i < n; i++, path = tree->nodes[path].parent) {
        char *word  = word_of(defs, tree, path, lines[i]);
        char *whole = text == NULL ? hd_strdup(word) : hd_format("%s > %s", word, text);

        free(word);
        free(text);
        text = whole;
    }
    free(lines);
    return text;
}
