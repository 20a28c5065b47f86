/* src/report/text/path_source.h: where in the program's source a call path is.
 * Uses: cube_model, path_text. MT: any thread. Ranks: local.
 */
#ifndef HD_PATH_SOURCE_H
#define HD_PATH_SOURCE_H

#include <stdio.h>

#include "cube_model.h"

typedef struct hd_path_source {
    const char *file;    /* as it was recorded; the report's */
    int32_t     line;    /* above 0 */
    uint32_t    path;    /* of this call path or one above it: the innermost one that has a line */
    bool        is_call; /* it is the line of the call; else the first line of the region */
} hd_path_source;

/* false: no line is recorded for the call path or one above it. */
bool hd_path_source_find(const hd_cube *cube, uint32_t path, hd_path_source *source);

/* "at solver.f90:133", "in solve, solver.f90:100" where an outer region has it, "called at solver.f90:140"; free() it.
 * NULL: it is not known, or stands in the name of the region already ("!$omp parallel @solver.f90:133").
 *   is_whole   with the folders of the file */
char *hd_path_source_text(const hd_cube *cube, uint32_t path, bool is_whole);

/* The same as a line of its own, without folders; nothing where there is none. */
void hd_path_source_print(FILE *file, uint32_t indent, const hd_cube *cube, uint32_t path);

/* The name of a file without its folders. */
const char *hd_source_base_name(const char *file);

#endif
