/* src/report/cube_derived.h: sums of values, and values that are computed from others. Inside of the room only; what it offers is declared in
 * cube_reader.h. Uses: cube_file. MT and Ranks: as cube_reader.h.
 */
#ifndef HD_CUBE_DERIVED_H
#define HD_CUBE_DERIVED_H

#include "cube_file.h"

#endif
