/* src/record/raw_profile.h: what a program that is recorded as a profile leaves in DIR/raw/.
 *
 * In place of P.N.log (raw_layout.h) a process has, for each location,
 *
 *   P.N.profile   a hd_raw_profile, then its call paths: an array of hd_raw_path, of which the first n_paths are there
 *
 * The file is mapped while it is written, so it is there as of the last call, however the process ends. A call path is
 * added before its number is, so it is whole. Path 0 is the root of the location.
 *
 * Uses: types. MT: constants.
 */
#ifndef HD_RAW_PROFILE_H
#define HD_RAW_PROFILE_H

#include "types.h"

enum {
    HD_RAW_PROFILE_MAX_PATHS = 1 << 16, /* of a location */
    HD_RAW_PROFILE_STEP_BYTES = 1 << 16 /* by which the file grows */
};

/* In place of a region: what a path is that is none. Those behind CALLER have the paths of another stack below them. */
enum {
    HD_RAW_PATH_CALLER = 0xfffffff0u, /* a further level of callers: the path is part of the ones below it */
    HD_RAW_PATH_ROOT,
    HD_RAW_PATH_TEAM,   /* at the path where the team was forked: caller is number of the location << 32 | path */
    HD_RAW_PATH_THREAD, /* a thread that the program creates */
    HD_RAW_PATH_TASKS   /* explicit tasks of OpenMP */
};

/* As caller: the path counts the explicit tasks that ran where the thread's own task was, and ticks is the time in
 * which they ran, with what they called. That stands below HD_RAW_PATH_TASKS, too. */
#define HD_RAW_TASK_STUB 1

typedef enum hd_raw_sum { /* at a call path */
    HD_RAW_EMPTY_SENDS, HD_RAW_FULL_SENDS, HD_RAW_SENT_BYTES,
    HD_RAW_EMPTY_RECEIVES, HD_RAW_FULL_RECEIVES, HD_RAW_RECEIVED_BYTES,
    HD_RAW_EMPTY_COLLECTIVES, HD_RAW_EXCHANGES, HD_RAW_SOURCES, HD_RAW_DESTINATIONS, /* by who has bytes or gets some */
    HD_RAW_OUT_BYTES, HD_RAW_IN_BYTES, /* of collective operations */
    HD_RAW_PUT_BYTES, HD_RAW_GOT_BYTES, /* of windows */
    HD_RAW_N_SUMS
} hd_raw_sum;

typedef struct hd_raw_path {
    uint64_t caller;     /* return address, 0: not known */
    uint32_t id, parent; /* region, or one of the above; number of a path */
    uint64_t enter;      /* [ticks] it is open since then, and its time until then is in ticks; 0: not, or it pauses */
    uint64_t visits, ticks; /* ticks: with those of the paths below it */
    uint64_t sums[HD_RAW_N_SUMS];
} hd_raw_path;

typedef struct hd_raw_profile {
    uint64_t last;     /* [ticks] of the last call */
    uint64_t n_paths;
    uint64_t n_lost;   /* visits of paths that had no room, which are part of those above them */
    uint64_t n_foreign, foreign_bytes; /* messages to other worlds */
    uint64_t first;    /* [ticks] of the first call */
    uint64_t clock[3]; /* as of HD_RAW_CLOCK, some time after the begin: one that is killed has no end; 0: not yet */
} hd_raw_profile;

#endif
