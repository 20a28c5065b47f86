/* src/cli/core/run_statistics.h: what an analysis itself took, for --verbose and for the attributes of the report.
 *
 * Every rank fills its own; hd_run_statistics_gather() brings those of all ranks and threads to rank 0. Uses: replay,
 * trace, analysis_comm.
 * MT: main thread only. Ranks: local, but for gather.
 */
#ifndef HD_RUN_STATISTICS_H
#define HD_RUN_STATISTICS_H

#include <stdio.h>

#include "replay.h"
#include "report.h"

typedef struct hd_rank_statistics {
    uint64_t        n_processes, n_events, n_ops, log_bytes;
    uint64_t        start_bytes, peak_bytes; /* resident memory when the analysis communicator was opened; the most
                                              * until now */
    uint64_t        limit_bytes, scratch_bytes, kept_bytes, n_drops; /* see hd_scratch_stats; 0: there is no limit */
    hd_engine_stats stats;                   /* all threads */
} hd_rank_statistics;

typedef struct hd_run_statistics {
    hd_rank_statistics  sum;     /* on all ranks */
    hd_rank_statistics *ranks;   /* [n_ranks] on rank 0, else NULL */
    hd_engine_stats *threads; /* [n_ranks * n_threads] on rank 0, else NULL */
    uint32_t         n_ranks, n_threads;
} hd_run_statistics;

uint64_t hd_run_statistics_peak_bytes(void); /* the most resident memory of this process so far */

/* own: n_processes and start_bytes are the caller's, the rest comes from trace and result. Ranks: all, together. */
void hd_run_statistics_gather(hd_analysis_comm *analysis_comm, const hd_rank_statistics *own, uint32_t n_threads,
                              const hd_trace *trace, const hd_replay_result *result, hd_run_statistics *statistics);
void hd_run_statistics_fini(hd_run_statistics *statistics);

/* For people: a line per rank, with the idle share of each of its threads. On rank 0. */
void hd_run_statistics_print(const hd_run_statistics *statistics, uint64_t archive_bytes, FILE *out);

/* On rank 0: where the limit of memory is below what a rank keeps whatever the limit, says so, and what would do. */
void hd_run_statistics_warn_limit(const hd_run_statistics *statistics, FILE *out);

/* For the report, on rank 0: adds to the growing array of attributes; values are to be freed by the caller. Ranks and
 * threads are listed one by one up to 1,024 of them, beyond that by minimum, median and maximum. */
void hd_run_statistics_describe(const hd_run_statistics *statistics, hd_attribute **attributes, size_t *n,
                                size_t *capacity);

#endif
