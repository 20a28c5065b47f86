/* src/trace/load/coverage.h: how much of what was recorded has been read, in numbers and in words. Uses: analysis_comm,
 * log.
 * MT: main thread only.
 */
#ifndef HD_COVERAGE_H
#define HD_COVERAGE_H

#include "analysis_comm.h"
#include "trace.h"

typedef struct hd_coverage { /* of all ranks */
    uint64_t n_read, n_events;     /* n_events: that the definitions announce; at least n_read; UINT64_MAX: that many,
                                    * or more */
    uint64_t n_whole, n_locations; /* n_whole: all of them was read */
} hd_coverage;

/* Ranks: all, together; the same on all of them. */
void hd_coverage_gather(hd_analysis_comm *analysis_comm, const hd_trace *trace, hd_coverage *coverage);

/* Adds those that no open call gives away: processes of MPI whose recordings end before others enter MPI_Finalize,
 * which they never do.
 * Ranks: all, together; each adds the processes that it hosts. */
void hd_coverage_add_stopped(hd_analysis_comm *analysis_comm, const hd_trace *trace, hd_findings *findings);

/* The trace coverage in words, if the findings say that something is lost; free() it. */
char *hd_coverage_text(const hd_coverage *coverage, const hd_findings *findings);

#endif
