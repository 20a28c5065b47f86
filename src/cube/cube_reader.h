/* src/cube/cube_reader.h: reading a Cube4 report, ours or of another tool.
 *
 * Reads what is met in the wild: all versions of Cube4, both byte orders, a gzip'ed anchor, rows compressed with zlib,
 * sparse and dense indexes, metrics stored inclusively or exclusively, derived metrics (cube_pl.h says which), tar
 * headers with wrong checksums or sizes. Metrics that cannot be read are left out, and the report says why; so are
 * topologies and coordinates that cannot be right, or are of something else than locations. A file is taken for damaged
 * or hostile until checked: every size is held against the file before it is used.
 *
 * Uses: cube_model, cube_values; expat and zlib inside. Owner: hd_cube_close(). Grows with: regions, call paths,
 * locations; values are read row by row. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_CUBE_READER_H
#define HD_CUBE_READER_H

#include "cube_model.h"
#include "cube_values.h"

/* path: of a report, or of a folder with one (report_path.h). Errors: HD_EOPEN, HD_EREAD, HD_EFORMAT with what is
 * wrong. */
hd_status hd_cube_open(const char *path, hd_cube **cube);
void      hd_cube_close(hd_cube *cube);

/* A further file that the report carries, such as "heddle.findings.tsv": *text is free()d by the caller, NUL after its
 * bytes; NULL if there is none. Errors: HD_EREAD; HD_ESIZE, larger than max_bytes. */
hd_status hd_cube_misc(hd_cube *cube, const char *name, size_t max_bytes, char **text, size_t *bytes);

#endif
