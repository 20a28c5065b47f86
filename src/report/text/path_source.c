/* src/report/text/path_source.c: finds file and line of a call path, from its innermost region outwards. */
#include "path_source.h"

#include <string.h>

#include "escape.h"
#include "memory.h"

const char *
hd_source_base_name(const char *file)
{
    const char *slash = strrchr(file, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : file;
}

bool
hd_path_source_find(const hd_cube *cube, uint32_t path, hd_path_source *source)
{
    for (uint32_t i = path; i != HD_NONE; i = cube->paths[i].parent) {
        const hd_cube_path   *own    = &cube->paths[i];
        const hd_cube_region *region = &cube->regions[own->region];

        if (own->call_line > 0 && *own->call_file != '\0')
            *source = (hd_path_source){ .file = own->call_file, .line = own->call_line, .path = i, .is_call = true };
        else if (region->begin_line > 0 && *region->file != '\0')
            *source = (hd_path_source){ .file = region->file, .line = region->begin_line, .path = i };
        else
            continue;
        return true;
    }
    return false;
}

/* "@solver.f90:133" stands at the end of the name. */
static bool
is_in_name(const char *name, const hd_path_source *source)
{
    char       *place = hd_format("%s:%" PRId32, hd_source_base_name(source->file), source->line);
    const char *at    = strrchr(name, '@');
    bool        is_there = at != NULL && strcmp(hd_source_base_name(at + 1), place) == 0;

    free(place);
    return is_there;
}

char *
hd_path_source_text(const hd_cube *cube, uint32_t path, bool is_whole)
{
    hd_path_source source;
    char          *text  = NULL;
    size_t         bytes = 0;
    FILE          *stream;

    if (!hd_path_source_find(cube, path, &source) || is_in_name(cube->paths[source.path].name, &source))
        return NULL;
    stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        hd_fatal("out of memory: the place of a call path cannot be written");
    if (source.path != path) {
        fputs("in ", stream);
        hd_write_escaped(stream, cube->paths[source.path].name);
        fputs(source.is_call ? ", called at " : ", ", stream);
    } else
        fputs(source.is_call ? "called at " : "at ", stream);
    hd_write_escaped(stream, is_whole ? source.file : hd_source_base_name(source.file));
    fprintf(stream, ":%" PRId32, source.line);
    if (fclose(stream) != 0)
        hd_fatal("out of memory: the place of a call path cannot be written");
    return text;
}

void
hd_path_source_print(FILE *file, uint32_t indent, const hd_cube *cube, uint32_t path)
{
    char *text = hd_path_source_text(cube, path, false);

    if (text != NULL)
        fprintf(file, "%*s%s\n", (int)indent, "", text);
    free(text);
}
