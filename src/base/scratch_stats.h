/* src/base/scratch_stats.h: what a scratch (scratch.h) has taken so far. Uses: types. */
#ifndef HD_SCRATCH_STATS_H
#define HD_SCRATCH_STATS_H

#include "types.h"

#define HD_SCRATCH_FILES 66 /* that are open at most; closed ones stay mapped */

typedef struct hd_scratch hd_scratch;

typedef struct hd_scratch_stats {
    uint64_t limit_bytes;
    uint64_t file_bytes, peak_file_bytes; /* space in the directory: now, the most so far */
    uint64_t kept_bytes;                  /* the most that was resident with nothing of the files */
    uint64_t n_drops;
    bool     is_memory; /* the directory's file system is one in memory */
} hd_scratch_stats;

#endif
