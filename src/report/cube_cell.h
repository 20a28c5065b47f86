/* src/report/cube_cell.h: values of a metric and how they are put together. Uses: cube_reader. MT: any thread. Ranks: local. */
#ifndef HD_CUBE_CELL_H
#define HD_CUBE_CELL_H

#include "cube_reader.h"

/* As a floating-point number, as which integers above 2^53 are not exact. */
double hd_cell_value(const hd_cube_metric *metric, hd_cube_cell cell);

/* Of two values the sum, of an extreme metric the least or largest; of integers the largest there is in place of what is too large. */
hd_cube_cell hd_cell_sum(const hd_cube_metric *metric, hd_cube_cell a, hd_cube_cell b);

/* Of two values of an extreme metric the lesser or the larger one; zero counts as not known. */
double hd_extreme_of(const hd_cube_metric *metric, double a, double b);

#endif
