/* src/report/text/path_text.h: call paths of a report as text. Uses: cube_model, escape. MT: any thread. Ranks:
 * local. */
#ifndef HD_PATH_TEXT_H
#define HD_PATH_TEXT_H

#include "cube_model.h"

/* The names of a call path from its root, joined by `separator`, as hd_write_escaped() writes them, or, for ";",
 * hd_write_cell(); free() it. */
char *hd_path_text(const hd_cube *cube, uint32_t path, const char *separator);

#endif
