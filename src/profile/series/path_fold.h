/* src/profile/series/path_fold.h: which call paths have time series of their own; each other one is part of its nearest
 * ancestor that has.
 *
 * Where the tree has more than HD_SERIES_PATHS call paths, those are kept below and at which most time is spent in
 * calls of interfaces (MPI, OpenMP, ...), of all processes, at equal times the lower number. A wait is in such a call,
 * so no call path with longer waits is folded while one with shorter calls is kept. An ancestor has at least the time
 * of what is below it, so what is kept is a tree. Definition: docs/metrics.md#time-series.
 * Uses: calltree, trace. Owner: hd_path_fold_fini(). MT: read only once found. Ranks: the same on all. Memory: a byte
 * per call path.
 */
#ifndef HD_PATH_FOLD_H
#define HD_PATH_FOLD_H

#include "analysis_comm.h"
#include "calltree.h"
#include "trace.h"

enum { HD_SERIES_PATHS = 256 }; /* a place is a byte */

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
void hd_path_fold_fini(hd_path_fold *fold);

/* The place of each call path of a location, in places [location->n_nodes]. map: that of its process. */
void hd_path_fold_of_location(const hd_path_fold *fold, const hd_loaded_location *location, const uint32_t *map,
                              uint8_t *places);

#endif
