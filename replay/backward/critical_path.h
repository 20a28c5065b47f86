/* replay/backward/critical_path.h: where the critical path comes in, and what the work on it means for all locations.
 *
 * The backward replay follows the path; afterwards, from its length per call path over all locations: activities,
 * imbalance impact and the part of it between partitions. Definitions: docs/metrics.md#critical-path. Private to the
 * component. Uses: profile.
 * MT: main thread only while the engine does not run, and all ranks together, unless a line says otherwise.
 * Memory: 12 bytes per call path of the unified tree, and 32 per call path on the path and thread, on each rank.
 * Cost: locations x call paths on the path.
 */
#ifndef HD_CRITICAL_PATH_H
#define HD_CRITICAL_PATH_H

#include "vproc.h"

typedef struct hd_impact_sum { /* in fractions of a tick, see critical_path.c */
    uint64_t impact[2], inter[2]; /* imbalance impact, and the part between partitions */
} hd_impact_sum;

typedef struct hd_critical_path {
    double   *lengths;    /* [n_call_paths] on the path, of all locations; none is negative */
    uint32_t *critical;   /* [n_critical] call paths on it, ascending */
    uint32_t  n_critical;
    double    length;     /* their sum */
    hd_impact_sum *sums;  /* [n_threads][n_critical]; hd_critical_path_reduce(): of all locations in the first */
    bool     *divides_by_zero; /* [n_threads][2] --compat=scout26: then there is no such impact at all (D4) */
} hd_critical_path;

/* The path comes in at the MPI_Finalize that was entered last; without one, at the end of the location that ends
 * last. */
void hd_critical_path_start(hd_replay *replay);

/* Adds up the waits at the location's points, while all of them are there. MT: the worker's thread. Ranks: local. */
void hd_critical_path_add_waits(hd_replay_worker *rh, hd_vproc *vproc);

/* Its length per call path, from what the backward replay booked. */
void hd_critical_path_collect(hd_replay *replay, hd_critical_path *path);
/* Books activities and adds to the impacts. MT: the worker's thread. Ranks: local. */
void hd_critical_path_add(hd_replay_worker *rh, hd_critical_path *path, uint32_t thread, hd_vproc *vproc,
                          const hd_location_result *result);
/* The impacts of all locations. */
void hd_critical_path_reduce(hd_replay *replay, hd_critical_path *path);
/* Books the location's share of the impacts. MT: the worker's thread. Ranks: local. */
void hd_critical_path_share(const hd_replay *replay, const hd_critical_path *path, hd_vproc *vproc);
void hd_critical_path_fini(hd_critical_path *path);

#endif
