/* src/cube/write/cube_out.c: reports from a description and rows of values. */
#include "cube_out.h"

#include <errno.h>
#include <stdio.h>

#include "anchor_writer.h"
#include "cube_format.h"
#include "index_out.h"
#include "memory.h"
#include "new_file.h"
#include "tar_out.h"

typedef struct cube_out {
    const hd_cube_out *what;
    const hd_cube     *cube;
    hd_out_file        out;
    hd_anchor_order    order;
    uint32_t          *path_of_row; /* [n_paths] */
    hd_cube_cell      *cells;       /* [n_locations] */
    uint32_t          *rows;        /* [n_paths] those that have values */
} cube_out;

/* ---- values ------------------------------------------------------------------------------------------------------ */

static hd_status
put_rows(cube_out *writer, uint32_t metric, uint32_t *n_rows)
{
    const hd_cube *cube   = writer->cube;
    hd_status      status = HD_OK;

    *n_rows = 0;
    for (uint32_t row = 0; row < cube->n_paths && status == HD_OK && writer->out.error == 0; row++) {
        bool any = false;

        status = writer->what->rows(writer->what->context, metric, writer->path_of_row[row], writer->cells, &any);
        if (status != HD_OK || !any)
            continue;
        hd_out_file_put(&writer->out, writer->cells, cube->n_locations * sizeof *writer->cells);
        writer->rows[(*n_rows)++] = row;
    }
    return status;
}

/* The size of the data is known after them; their header goes before them then. A metric without rows leaves
 * nothing. */
static hd_status
put_metric_values(cube_out *writer, uint32_t metric)
{
    const hd_cube *cube     = writer->cube;
    const char    *prefix   = cube->metrics[metric].is_hidden ? "ghost_" : "";
    uint64_t       header   = hd_out_file_place(&writer->out);
    bool           is_large = hd_tar_is_large(HD_CUBE_DATA_ROWS +
                                              (uint64_t)cube->n_paths * cube->n_locations * sizeof(hd_cube_cell));
    uint64_t       end;
    uint32_t       n_rows;
    char           name[40];
    hd_status      status;

    hd_out_file_flush(&writer->out);
    writer->out.at = header + hd_tar_header_bytes(is_large);
    hd_out_file_put(&writer->out, HD_CUBE_DATA_MAGIC, HD_CUBE_DATA_ROWS);
    status = put_rows(writer, metric, &n_rows);
    if (status != HD_OK)
        return status;
    if (n_rows > 0)
        hd_tar_put_padding(&writer->out);
    else
        writer->out.n = 0;
    end = hd_out_file_place(&writer->out);
    hd_out_file_flush(&writer->out);
    writer->out.at = header;
    if (n_rows == 0)
        return HD_OK;

    snprintf(name, sizeof name, "%s%" PRIu32 ".data", prefix, writer->order.number[metric]);
    hd_tar_put_header(&writer->out, name,
                      HD_CUBE_DATA_ROWS + (uint64_t)n_rows * cube->n_locations * sizeof(hd_cube_cell), is_large);
    hd_out_file_flush(&writer->out);
    writer->out.at = end;
    snprintf(name, sizeof name, "%s%" PRIu32 ".index", prefix, writer->order.number[metric]);
    hd_index_put_member(&writer->out, name, writer->rows, n_rows);
    return HD_OK;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
prepare(cube_out *writer)
{
    const hd_cube *cube = writer->cube;

    hd_anchor_order_init(&writer->order, cube);
    writer->path_of_row = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    hd_tree_order_list(&writer->order.paths, writer->path_of_row);
    writer->cells = HD_NEW_ARRAY(hd_cube_cell, (size_t)cube->n_locations + 1);
    writer->rows  = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
}

static void
clean_up(cube_out *writer)
{
    hd_out_file_fini(&writer->out);
    hd_anchor_order_fini(&writer->order);
    free(writer->path_of_row);
    free(writer->cells);
    free(writer->rows);
}

static hd_status
write_file(cube_out *writer, const char *path)
{
    const hd_cube *cube   = writer->cube;
    hd_status      status = HD_OK;

    for (uint32_t i = 0; i < cube->n_metrics + cube->n_hidden && status == HD_OK; i++)
        if (cube->metrics[i].kind == HD_CUBE_STORED && cube->n_locations > 0)
            status = put_metric_values(writer, i);
    if (status != HD_OK)
        return status;
    for (size_t i = 0; i < writer->what->n_members; i++) {
        const hd_cube_member *member = &writer->what->members[i];

        hd_tar_put_member(&writer->out, member->name, member->data, member->bytes);
    }
    hd_anchor_put_last(&writer->out, writer->cube, &writer->order, HD_ANCHOR_OF_REPORTS);
    if (writer->out.error != 0)
        return hd_fail(HD_EWRITE, "cannot write report \"%s\": %s", path, strerror(writer->out.error));
    return HD_OK;
}

hd_status
hd_cube_out_write(const hd_cube_out *what, const char *path)
{
    cube_out    writer = { .what = what, .cube = what->cube };
    hd_new_file file;
    int         error  = hd_new_file_open(&file, path, false);
    hd_status   status = HD_OK;

    if (error != 0)
        status = hd_fail(HD_EOPEN, "cannot make report \"%s\": %s", path, strerror(error));
    else {
        prepare(&writer);
        hd_out_file_init(&writer.out, file.fd, 0);
        status = write_file(&writer, path);
        clean_up(&writer);
        error = status == HD_OK ? hd_new_file_commit(&file, !what->keeps) : 0;
        if (error == EEXIST)
            status = hd_fail(HD_EEXIST, "report \"%s\" exists already", path);
        else if (error != 0)
            status = hd_fail(HD_EWRITE, "cannot write report \"%s\": %s", path, strerror(error));
    }
    hd_new_file_fini(&file);
    return status;
}

hd_status
hd_cube_rows_of(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    return hd_cube_cells(context, metric, path, cells, any);
}
