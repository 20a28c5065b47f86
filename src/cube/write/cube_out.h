/* src/cube/write/cube_out.h: writes a Cube4 report from a description and rows of values.
 *
 * Takes what hd_cube_open() gives, or a hd_cube put together by hand: of the metrics, the stored ones get rows, derived
 * ones are written as their expressions. Call paths and nodes may stand in any order in which parents come first; the
 * file has them depth-first, so that reading it gives this order. Locations are written in the order of columns within
 * their group, groups within their node. number of metrics, regions and paths, process, process_name and node of
 * locations, node of groups, the reader's format and is_inclusive are not looked at. What is read again: all the rest,
 * with values bit for bit.
 *
 * Metrics without values have no members. Values are stored exclusively, of integers as INT64 or UINT64, else as
 * DOUBLE, of extreme ones as MINDOUBLE or MAXDOUBLE. Equal reports give equal files.
 * Uses: cube_reader. Grows with: call paths, and one row; misc members are the caller's. MT: one thread at a time.
 * Ranks: local.
 */
#ifndef HD_CUBE_OUT_H
#define HD_CUBE_OUT_H

#include "cube_reader.h"

/* Gives the row of a stored metric at a call path, exclusive: asked for once for each pair, metric by metric, call
 * paths depth-first.
 *   cells    [n_locations] to be filled
 *   any      set to false: all are zero, and cells may be left as they are. A row of zeros with true is stored, as
 *            extreme values need it */
typedef hd_status (*hd_cube_rows)(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

typedef struct hd_cube_member { /* a further file in the report */
    const char *name; /* at most 99 bytes */
    const void *data; /* [bytes] */
    size_t      bytes;
} hd_cube_member;

typedef struct hd_cube_out {
    const hd_cube        *cube;    /* its attributes are written as they are: "Creator" and the like are the caller's */
    hd_cube_rows          rows;
    void                 *context; /* of rows */
    const hd_cube_member *members; /* [n_members] none twice, none as those of metrics, none "anchor.xml" */
    size_t                n_members;
    bool                  keeps;   /* a file that is there is not replaced, but HD_EEXIST */
} hd_cube_out;

/* Writes to a new file (new_file.h), which gets its name when all is well; else nothing is left.
 * Errors: HD_EOPEN, HD_EEXIST, HD_EWRITE; those of rows. Text members and the anchor whose size is a multiple of 512
 * get a newline at their end. */
hd_status hd_cube_out_write(const hd_cube_out *out, const char *path);

/* The rows of a report that was read: context is the hd_cube. */
hd_status hd_cube_rows_of(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

#endif
