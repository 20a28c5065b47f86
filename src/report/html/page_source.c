/* src/report/html/page_source.c: finds source files by the ends of their recorded paths, and puts the lines around each
 * place into the page. */
#include "page_source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

enum { MAX_FILE_BYTES = 64 << 20, MAX_LINE_BYTES = 400 };

typedef struct place {
    const char *file; /* the report's */
    int32_t     line;
} place;

static int
compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int          by_file = strcmp(a->file, b->file);

    return by_file != 0 ? by_file : (a->line > b->line) - (a->line < b->line);
}

/* All places of the report, each once, by file; free() them. */
static place *
make_places(const hd_cube *cube, size_t *n)
{
    place *places   = NULL;
    size_t capacity = 0, n_all = 0;

    for (uint32_t i = 0; i < cube->n_regions; i++)
        if (cube->regions[i].begin_line > 0 && *cube->regions[i].file != '\0')
            HD_PUSH(places, n_all, capacity, ((place){ cube->regions[i].file, cube->regions[i].begin_line }));
    for (uint32_t i = 0; i < cube->n_paths; i++)
        if (cube->paths[i].call_line > 0 && *cube->paths[i].call_file != '\0')
            HD_PUSH(places, n_all, capacity, ((place){ cube->paths[i].call_file, cube->paths[i].call_line }));
    if (n_all > 0)
        qsort(places, n_all, sizeof *places, compare_places);
    *n = 0;
    for (size_t i = 0; i < n_all; i++)
        if (*n == 0 || compare_places(&places[*n - 1], &places[i]) != 0)
            places[(*n)++] = places[i];
    return places;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool
leads_up(const char *path)
{
    for (const char *at = path; (at = strstr(at, "..")) != NULL; at += 2)
        if ((at == path || at[-1] == '/') && (at[2] == '\0' || at[2] == '/'))
            return true;
    return false;
}

/* The text of a file, ended by a zero; NULL: it is none that can be read. free() it. */
static char *
read_text(const char *path)
{
    int         file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    char       *text = NULL;
    size_t      n    = 0;

    if (file < 0)
        return NULL;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= MAX_FILE_BYTES) {
        size_t  bytes = (size_t)info.st_size;
        ssize_t got   = 1;

        text = HD_NEW_ARRAY(char, bytes + 1);
        while (n < bytes && (got = read(file, text + n, bytes - n)) > 0)
            n += (size_t)got;
        text[n] = '\0';
    }
    close(file);
    return text;
}

/* Of the file with the longest end of the path that is in one of the folders. */
static char *
find_text(const hd_page_folders *folders, const char *path)
{
    if (leads_up(path))
        return NULL;
    for (const char *end = path + strspn(path, "/"); *end != '\0';) {
        for (size_t i = 0; i < folders->n; i++) {
            char *name = hd_format("%s/%s", folders->paths[i], end);
            char *text = read_text(name);

            free(name);
            if (text != NULL)
                return text;
        }
        end += strcspn(end, "/");
        end += strspn(end, "/");
    }
    return NULL;
}

/* ---- excerpts ---------------------------------------------------------------------------------------------------- */

/* The begin of the line with this number, from 1 on; NULL: the text has fewer. */
static const char *
line_at(const char *text, int32_t number)
{
    for (; number > 1 && text != NULL; number--) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text != NULL && *text != '\0' ? text : NULL;
}

static void
put_line(hd_json *json, const char *line)
{
    size_t n    = strcspn(line, "\r\n");
    char  *text = hd_format("%.*s", (int)(n < MAX_LINE_BYTES ? n : MAX_LINE_BYTES), line);

    hd_json_text(json, NULL, text);
    free(text);
}

static bool
put_excerpt(hd_json *json, const char *text, const place *at)
{
    int32_t     first = at->line > HD_PAGE_EXCERPT_LINES ? at->line - HD_PAGE_EXCERPT_LINES : 1;
    const char *line  = line_at(text, first);

    if (line_at(text, at->line) == NULL)
        return false;
    hd_json_object(json, NULL);
    hd_json_text(json, "file", at->file);
    hd_json_integer(json, "line", at->line);
    hd_json_integer(json, "first", first);
    hd_json_array(json, "lines");
    for (int32_t i = first; line != NULL && i <= at->line + HD_PAGE_EXCERPT_LINES; i++, line = line_at(line, 2))
        put_line(json, line);
    hd_json_end(json);
    hd_json_end(json);
    return true;
}

void
hd_page_source_put(hd_json *json, const hd_cube *cube, const hd_page_folders *folders, hd_page_sources *found)
{
    size_t n;
    place *places = make_places(cube, &n);
    char  *text   = NULL;

    *found = (hd_page_sources){ 0 };
    hd_json_array(json, "sources");
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(places[i].file, places[i - 1].file) != 0) {
            free(text);
            text = find_text(folders, places[i].file);
            found->n_files++;
            found->n_found += text != NULL;
        }
        if (text != NULL && found->n_excerpts < HD_PAGE_EXCERPTS_MAX)
            found->n_excerpts += put_excerpt(json, text, &places[i]);
    }
    hd_json_end(json);
    free(text);
    free(places);
}
