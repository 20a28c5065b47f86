/* src/cube/model/cube_values.h: the values of a report that was opened, stored and derived ones. Uses: cube_model;
 * implemented in pl/. MT: one thread at a time. Ranks: local. */
#ifndef HD_CUBE_VALUES_H
#define HD_CUBE_VALUES_H

#include "cube_model.h"

/* The values of a metric at one call path, exclusive along the call tree, as stored along the metric tree.
 *   cells    [n_locations] out
 *   any      out: false if all are zero and the file has no row for it (cells are set all the same)
 * Where a metric is not additive, cells of a HD_CUBE_POSTDERIVED one are what the expression gives for this call path
 * and location alone. Values of derived metrics that cannot be computed (0 as divisor, loops without end) are NaN.
 * Cost: O(n_locations) and a read for the row and, for metrics stored inclusively, for each child; for derived ones
 * this for each metric that they are computed from, HD_CUBE_PREDERIVED_INCLUSIVE ones and those that ask for inclusive
 * values: for all call paths below. Asking metric by metric is cheap; so is going back and forth between up to eight of
 * them, while more read an index each time.
 * Errors: HD_EREAD, HD_EFORMAT. */
hd_status hd_cube_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

/* The same as floating-point numbers, as which integers above 2^53 are not exact. */
hd_status hd_cube_row(hd_cube *cube, uint32_t metric, uint32_t path, double *values, bool *any);

/* The same, summed over call paths: added to values. selected: [n_paths] those that count, NULL: all. Of metrics that
 * are not additive: their least or largest value of each location, and what the expression of a HD_CUBE_POSTDERIVED one
 * gives for the sums of each location; these are set, not added. Where what is selected comes with everything below,
 * such an expression is asked inclusively for the outermost call paths, else exclusively for each.
 * Errors: the same; values are undefined then. */
hd_status hd_cube_sum(hd_cube *cube, uint32_t metric, const bool *selected, double *values);

#endif
