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

enum {
    HD_SERIES_PATHS = 256, /* a place is a byte */
    HD_NO_PLACE     = 255, /* of computation: a call path of something else; at most 101 places are used */
    HD_COMPUTATION_SHARE = 100 /* of all computation 1 / this has a call path that is kept */
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
/* Those of series of computation: a call path that is computation is kept if at least 1 % of all of it is there,
 * without those below it. The last of paths is HD_NONE. states: [defs->n_regions] hd_state. Otherwise as above. */
void hd_path_fold_find_computation(hd_analysis_comm *analysis_comm, const hd_trace *trace, uint32_t *const *maps,
                                   const hd_calltree *tree, const uint8_t *states, hd_path_fold *fold);
void hd_path_fold_fini(hd_path_fold *fold);

/* The place of each call path of a location, in places [location->n_nodes]. map: that of its process. */
void hd_path_fold_of_location(const hd_path_fold *fold, const hd_loaded_location *location, const uint32_t *map,
                              uint8_t *places);

#endif
