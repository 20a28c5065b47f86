/* src/cube/read/cube_rows.c: the rows of values of a report: its indexes, compressed rows, what is stored
 * inclusively. */
#include <stdio.h>
#include <zlib.h>

#include "cube_file.h"
#include "cube_format.h"
#include "memory.h"

static const uint8_t format_bytes[] = { 0, 8, 8, 8, 4, 4, 2, 2, 1, 1 }; /* by hd_value_format */

void
hd_cube_link_paths(hd_cube *cube)
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
    return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: metric \"%.100s\" has %s", cube->path,
                   cube->metrics[metric].id, what);
}

/* What stands before the row numbers of an index. */
typedef struct index_head {
    uint32_t n_rows;
    bool     is_sparse; /* row numbers follow; else rows are those of all call paths, or there are none */
} index_head;

static hd_status
read_index_head(hd_cube *cube, uint32_t metric, const hd_tar_member *member, index_head *head)
{
    hd_row_index *index = cube->file->index;
    uint8_t       bytes[HD_CUBE_INDEX_ROWS] = { 0 };
    hd_status     status;

    if (member->bytes < HD_CUBE_INDEX_N_ROWS)
        return damaged(cube, metric, "an index that is too short");
    status = hd_cube_read_near(cube, &index->window, bytes, member->bytes < sizeof bytes ? member->bytes : sizeof bytes,
                               member->data);
    if (status != HD_OK)
        return status;
    index->swaps = bytes[HD_CUBE_INDEX_BYTE_ORDER] == 0;
    if (memcmp(bytes, HD_CUBE_INDEX_MAGIC, HD_CUBE_INDEX_BYTE_ORDER) != 0 ||
        hd_cube_number(bytes + HD_CUBE_INDEX_BYTE_ORDER, 4, index->swaps) != 1)
        return damaged(cube, metric, "an index that does not begin like one");

    head->is_sparse = bytes[HD_CUBE_INDEX_KIND] == HD_CUBE_INDEX_SPARSE;
    switch (bytes[HD_CUBE_INDEX_KIND]) {
    case HD_CUBE_INDEX_EMPTY: head->n_rows = 0; break;
    case HD_CUBE_INDEX_DENSE: head->n_rows = cube->n_paths; break;
    case HD_CUBE_INDEX_SPARSE: /* too short for a number: the bytes are 0 */
        head->n_rows = member->bytes >= sizeof bytes ?
                       (uint32_t)hd_cube_number(bytes + HD_CUBE_INDEX_N_ROWS, 4, index->swaps) : 0;
        break;
    default: return damaged(cube, metric, "an index of an unknown kind");
    }
    if (head->is_sparse && head->n_rows > 0 && head->n_rows > (member->bytes - sizeof bytes) / HD_CUBE_ROW_NUMBER_BYTES)
        return damaged(cube, metric, "an index that is too short");
    if (head->n_rows > cube->n_paths)
        return damaged(cube, metric, "more rows than there are call paths");
    return HD_OK;
}

/* Fills position of the index in use. */
static hd_status
read_row_numbers(hd_cube *cube, uint32_t metric, const hd_tar_member *member)
{
    hd_cube_file *file    = cube->file;
    hd_row_index *index   = file->index;
    bool          is_wide = cube->metrics[metric].is_inclusive;
    index_head    head    = { 0 };
    uint8_t      *numbers = NULL;
    hd_status     status  = read_index_head(cube, metric, member, &head);

    if (status != HD_OK)
        return status;
    if (is_wide && file->path_of_wide_row == NULL)
        number_wide_rows(cube);
    HD_ASSERT(!is_wide || file->path_of_wide_row != NULL);
    if (head.is_sparse) {
        numbers = HD_NEW_ARRAY(uint8_t, (size_t)head.n_rows * HD_CUBE_ROW_NUMBER_BYTES + 1);
        status  = hd_cube_read_near(cube, &index->window, numbers, (uint64_t)head.n_rows * HD_CUBE_ROW_NUMBER_BYTES,
                                    member->data + HD_CUBE_INDEX_ROWS);
    }
    for (uint32_t i = 0; i < head.n_rows && status == HD_OK; i++) {
        const uint8_t *number = numbers + (size_t)i * HD_CUBE_ROW_NUMBER_BYTES;
        uint32_t       row    = head.is_sparse ?
                                (uint32_t)hd_cube_number(number, HD_CUBE_ROW_NUMBER_BYTES, index->swaps) : i;

        if (row >= cube->n_paths)
            status = damaged(cube, metric, "a row of an undefined call path");
        else
            index->position[is_wide ? file->path_of_wide_row[row] : row] = i;
    }
    index->is_empty = head.n_rows == 0;
    free(numbers);
    return status;
}

