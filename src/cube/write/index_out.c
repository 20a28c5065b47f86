/* src/cube/write/index_out.c: sparse indexes. */
#include "index_out.h"

#include <string.h>

#include "cube_format.h"
#include "tar_out.h"

uint64_t
hd_index_bytes(uint32_t n_rows)
{
    return HD_CUBE_INDEX_ROWS + (uint64_t)HD_CUBE_ROW_NUMBER_BYTES * n_rows;
}

void
hd_index_put_member(hd_out_file *out, const char *name, const uint32_t *rows, uint32_t n_rows)
{
    const uint32_t byte_order = 1;
    const uint16_t version    = 0;
    const uint8_t  kind       = HD_CUBE_INDEX_SPARSE;
    uint64_t       bytes      = hd_index_bytes(n_rows);

    hd_tar_put_header(out, name, bytes, hd_tar_is_large(bytes));
    hd_out_file_put(out, HD_CUBE_INDEX_MAGIC, strlen(HD_CUBE_INDEX_MAGIC));
    hd_out_file_put(out, &byte_order, sizeof byte_order);
    hd_out_file_put(out, &version, sizeof version);
    hd_out_file_put(out, &kind, sizeof kind);
    hd_out_file_put(out, &n_rows, sizeof n_rows);
    hd_out_file_put(out, rows, (size_t)n_rows * sizeof *rows);
    hd_tar_put_padding(out);
}
