/* src/cli/commands/record/trace_size.h: how large the trace of a run would be, from its profile.
 *
 * Visits say how many calls there are, and the kind of a call which records heddle record writes for it, and of how many
 * bytes (raw_layout.h), and which events the archive has then. Bytes of an event depend on the numbers in it; they are
 * counted as of numbers that are usual. Tests compare it with recordings: docs/record.md has the error.
 * Uses: cube_reader, raw_layout. MT: main thread only. Ranks: local. Grows with: call paths, regions times processes.
 */
#ifndef HD_TRACE_SIZE_H
#define HD_TRACE_SIZE_H

#include "cube_reader.h"

typedef struct hd_trace_size {
    double events, raw_bytes, archive_bytes; /* raw_bytes: of the log files, which grow by windows */
} hd_trace_size;

typedef struct hd_trace_sizes {
    hd_trace_size  all;
    hd_trace_size *processes; /* [n] as they are in the report (its groups) */
    uint32_t       n, largest; /* largest: process with the most bytes of its log */
} hd_trace_sizes;

typedef struct hd_trace_wanted {
    bool        all_functions; /* short ones, and mutexes, as often as they are called */
    const bool *is_filtered;   /* [n_regions] that are left out; NULL: none */
} hd_trace_wanted;

/* Errors: HD_EFORMAT, the report has no visits or no times; those of reading it. Owner: hd_trace_sizes_fini(). */
hd_status hd_trace_sizes_estimate(hd_cube *cube, const hd_trace_wanted *wanted, hd_trace_sizes *sizes);
void      hd_trace_sizes_fini(hd_trace_sizes *sizes);

#endif
