/* src/cube/model/cube_cell.h: values of a metric and how they are put together. Uses: cube_model. MT: any thread.
 * Ranks: local. */
#ifndef HD_CUBE_CELL_H
#define HD_CUBE_CELL_H

#include "cube_model.h"

/* Of two values the sum, of an extreme metric the least or largest; of integers the largest there is in place of what
 * is too large. What is not known (NaN) does not count. */
hd_cube_cell hd_cell_sum(const hd_cube_metric *metric, hd_cube_cell a, hd_cube_cell b);

/* Of two values of an extreme metric the lesser or the larger one; zero counts as not known, as NaN does. */
double hd_extreme_of(const hd_cube_metric *metric, double a, double b);

/* Equal, or both not known. */
bool hd_values_agree(double a, double b);

#endif
