/* src/report/text/path_cut.h: a call path that is too long for its column.
 *
 *   main > timestep > exchange > sendBoundary > MPI_Send   is in 40 columns   ... > timestep > sendBoundary > MPI_Send
 *
 * Uses: cube_model, escape, name_cut. MT: any thread. Ranks: local. */
#ifndef HD_PATH_CUT_H
#define HD_PATH_CUT_H

#include "cube_model.h"

/* The names of a call path from its root, joined by " > ". A name that another call path with the same parent has, too,
 * is shown with its line, if that is known: "MPI_Recv:13". If they need more columns (characters) than that, "..."
 * stands for the parameters of functions that are not overloaded, then for names that are omitted. The last name is
 * always shown, and those that tell this call path from the others of the report with the same last name, whatever is
 * shown beside it; then as many as fit, the last ones first. If even those are too long, they are longer than the
 * column. free() it.
 * Cost: O(call paths of the report x depth), and O(depth^2) for each with the same last name. Of more of these than
 * 20,000,000 / depth^2 the first ones count. */
char *hd_path_cut(const hd_cube *cube, uint32_t path, uint32_t columns);

/* "f(...) const" of "f(int, char*) const"; the name itself where it has no parameters, or few characters of them.
 * free() it. */
char *hd_without_parameters(const char *name);

#endif
