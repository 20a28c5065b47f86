/* src/cli/commands/scan/recorded_size.h: how many events each location of a measurement records, and how many bytes.
 *
 * Score-P keeps the events of a process in its memory (SCOREP_TOTAL_MEMORY) until the end; if they do not fit, it
 * writes them in the middle of the run (a flush). An archive has both numbers. From a profile they are estimated: an
 * enter and a leave for each visit, and the records of messages, collectives and threads.
 * Uses: trace, cube_reader. Grows with: locations. MT: main thread only. Ranks: local.
 */
#ifndef HD_RECORDED_SIZE_H
#define HD_RECORDED_SIZE_H

#include "cube_reader.h"

typedef struct hd_recorded_size {
    double   *events, *bytes; /* [n] of each location, in the order of columns of a report */
    uint32_t *process;        /* [n] of each location: its location group */
    uint32_t  n, n_processes;
    bool      is_estimate;
} hd_recorded_size;

/* Errors: those of hd_defs_read(); HD_EOPEN, the sizes of event files are unknown, as in SIONlib containers. */
hd_status hd_recorded_size_of_archive(const char *anchor, hd_recorded_size *size);

/* Errors: HD_EFORMAT, the report has no visits; those of reading it. */
hd_status hd_recorded_size_of_profile(hd_cube *cube, hd_recorded_size *size);

void hd_recorded_size_fini(hd_recorded_size *size);

typedef struct hd_memory_need { /* of the process that needs most */
    uint64_t bytes;             /* SCOREP_TOTAL_MEMORY that is enough: whole MiB */
    double   events_bytes;
    uint32_t process, n_locations;
} hd_memory_need;

/* left: [n] what stays of the bytes of each location, 0 to 1; NULL: all. The need is 1.1 times the bytes of the events,
 * 2 MiB for each location, whose buffer grows in chunks of 1 MiB, and 2 MiB for definitions. */
hd_memory_need hd_recorded_size_need(const hd_recorded_size *size, const double *left);

#define HD_SCOREP_DEFAULT_MEMORY UINT64_C(16384000) /* Score-P's own: 16000K */
#define HD_SCOREP_MAX_MEMORY (UINT64_C(4000) << 20) /* Score-P takes less than 4 GiB */

#endif
