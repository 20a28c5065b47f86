/* src/report/text/path_select.h: which call paths of a report a user means.
 *
 * A call path is given by its last regions, outer ones first, joined by " > ", ";" or "/", with blanks around them
 * or without: all that end so are meant, and what they call. A region may have its line: "MPI_Recv:13".
 * Uses: cube_reader. MT: one thread. Ranks: local.
 */
#ifndef HD_PATH_SELECT_H
#define HD_PATH_SELECT_H

#include "cube_reader.h"

/* selected: out, [n_paths] true: it is meant; free() it. NULL with text NULL: all are. Errors: HD_EUSAGE, there is
 * none. */
hd_status hd_paths_select(const hd_cube *cube, const char *text, bool **selected);

/* A call path that ends with the region most like the last one of text, its names joined by " > "; NULL: none is
 * near. free() it. */
char *hd_path_closest(const hd_cube *cube, const char *text);

#endif
