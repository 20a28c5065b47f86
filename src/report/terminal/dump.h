/* src/report/terminal/dump.h: all values of a report, or some of them, as text, to compare reports and to feed scripts.
 *
 * One line per value that is not zero, tab-separated: metric id, call path (names from the root joined by ';'), rank of
 * the process, rank of the thread, value with 17 digits. Exclusive along the call tree, as stored along the metric
 * tree. Sorted by metric, call path and location, each in the order of the report. Uses: cube_reader. MT: one thread.
 * Ranks: local.
 */
#ifndef HD_DUMP_H
#define HD_DUMP_H

#include <stdio.h>

#include "cube_reader.h"

typedef struct hd_dump_selection { /* zeros: all, as above */
    const bool *metrics;      /* [n_metrics] */
    const bool *paths;        /* [n_paths] */
    const bool *locations;    /* [n_locations] */
    bool        is_inclusive; /* of each call path and what it calls; of metrics that are not additive what
                               * hd_cube_sum() says */
    bool        is_csv;       /* commas and quotes in place of tabs */
    bool        has_head;     /* a line with the names of columns comes first */
    bool        has_ids;      /* behind the metric come the ids of the call path and of the one that calls it, empty at
                               * a root */
} hd_dump_selection;

/* selection: NULL: all. Errors: those of hd_cube_row(); HD_EWRITE. */
hd_status hd_dump(hd_cube *cube, const hd_dump_selection *selection, FILE *file);

#endif
