/* src/report/terminal/dump.h: all values of a report as text, to compare reports and to feed scripts.
 *
 * One line per value that is not zero, tab-separated: metric id, call path (names from the root joined by ';'), rank of the
 * process, rank of the thread, value with 17 digits. Exclusive along the call tree, as stored along the metric tree. Sorted by
 * metric, call path and location, each in the order of the report. Uses: cube_reader. MT: one thread. Ranks: local.
 */
#ifndef HD_DUMP_H
#define HD_DUMP_H

#include <stdio.h>

#include "cube_reader.h"

/* Errors: those of hd_cube_row(); HD_EWRITE. */
hd_status hd_dump(hd_cube *cube, FILE *file);

#endif
