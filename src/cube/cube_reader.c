#include "cube_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cube_derived.h"
#include "cube_file.h"
#include "cube_topology.h"
#include "memory.h"
#include "report_path.h"

enum { MAX_MISC = 1000 }; /* further files that are looked at */

hd_status
hd_cube_misc(hd_cube *cube, const char *name, size_t max_bytes, char **text, size_t *bytes)
{
    const hd_tar_member *member = hd_cube_find_member(cube, name);
    hd_status     status;

    *text  = NULL;
    *bytes = 0;
    if (member == NULL)
        return HD_OK;
    if (member->bytes > max_bytes)
        return hd_fail(HD_ESIZE, "report \"%s\": its file \"%s\" is too large", cube->path, name);
    *text  = HD_NEW_ARRAY(char, (size_t)member->bytes + 1);
    status = hd_cube_read_at(cube, *text, member->bytes, member->data);
    if (status != HD_OK) {
        free(*text);
        *text = NULL;
        return status;
    }
    *bytes = (size_t)member->bytes;
    return HD_OK;
}

/* Members of metrics are called [ghost_]<number>.data and .index. */
static bool
is_of_metric(const char *name)
{
    size_t digits;

    if (strncmp(name, "ghost_", strlen("ghost_")) == 0)
        name += strlen("ghost_");
    digits = strspn(name, "0123456789");
    return digits > 0 && (strcmp(name + digits, ".data") == 0 || strcmp(name + digits, ".index") == 0);
}

/* Of equal names the last counts, and is named once. */
static void
list_misc(hd_cube *cube)
{
    const hd_cube_file *file     = cube->file;
    size_t              capacity = 0, n = 0;

    for (size_t i = 0; i < file->n_members && n < MAX_MISC; i++) {
        const char *name   = file->members[i].name;
        size_t      length = strlen(name);
        bool        is_new = true;

        if (is_of_metric(name) || length == 0 || (length >= 10 && strcmp(name + length - 10, "anchor.xml") == 0))
            continue;
        for (size_t j = 0; j < n && is_new; j++)
            is_new = strcmp(cube->misc[j], name) != 0;
        if (is_new)
            HD_PUSH(cube->misc, n, capacity, name);
    }
    cube->n_misc = (uint32_t)n;
}

hd_status
hd_cube_open(const char *given, hd_cube **cube_out)
{
    char       *path   = NULL;
    hd_status   status = hd_report_find(given, &path);
    hd_cube    *cube;
    struct stat info;

    if (status != HD_OK)
        return status;
    cube           = HD_NEW(hd_cube);
    cube->file     = HD_NEW(hd_cube_file);
    cube->path     = hd_cube_keep(cube, path);
    cube->file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe does not wait for its writer */
    for (int i = 0; i < HD_CUBE_INDEXES; i++)
        cube->file->indexes[i].metric = HD_NONE;
    if (cube->file->fd < 0 || fstat(cube->file->fd, &info) != 0)
        status = hd_fail(HD_EOPEN, "cannot open report \"%s\": %s", path, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        status = hd_fail(HD_EOPEN, "cannot open report \"%s\": it is no regular file", path);
    else
        cube->file->bytes = (uint64_t)info.st_size;
    if (status == HD_OK)
        status = hd_cube_find_members(cube);
    if (status == HD_OK)
        status = hd_cube_read_anchor(cube);
    if (status == HD_OK) {
        hd_cube_link_paths(cube);
        list_misc(cube);
        cube->file->row   = HD_NEW_ARRAY(uint8_t, (size_t)cube->n_locations * 8 + 1);
        cube->file->child = HD_NEW_ARRAY(hd_cube_cell, (size_t)cube->n_locations + 1);
        cube->file->cells = HD_NEW_ARRAY(hd_cube_cell, (size_t)cube->n_locations + 1);
        hd_cube_derived_open(cube);
        *cube_out         = cube;
        cube              = NULL;
    }
    hd_cube_close(cube);
    free(path);
    return status;
}

void
hd_cube_close(hd_cube *cube)
{
    hd_cube_file *file;

    if (cube == NULL)
        return;
    file = cube->file;
    hd_cube_derived_close(cube);
    if (file->fd >= 0)
        close(file->fd);
    for (size_t i = 0; i < file->n_texts; i++)
        free(file->texts[i]);
    free(file->texts);
    free(file->members);
    free(file->first_child);
    free(file->next_sibling);
    free(file->path_of_wide_row);
    free(file->end);
    for (int i = 0; i < HD_CUBE_INDEXES; i++) {
        free(file->indexes[i].position);
        free(file->indexes[i].packed);
        free(file->indexes[i].window.bytes);
    }
    free(file->window.bytes);
    free(file->row);
    free(file->child);
    free(file->cells);
    free(file->packed);
    free(file);
    free(cube->metrics);
    free(cube->paths);
    free(cube->locations);
    free(cube->regions);
    free(cube->nodes);
    free(cube->groups);
    free(cube->part_attributes);
    free(cube->parameters);
    free(cube->mirrors);
    free(cube->misc);
    free(cube->left_out);
    hd_cube_topologies_free(cube->topologies, cube->n_topologies);
    free(cube->attributes);
    free(cube->skipped);
    free(cube->taken_off);
    free(cube);
}
