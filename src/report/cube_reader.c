#include "cube_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "cube_derived.h"
#include "cube_file.h"
#include "cube_topology.h"
#include "memory.h"

enum { MAX_MISC = 1000 }; /* further files that are looked at */

static const uint8_t format_bytes[] = { 0, 8, 8, 8, 4, 4, 2, 2, 1, 1 }; /* by hd_value_format */

static void
link_paths(hd_cube *cube)
{
    hd_cube_file *file = cube->file;

    file->first_child  = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    file->next_sibling = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    file->end          = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    memset(file->first_child, 0xFF, cube->n_paths * sizeof(uint32_t)); /* HD_NONE */
    for (uint32_t i = cube->n_paths; i-- > 0;) {
        uint32_t parent = cube->paths[i].parent;

        file->next_sibling[i] = HD_NONE;
        if (file->end[i] <= i)
            file->end[i] = i + 1;
        if (parent != HD_NONE) {
            if (file->end[parent] < file->end[i])
                file->end[parent] = file->end[i];
            file->next_sibling[i]     = file->first_child[parent];
            file->first_child[parent] = i;
        }
    }
}

/* Rows of inclusive metrics: each root, then, for every node in depth-first order, all of its children at once. */
static void
number_wide_rows(hd_cube *cube)
{
    hd_cube_file *file = cube->file;
    uint32_t   n    = 0;

    file->path_of_wide_row = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    for (uint32_t i = 0; i < cube->n_paths; i++) { /* paths are in depth-first order */
        if (cube->paths[i].parent == HD_NONE)
            file->path_of_wide_row[n++] = i;
        for (uint32_t child = file->first_child[i]; child != HD_NONE; child = file->next_sibling[child])
            file->path_of_wide_row[n++] = child;
    }
}

static hd_status
damaged(const hd_cube *cube, uint32_t metric, const char *what)
{
    return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: metric \"%.100s\" has %s", cube->path, cube->metrics[metric].id,
                   what);
}

static hd_status
read_row_numbers(hd_cube *cube, uint32_t metric, const hd_tar_member *member)
{
    hd_cube_file *file         = cube->file;
    hd_row_index *index        = file->index;
    bool       is_inclusive = cube->metrics[metric].is_inclusive;
    uint8_t    head[22]     = { 0 };
    uint8_t   *numbers;
    uint32_t   n;
    hd_status  status;

    if (member->bytes < 18)
        return damaged(cube, metric, "an index that is too short");
    status = hd_cube_read_near(cube, &cube->file->index->window, head, member->bytes < sizeof head ? member->bytes : sizeof head, member->data);
    if (status != HD_OK)
        return status;
    if (memcmp(head, "CUBEX.INDEX", 11) != 0 || hd_cube_number(head + 11, 4, head[11] == 0) != 1)
        return damaged(cube, metric, "an index that does not begin like one");
    index->swaps = head[11] == 0;
    if (is_inclusive && file->path_of_wide_row == NULL)
        number_wide_rows(cube);
    HD_ASSERT(!is_inclusive || file->path_of_wide_row != NULL);

    n = cube->n_paths; /* dense */
    if (head[17] == 0)
        n = 0;
    else if (head[17] == 1)
        n = member->bytes >= sizeof head ? (uint32_t)hd_cube_number(head + 18, 4, index->swaps) : 0;
    else if (head[17] != 3)
        return damaged(cube, metric, "an index of an unknown kind");
    if (head[17] == 1 && n > 0 && n > (member->bytes - sizeof head) / 4)
        return damaged(cube, metric, "an index that is too short");
    if (n > cube->n_paths)
        return damaged(cube, metric, "more rows than there are call paths");

    numbers = head[17] == 1 ? HD_NEW_ARRAY(uint8_t, (size_t)n * 4 + 1) : NULL;
    if (numbers != NULL)
        status = hd_cube_read_near(cube, &cube->file->index->window, numbers, (uint64_t)n * 4, member->data + sizeof head);
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        uint32_t row = numbers != NULL ? (uint32_t)hd_cube_number(numbers + (size_t)i * 4, 4, index->swaps) : i;

        if (row >= cube->n_paths)
            status = damaged(cube, metric, "a row of an undefined call path");
        else
            index->position[is_inclusive ? file->path_of_wide_row[row] : row] = i;
    }
    index->is_empty = n == 0;
    free(numbers);
    return status;
}

