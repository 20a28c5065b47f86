/* src/cube/write/anchor_writer.h: writes anchor.xml, which describes all of a report but the values, as the last member
 * of a report.
 *
 * Format: docs/formats.md#cube. Other readers parse it line by line with a fixed order of parts and attributes, so
 * nothing may move. Metrics and call paths are numbered depth-first; nodes, processes and locations have the numbers of
 * the description.
 * Uses: cube_model, tree_order, out_file. MT: one thread at a time. Ranks: local. Errors stay with out.
 */
#ifndef HD_ANCHOR_WRITER_H
#define HD_ANCHOR_WRITER_H

#include "cube_model.h"
#include "out_file.h"
#include "tree_order.h"

typedef enum hd_anchor_style {
    HD_ANCHOR_OF_REPORTS, /* line ends in texts are kept; values are of the types DOUBLE, INT64, UINT64, ... */
    HD_ANCHOR_OF_ANALYSIS /* as Scalasca's analyser writes it: a line end in a text is '?'; values are of the types
                           * FLOAT and INTEGER */
} hd_anchor_style;

/* The depth-first order of a report's trees. Grows with: metrics, call paths, nodes. */
typedef struct hd_anchor_order {
    hd_tree_order metrics, paths, nodes; /* metrics: the hidden ones, too */
    uint32_t     *number;                /* [n_metrics + n_hidden] of each metric in the file */
} hd_anchor_order;

void hd_anchor_order_init(hd_anchor_order *order, const hd_cube *cube);
void hd_anchor_order_fini(hd_anchor_order *order);

/* Writes the member "anchor.xml" and the end of the archive. cube: what cube_out.h says of a description.
 * Errors: EFBIG, it is larger than 8 GB. */
void hd_anchor_put_last(hd_out_file *out, const hd_cube *cube, const hd_anchor_order *order, hd_anchor_style style);

#endif
