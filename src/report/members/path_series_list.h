/* src/report/members/path_series_list.h: waiting time over time by call path, as tables that a report carries.
 *
 *   heddle.path-series.tsv             metric · callpath · resolution · processes · first · values · most · process
 *   heddle.iteration-path-series.tsv   the same over iterations
 *
 * A line is of a wait state and a call path, which stands for those below it that have no line; an empty one: of no call
 * path. The last three fields are lists, an element for each slice from `first` on: ticks of all processes, ticks of that
 * which waits most, and which that is (of `processes` neighbours from it on). Elements without waiting are empty, those
 * at the end are not there. resolution: ticks of a second. Slices are those of series_list.h and iteration_list.h.
 * Definition: docs/metrics.md#time-series. Read tables are taken for damaged until checked. Uses: cube_reader, profile.
 * MT: one thread. Ranks: local.
 */
#ifndef HD_PATH_SERIES_LIST_H
#define HD_PATH_SERIES_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "path_fold.h"
#include "path_series.h"

#define HD_PATH_SERIES_MEMBER           "heddle.path-series.tsv"
#define HD_ITERATION_PATH_SERIES_MEMBER "heddle.iteration-path-series.tsv"

/* Before all rows. Errors of writing stay with the stream. */
void hd_path_series_write_head(FILE *file);
/* numbers: hd_cube_path_numbers(); resolution: ticks of a second. Errors likewise. */
void hd_path_series_write(FILE *file, const hd_path_series *series, const hd_path_fold *fold, const uint32_t *numbers,
                          uint64_t resolution);

typedef struct hd_path_entry {
    uint32_t metric;      /* hd_metric */
    uint32_t path;        /* of the report; HD_NONE: of none that is known */
    uint32_t slice;
    uint32_t process, n_processes; /* that waits most: the first one, and how many from it on at most */
    double   value, most; /* [s] of all processes, of that */
} hd_path_entry;

typedef struct hd_path_series_list {
    hd_path_entry *entries; /* [n] by metric, call path in the order of the table, and slice */
    size_t         n;
    bool           is_there; /* the report has such a table */
} hd_path_series_list;

/* member: one of both; n_slices: of its slices. hd_path_series_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with
 * the line that is wrong. list is empty then. */
hd_status hd_path_series_list_read(hd_cube *cube, const char *member, uint32_t n_slices, hd_path_series_list *list);
void      hd_path_series_list_fini(hd_path_series_list *list);

#endif
