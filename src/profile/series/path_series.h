/* src/profile/series/path_series.h: waiting time of all processes over time by call path: per wait state, call path and
 * slice the sum, the most of a process, and which that is.
 *
 * Call paths are places of path_fold.h, slices those of wait_series.h or of iterations.h. Where rows of neighbours are
 * joined (hd_series_first()), the most is that of neighbours together.
 *
 * What is stored, each only where somebody waits:
 *   process, while it is replayed   wait state · call path · slice    16 to 32 bytes (wait_series.h)
 *   rank                            wait state · call path            32 bytes for each slice of the run, however many
 *                                                                     processes it has
 * At most HD_SERIES_PATHS call paths times HD_MAX_WINDOWS + 3 slices have sums for a wait state, 8.4 MB. Ranks are
 * joined in a tree: sums are added, of two maxima the larger one is kept, at equal ones the lower process. Neighbours
 * that are on several ranks keep a row each until all ranks are joined, so the result does not depend on ranks and
 * threads.
 *
 * Uses: wait_series, analysis_comm. Owner: hd_path_series_fini(). MT: one thread at a time. Ranks: local, unless a line
 * says otherwise.
 */
#ifndef HD_PATH_SERIES_H
#define HD_PATH_SERIES_H

#include "wait_series.h"

typedef struct hd_path_row {
    uint32_t metric, place, slice;
    uint32_t neighbours; /* while collecting: the row is of these only, their number; HD_NONE: of all that are
                          * complete */
    uint32_t process;    /* the first of those that wait most */
    uint32_t unused;
    int64_t  sum, most;  /* [ticks] > 0 */
} hd_path_row;

typedef struct hd_path_cell { /* of a slice */
    int64_t  sum, most;
    int64_t  part;    /* while a process is added: what it has so far */
    uint32_t process;
} hd_path_cell;

typedef struct hd_path_places { /* of a wait state */
    uint32_t       n;
    hd_path_cell **cells; /* [n][n_slices] by place; NULL: nobody waits there */
} hd_path_places;

typedef struct hd_path_series {
    hd_path_row *rows; /* [n] once gathered by metric, place and slice; while collecting of neighbours that are not
                        * complete */
    size_t       n, capacity;
    hd_path_places **places; /* [HD_N_METRICS] while collecting: of processes and neighbours that are complete, where
                              * somebody waits */
    size_t       n_cells;      /* that have a sum, at most */
    uint32_t     n_slices;
    size_t       first;        /* while collecting: where rows of the last neighbours begin */
    uint32_t     neighbours, n_neighbours; /* whose processes are taken, and how many of them were */
    hd_path_cell **used;       /* of the process that is added; some may be there twice */
    size_t       used_capacity;
    uint32_t     n_together;   /* processes that rows are joined of */
} hd_path_series;

/* Empty. n_slices: slices are below. */
void hd_path_series_init(hd_path_series *series, uint32_t n_slices);
/* Adds entries [n] of a process by metric, place and slice, in any order. Processes ascend.
 * n_processes: of the program. */
void hd_path_series_add(hd_path_series *series, const hd_severity *entries, size_t n, uint32_t process,
                        uint32_t n_processes);
typedef struct hd_series_request { /* what a process has, of windows or of iterations; nothing is left of it */
    hd_wait_rows *rows;  /* NULL: none */
    uint64_t    **sums;  /* of hd_time_sums; NULL: none */
    uint32_t      n_slices; /* they have */
    uint32_t      process, n_processes; /* n_processes: of the program */
} hd_series_request;
/* Adds it to both; all that has a place to the paths. paths: NULL: slices have more bits than keys have for them, and
 * there are no places. Processes ascend. */
void hd_series_take(hd_series *series, hd_path_series *paths, const hd_series_request *request);
/* Takes what another one has of metrics that this one has nothing of; the other one is empty then. Both are of the same
 * slices. */
void hd_series_take_metrics(hd_series *series, hd_series *more);
/* Adds what another one has, of other processes, which is empty then. */
void hd_path_series_join(hd_path_series *series, hd_path_series *more, uint32_t n_processes);
/* All ranks' on rank 0, nothing on the others. Ranks: all, together. MT: main thread only. */
void hd_path_series_gather(hd_path_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes);
void hd_path_series_fini(hd_path_series *series);

#endif