static hd_status
read_packed_rows(hd_cube *cube, uint32_t metric, const hd_tar_member *member)
{
    hd_row_index *index = cube->file->index;
    uint8_t    head[19], entry[24];
    uint64_t   rows;
    hd_status  status = hd_cube_read_near(cube, &cube->file->index->window, head, sizeof head, member->data);

    if (status != HD_OK)
        return status;
    index->n_packed = hd_cube_number(head + 11, 8, index->swaps);
    if (index->n_packed > (member->bytes - sizeof head) / sizeof entry)
        return damaged(cube, metric, "compressed rows whose list is too short");
    index->packed = HD_NEW_ARRAY(uint64_t, 2 * (size_t)index->n_packed + 1);
    rows          = sizeof head + index->n_packed * sizeof entry;
    for (uint64_t i = 0; i < index->n_packed; i++) {
        uint64_t start, bytes;

        status = hd_cube_read_near(cube, &cube->file->index->window, entry, sizeof entry, member->data + sizeof head + i * sizeof entry);
        if (status != HD_OK)
            return status;
        start = hd_cube_number(entry + 8, 8, index->swaps);
        bytes = hd_cube_number(entry + 16, 8, index->swaps);
        if (start > member->bytes - rows || bytes > member->bytes - rows - start)
            return damaged(cube, metric, "a compressed row that is not inside of its file");
        index->packed[2 * i]     = member->data + rows + start;
        index->packed[2 * i + 1] = bytes;
    }
    return HD_OK;
}

static hd_status
read_rows(hd_cube *cube, uint32_t metric, const hd_tar_member *member)
{
    hd_row_index *index    = cube->file->index;
    uint8_t    head[11] = { 0 };
    hd_status  status;

    if (member->bytes < 10)
        return damaged(cube, metric, "values that are too short");
    status = hd_cube_read_near(cube, &cube->file->index->window, head, member->bytes < sizeof head ? member->bytes : sizeof head, member->data);
    if (status != HD_OK)
        return status;
    if (memcmp(head, "ZCUBEX.DATA", 11) == 0)
        return member->bytes >= 19 ? read_packed_rows(cube, metric, member)
                                   : damaged(cube, metric, "values that are too short");
    if (memcmp(head, "CUBEX.DATA", 10) != 0)
        return damaged(cube, metric, "values that do not begin like ones");
    index->rows     = member->data + 10;
    index->rows_end = member->data + member->bytes;
    return HD_OK;
}

/* The names of members of hidden metrics are marked, but not by all writers. */
static const hd_tar_member *
find_part(const hd_cube *cube, const hd_cube_metric *metric, const char *part)
{
    const hd_tar_member *member = NULL;
    char                 name[40];

    if (metric->is_hidden) {
        snprintf(name, sizeof name, "ghost_%" PRIu32 ".%s", metric->number, part);
        member = hd_cube_find_member(cube, name);
    }
    snprintf(name, sizeof name, "%" PRIu32 ".%s", metric->number, part);
    return member != NULL ? member : hd_cube_find_member(cube, name);
}

/* Makes the rows of a metric those in use: they are known already, or take the place of those that were not asked for the longest. */
static hd_status
select_metric(hd_cube *cube, uint32_t metric)
{
    hd_cube_file        *file  = cube->file;
    hd_row_index        *index = &file->indexes[0];
    const hd_tar_member *rows, *numbers;
    hd_status            status;

    for (int i = 0; i < HD_CUBE_INDEXES && index->metric != metric; i++)
        if (file->indexes[i].metric == metric || file->indexes[i].asked_at < index->asked_at)
            index = &file->indexes[i];
    file->index     = index;
    index->asked_at = ++file->n_asked;
    if (index->metric == metric)
        return HD_OK;
    free(index->packed);
    index->packed   = NULL;
    index->metric   = HD_NONE;
    index->is_empty = true;
    if (index->position == NULL)
        index->position = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    memset(index->position, 0xFF, cube->n_paths * sizeof(uint32_t)); /* HD_NONE */

    numbers = find_part(cube, &cube->metrics[metric], "index");
    rows    = find_part(cube, &cube->metrics[metric], "data");
    if (rows != NULL && numbers != NULL) {
        status = read_row_numbers(cube, metric, numbers);
        if (status == HD_OK)
            status = read_rows(cube, metric, rows);
        if (status != HD_OK)
            return status;
    }
    index->metric = metric;
    return HD_OK;
}

/* Whether numbers stand in the file as they do in memory. */
static bool
is_native(bool swaps)
{
    const uint16_t one = 1;

    return *(const uint8_t *)&one == (swaps ? 0 : 1);
}

static hd_cube_cell
cell_of(hd_value_format format, const uint8_t *bytes, bool swaps)
{
    uint64_t     bits = hd_cube_number(bytes, format_bytes[format], swaps);
    hd_cube_cell cell;

    switch (format) {
    case HD_FORMAT_I32: cell.integer = (int32_t)(uint32_t)bits; break;
    case HD_FORMAT_I16: cell.integer = (int16_t)(uint16_t)bits; break;
    case HD_FORMAT_I8: cell.integer = (int64_t)(bits ^ 128) - 128; break;
    default: memcpy(&cell, &bits, sizeof cell); break; /* HD_FORMAT_DOUBLE too */
    }
    return cell;
}

