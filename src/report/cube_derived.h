/* src/report/cube_derived.h: metrics that are computed from others. Inside of the room only; what it offers is declared in cube_reader.h.
 *
 * Expressions are parsed once, when the report is opened; what is prepared for all of them is run then, too. A metric that cannot be
 * computed, or is computed from one, goes to left_out with the reason; so does one that takes too long. Values are
 * computed row by row when they are asked for; only sums over all places (metric::fixed::, metric::call::) are kept, one per call path.
 *
 * Uses: cube_file, cube_pl. MT and Ranks: as cube_reader.h.
 */
#ifndef HD_CUBE_DERIVED_H
#define HD_CUBE_DERIVED_H

#include "cube_file.h"

/* Once everything else is read. Takes metrics out of cube->metrics. */
void hd_cube_derived_open(hd_cube *cube);
void hd_cube_derived_close(hd_cube *cube);

/* Whether what an expression prepares says that a metric is to be zero. */
bool hd_cube_is_void(const hd_cube *cube, uint32_t metric);

/* hd_cube_cells() of a metric that is derived or void. */
hd_status hd_cube_derived_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

#endif
