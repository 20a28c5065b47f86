/* src/record/finish/run_profile.h: the call paths of a process that was recorded as a profile, as an analysis of its
 * trace has them: callers are call paths, and threads continue those where their teams were forked.
 *
 * Uses: run_model, raw_profile_file. Owner: hd_run_profile_fini(). MT: any thread, each with a profile of its own.
 * Ranks: local. Grows with: call paths, and with them times locations.
 */
#ifndef HD_RUN_PROFILE_H
#define HD_RUN_PROFILE_H

#include "raw_profile.h"
#include "run_model.h"

/* In place of a region: what a root, or a path that is no call, is. */
enum { HD_RUN_PROGRAM = HD_RAW_PATH_ROOT, HD_RUN_THREADS = HD_RAW_PATH_THREAD, HD_RUN_TASKS = HD_RAW_PATH_TASKS };

typedef struct hd_run_path {
    uint32_t parent; /* in the same array, smaller than its own index; HD_NONE: a root */
    uint32_t region; /* of the run, or one of the above */
} hd_run_path;

typedef struct hd_run_value { /* of a location at a call path; of one pair there may be several */
    uint32_t path, location; /* location: index in the process */
    uint64_t visits, ticks;  /* ticks: of the archive, without those of the paths below it */
    bool     is_of_tasks;    /* visits is how many explicit tasks ran there; then: */
    uint64_t task_ticks;     /* of these, and what they called */
    uint64_t sums[HD_RAW_N_SUMS];
} hd_run_value;

typedef struct hd_run_profile { /* of a process */
    hd_run_path  *paths; /* [n_paths] by first occurrence: of the first location, then what others add */
    hd_run_value *values; /* [n_values] by location */
    size_t        n_paths, n_values, room_paths, room_values;
    hd_map        children; /* parent, region -> path */
    uint64_t      n_lost; /* visits of paths that had no room, which are part of those above them */
} hd_run_profile;

/* Errors: those of hd_raw_profile_open(). */
hd_status hd_run_profile_read(const hd_recorded_run *run, uint32_t process, hd_run_profile *profile);
void      hd_run_profile_fini(hd_run_profile *profile);

#endif
