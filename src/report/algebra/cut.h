/* src/report/algebra/cut.h: a report with a part of its call tree: other roots, or without some subtrees.
 *
 * What is below a new root is kept, the rest is left out. A subtree that is pruned is gone too, and its values are
 * added to those of its parent, so that sums stay what they were, or are dropped with it.
 * Uses: path_select, cube_out. Owner: hd_cut_free(); the report stays the caller's and must live as long. Grows with:
 * call paths, locations.
 * MT: one thread at a time. Ranks: local.
 */
#ifndef HD_CUT_H
#define HD_CUT_H

#include "cube_out.h"

#define HD_CUT_ATTRIBUTE "Heddle::Cut" /* of a result: what was cut */

typedef struct hd_cut_options { /* call paths: as path_select.h has them; of several all that are meant */
    const char *const *roots;  /* [n_roots] each of these becomes a root, the outermost where one contains another;
                                * none: as it was */
    const char *const *pruned; /* [n_pruned] */
    size_t             n_roots, n_pruned;
    bool               drops; /* values of what is pruned */
} hd_cut_options;

typedef struct hd_cut hd_cut;

/* Errors: HD_EUSAGE: there is no such call path; a root is pruned, whose values would have no place; nothing is
 * left. */
hd_status hd_cut_new(hd_cube *cube, const hd_cut_options *options, hd_cut **cut);
void      hd_cut_free(hd_cut *cut);

/* The result without its values, which hd_cut_rows() gives; valid as long as the cut. */
const hd_cube *hd_cut_cube(const hd_cut *cut);

/* Its rows, as cube_out.h wants them. context: the cut. Errors: those of reading the report. */
hd_status hd_cut_rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

#endif
