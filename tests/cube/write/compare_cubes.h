/* tests/cube/write/compare_cubes.h: whether two reports are the same, and writing a report that was read. */
#ifndef COMPARE_CUBES_H
#define COMPARE_CUBES_H

#include "cube_reader.h"

/* What is different first; NULL: anchors are the same, but for what cube_out.h says is not written. Free it. */
char *compare_anchors(const hd_cube *a, const hd_cube *b);
/* The same for all values, bit for bit, hidden ones too, and for which rows there are. */
char *compare_values(hd_cube *a, hd_cube *b);
/* Writes a report that was read to path, its further files, too. */
hd_status write_again(hd_cube *cube, const char *path);

#endif
