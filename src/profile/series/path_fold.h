/* src/profile/series/path_fold.h: which call paths have time series of their own; each other one is part of its nearest
 * ancestor that has.
 *
 * Where the tree has more than HD_SERIES_PATHS call paths, those are kept below and at which most time is spent in
 * calls of interfaces (MPI, OpenMP, ...), of all processes, at equal times the lower number. A wait is in such a call,
 * so no call path with longer waits is folded while one with shorter calls is kept. An ancestor has at least the time
 * of what is below it, so what is kept is a tree. Definition: docs/metrics.md#time-series.
 * Series of computation, MPI and OpenMP have other call paths each: those with at least 1 % of the time of this kind.
 * Definition: docs/metrics.md#time-by-call-path.
 * Uses: calltree, trace, wait_series. Owner: hd_path_fold_fini(), hd_time_paths_fini(). MT: read only once found.
 * Ranks: the same on all. Memory: a byte per call path; of hd_time_paths at most 13.
 */
#ifndef HD_PATH_FOLD_H
#define HD_PATH_FOLD_H

#include "analysis_comm.h"
#include "calltree.h"
#include "trace.h"
#include "wait_series.h"

enum {
    HD_SERIES_PATHS = 256, /* a place is a byte */
    HD_NO_PLACE     = 255, /* of hd_time_paths: a call path of something else; at most 201 places are used */
    HD_TIME_PATHS_SHARE = 100 /* of all computation (MPI, OpenMP) 1 / this has a call path that is kept */
};

typedef struct hd_path_fold {
    uint8_t *places;                 /* [call paths of the tree] place of each among the paths */
    uint32_t paths[HD_SERIES_PATHS]; /* [n] ascending numbers of the tree; HD_NONE, the last one then: call paths
                                      * without an ancestor that is kept */
    uint32_t n;
} hd_path_fold;

/* maps: [processes of the trace] call path of the process -> of the tree. Ranks: all, together. MT: main thread only.
 */
void hd_path_fold_find(hd_analysis_comm *analysis_comm, const hd_trace *trace, uint32_t *const *maps,
                       const hd_calltree *tree, hd_path_fold *fold);
/* The same of other times, or costs, [tree->n] at and below each call path; NULL: only if the tree has no more than
 * HD_SERIES_PATHS. Ranks: local; equal arguments, equal results. */
void hd_path_fold_keep(const uint64_t *times, const hd_calltree *tree, hd_path_fold *fold);
void hd_path_fold_fini(hd_path_fold *fold);

/* The place of each call path of a location, in places [location->n_nodes]. map: that of its process. */
void hd_path_fold_of_location(const hd_path_fold *fold, const hd_loaded_location *location, const uint32_t *map,
                              uint8_t *places);

typedef struct hd_time_paths { /* the call paths of series of computation, MPI and OpenMP */
    const hd_calltree *tree;
    const uint8_t     *states; /* [defs->n_regions] hd_state */
    const uint8_t     *classes; /* [defs->n_regions] of hd_times_over_time that of MPI calls, else 0; NULL: not
                                 * wanted */
    uint64_t          *times;  /* [tree->n] ticks of all ranks in each call path by itself */
    bool              *is_startup; /* [tree->n] MPI_Init and MPI_Finalize, and what they call */
    hd_path_fold      *folds[HD_N_SERIES_TIMES]; /* of each of hd_times_over_time; NULL: not found. A call path of
                                                     * another kind has HD_NO_PLACE; the last of paths is HD_NONE */
    uint8_t           *places_of_moves; /* [tree->n] with moves: their places among the call paths of OpenMP */
} hd_time_paths;

/* Finds those of computation. tree and states are kept. Otherwise as hd_path_fold_find(). */
void hd_time_paths_init(hd_analysis_comm *analysis_comm, const hd_trace *trace, uint32_t *const *maps,
                        const hd_calltree *tree, const uint8_t *states, hd_time_paths *paths);
/* Finds those of hd_times_over_time[time], which are not found yet: a call path is kept if at least 1 % of the time of
 * that kind is there, without those below it and without start-up, which is kept if it has as much of all. moves:
 * [tree->n] ticks of all ranks in forks and joins, at their parallel regions, of OpenMP; NULL: none. Ranks: local;
 * equal arguments, equal results. */
void hd_time_paths_find(hd_time_paths *paths, int time, const uint64_t *moves);
/* Those of the critical path, likewise. lengths: [tree->n] ticks of it, of all ranks */
void hd_time_paths_find_critical(hd_time_paths *paths, const double *lengths);
void hd_time_paths_fini(hd_time_paths *paths);

#endif