static hd_status
read_packed_rows(hd_cube *cube, uint32_t metric, const hd_tar_member *member)
{
    hd_row_index *index = cube->file->index;
    uint8_t    head[HD_CUBE_PACKED_LIST], entry[HD_CUBE_PACKED_ENTRY];
    uint64_t   rows;
    hd_status  status = hd_cube_read_near(cube, &cube->file->index->window, head, sizeof head, member->data);

    if (status != HD_OK)
        return status;
    index->n_packed = hd_cube_number(head + HD_CUBE_PACKED_N_ROWS, 8, index->swaps);
    if (index->n_packed > (member->bytes - sizeof head) / sizeof entry)
        return damaged(cube, metric, "compressed rows whose list is too short");
    index->packed = HD_NEW_ARRAY(uint64_t, 2 * (size_t)index->n_packed + 1);
    rows          = sizeof head + index->n_packed * sizeof entry;
    for (uint64_t i = 0; i < index->n_packed; i++) {
        uint64_t start, bytes;

        status = hd_cube_read_near(cube, &cube->file->index->window, entry, sizeof entry,
                                   member->data + sizeof head + i * sizeof entry);
        if (status != HD_OK)
            return status;
        start = hd_cube_number(entry + HD_CUBE_PACKED_START, 8, index->swaps);
        bytes = hd_cube_number(entry + HD_CUBE_PACKED_N_BYTES, 8, index->swaps);
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
    uint8_t    head[HD_CUBE_PACKED_N_ROWS] = { 0 };
    hd_status  status;

    if (member->bytes < HD_CUBE_DATA_ROWS)
        return damaged(cube, metric, "values that are too short");
    status = hd_cube_read_near(cube, &cube->file->index->window, head,
                               member->bytes < sizeof head ? member->bytes : sizeof head, member->data);
    if (status != HD_OK)
        return status;
    if (memcmp(head, HD_CUBE_PACKED_MAGIC, sizeof head) == 0)
        return member->bytes >= HD_CUBE_PACKED_LIST ? read_packed_rows(cube, metric, member)
                                   : damaged(cube, metric, "values that are too short");
    if (memcmp(head, HD_CUBE_DATA_MAGIC, HD_CUBE_DATA_ROWS) != 0)
        return damaged(cube, metric, "values that do not begin like ones");
    index->rows     = member->data + HD_CUBE_DATA_ROWS;
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

/* Makes the rows of a metric those in use: they are known already, or take the place of those that were not asked for
 * the longest. */
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
        status = hd_cube_read_near(cube, &cube->file->index->window, file->row, row_bytes,
                                   index->rows + (uint64_t)position * row_bytes);
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
hd_cube_exclusive_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_cube_file *file   = cube->file;
    hd_status     status = hd_cube_stored_cells(cube, metric, path, cells, any);

    if (status != HD_OK || !cube->metrics[metric].is_inclusive || file->index->is_empty)
        return status;
    for (uint32_t child = file->first_child[path]; child != HD_NONE && status == HD_OK;
         child = file->next_sibling[child]) {
        bool has_child;

        status = read_stored_row(cube, metric, child, file->child, &has_child);
        if (status == HD_OK && has_child)
            subtract(cells, file->child, cube->n_locations, cube->metrics[metric].is_integer);
        *any |= has_child;
    }
    return status;
}
