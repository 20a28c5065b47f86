/* topology/view.h: a Cartesian topology of any number of dimensions as a picture of two axes, and values on it.
 *
 * An axis shows one dimension, or several folded into one: the last one named runs fastest, each before it goes on when
 * those after it it have run through. A dimension may be held at one number (a slice); what is neither on an axis nor
 * held is summed up.
 *
 *   3 x 2 x 2, fold "zx,y"     across:  z=0: x=0 1 2   z=1: x=0 1 2      down: y=0 1
 *
 * Uses: base. Grows with: the cells of the picture, 12 bytes each. MT: one thread. Ranks: local.
 */
#ifndef HD_VIEW_H
#define HD_VIEW_H

#include "status.h"
#include "types.h"

#define HD_VIEW_DIMENSIONS_MAX 32
#define HD_VIEW_CELLS_MAX (UINT64_C(1) << 26)

typedef struct hd_view_dimension {
    const char *name; /* never empty */
    uint32_t    size;
    bool        is_periodic;
    uint32_t    first; /* what its first place is called: 0, or, of iterations, 1 */
} hd_view_dimension;

typedef struct hd_view_axis {
    uint32_t dimensions[HD_VIEW_DIMENSIONS_MAX]; /* [n] slowest first */
    uint32_t n, size;                            /* size: places on it; 1 with no dimension */
} hd_view_axis;

typedef struct hd_view {
    const char        *name; /* of the topology */
    hd_view_dimension  dimensions[HD_VIEW_DIMENSIONS_MAX];
    uint32_t           n_dimensions;
    hd_view_axis       across, down;
    uint32_t           held[HD_VIEW_DIMENSIONS_MAX]; /* HD_NONE: not */
} hd_view;

typedef struct hd_grid {
    double   *values; /* [columns * rows] sum of what was put there; row by row */
    uint32_t *counts; /* [columns * rows] how many values were put there */
    uint32_t  columns, rows;
} hd_grid;

/* view: in, name, dimensions and n_dimensions; out, the rest.
 *   fold    "across,down", e.g. "x,y", "zx,y", "Process,Thread", "node+slot,core": on each axis the names of
 *           dimensions, joined by "+" or,
 *           where each is a single letter, written together; "0", "1", ... and, by their numbers, "x", "y", "z", "w",
 *           "v", "u" are understood, too. NULL: what is not held, every other one on each axis, the first ones fastest;
 *           of more than two, those of size 1 are held.
 *   slice   "z=3" or "z=3,w=0"; NULL: none
 * Errors: HD_EUSAGE with the words. */
hd_status hd_view_make(hd_view *view, const char *fold, const char *slice);

/* Where a place of the topology is; false: on another slice. x: [n_dimensions] inside. */
bool hd_view_place(const hd_view *view, const uint32_t *x, uint32_t *column, uint32_t *row);

/* The number of one of an axis' dimensions at a place on it. i: in axis->dimensions. */
uint32_t hd_view_coordinate(const hd_view *view, const hd_view_axis *axis, uint32_t i, uint32_t place);

/* Whether there is a gap before a place: all but the fastest dimension go on there. */
bool hd_view_is_gap(const hd_view *view, const hd_view_axis *axis, uint32_t place);

/* What each dimension is at a place of the picture: x[n_dimensions], out; HD_NONE: it is summed up. */
void hd_view_coordinates(const hd_view *view, uint32_t column, uint32_t row, uint32_t *x);

void hd_grid_init(hd_grid *grid, const hd_view *view);
void hd_grid_fini(hd_grid *grid);
void hd_grid_add(hd_grid *grid, uint32_t column, uint32_t row, double value);

/* Least, most and mean of the cells that have finite values; false: none has. Cells: indices in values. */
typedef struct hd_grid_range {
    double   least, most, mean;
    uint64_t min_cell, max_cell, n; /* the first ones; n: cells that have values */
} hd_grid_range;
bool hd_grid_find_range(const hd_grid *grid, hd_grid_range *range);

#endif
