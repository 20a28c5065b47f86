/* src/report/html/page_matrix.h: the communication matrix in a page, as streams of numbers. The format is that of
 * docs/formats.md#page. Private to the component. Uses: matrix_pairs, page_stream. MT: one thread. Ranks: local. Grows
 * with: pairs of the report; what is written has at most HD_PAGE_PAIRS_MAX of them.
 */
#ifndef HD_PAGE_MATRIX_H
#define HD_PAGE_MATRIX_H

#include "cube_reader.h"
#include "page_stream.h"

enum { HD_PAGE_PAIRS_MAX = 200000 }; /* more pairs are added up in blocks of processes: a browser reads these in half a
                                      * second */

/* Writes the elements "heddle-matrix" and, where there are several nodes, "heddle-matrix-nodes"; nothing if the report
 * has no matrix.
 * Errors: those of hd_matrix_list_read(). Errors of writing stay with out. */
hd_status hd_page_matrix_write(hd_cube *cube, hd_page_packer *packer, hd_out_file *out);

#endif
