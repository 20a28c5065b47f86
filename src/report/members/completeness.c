#include "completeness.h"

#include "escape.h"
#include "memory.h"

bool
hd_is_incomplete(const hd_cube *cube)
{
    return hd_cube_attribute_get(cube, HD_COVERAGE_ATTRIBUTE) != NULL ||
           hd_cube_attribute_get(cube, HD_STOPPED_ATTRIBUTE) != NULL;
}

char *
hd_completeness_text(const hd_cube *cube)
{
    static const char *const parts[][2] =
        { { HD_COVERAGE_ATTRIBUTE, "trace coverage" }, { HD_STOPPED_ATTRIBUTE, "stopped" },
          { HD_LEFT_OUT_ATTRIBUTE, "without" } };
    char                    *text = NULL;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *value = hd_cube_attribute_get(cube, parts[i][0]);
        char       *more;

        if (value == NULL)
            continue;
        more = hd_format("%s%s%s %s", text != NULL ? text : "", text != NULL ? "; " : "", parts[i][1], value);
        free(text);
        text = more;
    }
    return text;
}

/* ---- of several -------------------------------------------------------------------------------------------------- */

static bool
has(const char *own, const char *text)
{
    return own != NULL && strcmp(own, text) == 0;
}

/* "a.cubex", "b.cubex" and "c.cubex": those whose text it is. */
static void
put_names(FILE *file, hd_cube *const *cubes, const char *const *own, uint32_t n, const char *text)
{
    uint32_t left = 0;
    bool     is_first = true;

    for (uint32_t i = 0; i < n; i++)
        left += has(own[i], text);
    for (uint32_t i = 0; i < n; i++) {
        if (!has(own[i], text))
            continue;
        left--;
        fprintf(file, "%s\"%s\"", is_first ? "" : left > 0 ? ", " : " and ", cubes[i]->path);
        is_first = false;
    }
}

static char *
name_all(hd_cube *const *cubes, const char *const *own, uint32_t n, uint32_t n_with)
{
    const char *before = "";
    char       *text   = NULL;
    size_t      bytes  = 0;
    FILE       *file   = open_memstream(&text, &bytes);

    if (file == NULL)
        hd_fatal("out of memory: reports cannot be named");
    for (uint32_t i = 0; i < n; i++) {
        bool is_new = own[i] != NULL;

        for (uint32_t j = 0; j < i && is_new; j++)
            is_new = !has(own[j], own[i]);
        if (!is_new)
            continue;
        fprintf(file, "%s%s in ", before, own[i]);
        put_names(file, cubes, own, n, own[i]);
        before = "; ";
    }
    fprintf(file, " (%" PRIu32 " of %" PRIu32 " reports)", n_with, n);
    if (fclose(file) != 0)
        hd_fatal("out of memory: reports cannot be named");
    return text;
}

char *
hd_completeness_join(hd_cube *const *cubes, uint32_t n, const char *key)
{
    const char **own    = HD_NEW_ARRAY(const char *, (size_t)n + 1);
    uint32_t     n_with = 0;
    bool         is_one = true;
    char        *text   = NULL;

    for (uint32_t i = 0; i < n; i++) {
        own[i] = hd_cube_attribute_get(cubes[i], key);
        n_with += own[i] != NULL;
        is_one &= own[i] != NULL && has(own[0], own[i]);
    }
    if (n_with > 0)
        text = is_one ? hd_strdup(own[0]) : name_all(cubes, own, n, n_with);
    free(own);
    return text;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

void
hd_completeness_print_stopped(const hd_cube *cube, FILE *file)
{
    const char *stopped = hd_cube_attribute_get(cube, HD_STOPPED_ATTRIBUTE);

    if (stopped == NULL)
        return;
    fputs("Partial: the analysis was stopped ", file);
    hd_write_escaped(file, stopped);
    fputs("; results of later phases are missing\n", file);
}

void
hd_completeness_print(const hd_cube *cube, FILE *file)
{
    const char *coverage = hd_cube_attribute_get(cube, HD_COVERAGE_ATTRIBUTE);

    hd_completeness_print_stopped(cube, file);
    if (coverage == NULL)
        return;
    fputs("Partial: trace coverage ", file);
    hd_write_escaped(file, coverage);
    fputc('\n', file);
}
