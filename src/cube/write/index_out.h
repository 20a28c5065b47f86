/* src/cube/write/index_out.h: the member <metric>.index of a report: which call paths have rows. The format is that of
 * cube_format.h.
 *
 * Uses: out_file, tar_out. MT: one thread at a time. Ranks: local. Errors stay with out.
 */
#ifndef HD_INDEX_OUT_H
#define HD_INDEX_OUT_H

#include "out_file.h"

/* Without header and padding. */
uint64_t hd_index_bytes(uint32_t n_rows);

/* rows: [n_rows] numbers of call paths in depth-first order, ascending. */
void hd_index_put_member(hd_out_file *out, const char *name, const uint32_t *rows, uint32_t n_rows);

#endif