static hd_status
read_packed_row(hd_cube *cube, uint32_t metric, uint32_t position, size_t row_bytes)
{
    hd_cube_file *file = cube->file;
    uint64_t   at   = file->index->packed[2 * (size_t)position];
    uint64_t   n    = file->index->packed[2 * (size_t)position + 1];
    uLongf     got  = row_bytes;
    hd_status  status;

    if (n > file->packed_capacity) {
        file->packed          = hd_realloc(file->packed, n, 1);
        file->packed_capacity = n;
    }
    status = hd_cube_read_near(cube, &cube->file->index->window, file->packed, n, at);
    if (status != HD_OK)
        return status;
    if (uncompress(file->row, &got, file->packed, n) != Z_OK || got != row_bytes)
        return damaged(cube, metric, "a compressed row that cannot be uncompressed");
    return HD_OK;
}

/* As stored, inclusive or exclusive. */
static hd_status
read_stored_row(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_cube_file       *file      = cube->file;
    const hd_row_index *index     = file->index;
    hd_value_format     format    = (hd_value_format)cube->metrics[metric].format;
    uint32_t            position  = index->position[path];
    size_t              row_bytes = (size_t)cube->n_locations * format_bytes[format];
    hd_status           status;

    *any = position != HD_NONE;
    if (position == HD_NONE) {
        memset(cells, 0, cube->n_locations * sizeof *cells);
        return HD_OK;
    }
    if (index->packed != NULL) {
        if (position >= index->n_packed)
            return damaged(cube, metric, "fewer compressed rows than its index says");
        status = read_packed_row(cube, metric, position, row_bytes);
    } else {
        if (((uint64_t)position + 1) * row_bytes > index->rows_end - index->rows)
            return damaged(cube, metric, "fewer rows than its index says");
        status = hd_cube_read_near(cube, &cube->file->index->window, file->row, row_bytes, index->rows + (uint64_t)position * row_bytes);
    }
    if (status != HD_OK)
        return status;
    if (format_bytes[format] == sizeof *cells && is_native(index->swaps))
        memcpy(cells, file->row, row_bytes);
    else
        for (uint32_t i = 0; i < cube->n_locations; i++)
            cells[i] = cell_of(format, file->row + (size_t)i * format_bytes[format], index->swaps);
    return HD_OK;
}

static void
subtract(hd_cube_cell *cells, const hd_cube_cell *others, uint32_t n, bool is_integer)
{
    for (uint32_t i = 0; i < n; i++)
        if (is_integer)
            cells[i].integer = (int64_t)((uint64_t)cells[i].integer - (uint64_t)others[i].integer);
        else
            cells[i].real -= others[i].real;
}

hd_status
hd_cube_stored_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_status status = select_metric(cube, metric);

    if (status != HD_OK || !cube->file->index->is_empty)
        return status == HD_OK ? read_stored_row(cube, metric, path, cells, any) : status;
    memset(cells, 0, cube->n_locations * sizeof *cells);
    *any = false;
    return HD_OK;
}

hd_status
hd_cube_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_cube_file *file = cube->file;
    hd_status     status;

    HD_ASSERT(metric < cube->n_metrics + cube->n_hidden);
    HD_ASSERT(path < cube->n_paths);
    if (cube->metrics[metric].kind != HD_CUBE_STORED || hd_cube_is_void(cube, metric))
        return hd_cube_derived_cells(cube, metric, path, cells, any);
    status = hd_cube_stored_cells(cube, metric, path, cells, any);
    if (status != HD_OK || !cube->metrics[metric].is_inclusive || file->index->is_empty)
        return status;
    for (uint32_t child = file->first_child[path]; child != HD_NONE && status == HD_OK; child = file->next_sibling[child]) {
        bool has_child;

        status = read_stored_row(cube, metric, child, file->child, &has_child);
        if (status == HD_OK && has_child)
            subtract(cells, file->child, cube->n_locations, cube->metrics[metric].is_integer);
        *any |= has_child;
    }
    return status;
}

hd_status
hd_cube_row(hd_cube *cube, uint32_t metric, uint32_t path, double *values, bool *any)
{
    const hd_cube_metric *of     = &cube->metrics[metric];
    hd_cube_cell         *cells  = cube->file->cells;
    hd_status             status = hd_cube_cells(cube, metric, path, cells, any);

    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
        values[i] = hd_cube_cell_value(of, cells[i]);
    return status;
}

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

uint32_t
hd_cube_metric_by_id(const hd_cube *cube, const char *id)
{
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        if (strcmp(cube->metrics[i].id, id) == 0)
            return i;
    return HD_NONE;
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
hd_cube_open(const char *path, hd_cube **cube_out)
{
    hd_cube    *cube = HD_NEW(hd_cube);
    struct stat info;
    hd_status   status = HD_OK;

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
        link_paths(cube);
        list_misc(cube);
        cube->file->row   = HD_NEW_ARRAY(uint8_t, (size_t)cube->n_locations * 8 + 1);
        cube->file->child = HD_NEW_ARRAY(hd_cube_cell, (size_t)cube->n_locations + 1);
        cube->file->cells = HD_NEW_ARRAY(hd_cube_cell, (size_t)cube->n_locations + 1);
        hd_cube_derived_open(cube);
        *cube_out         = cube;
        cube              = NULL;
    }
    hd_cube_close(cube);
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
    free(cube);
}
