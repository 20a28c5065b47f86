/* src/profile/series/iteration_series.h: waiting time and duration of iterations, of all processes, and the verdict on
 * each wait state: whether it is in each iteration or in few of them, grows, or recurs; and which iterations are alike.
 *
 * Slices are those of iterations.h, joined where there are more than HD_MAX_WINDOWS. Verdicts look at the iterations
 * before they are joined. Definition: docs/metrics.md#iterations.
 * Uses: path_series, verdict, analysis_comm. Owner: hd_iteration_series_fini(). MT: one thread at a time. Memory: while
 * they are collected 16 bytes per wait state that occurs and iteration, and the rows.
 */
#ifndef HD_ITERATION_SERIES_H
#define HD_ITERATION_SERIES_H

#include "cluster.h"
#include "path_series.h"
#include "verdict.h"

typedef struct hd_iteration_slice { /* of iterations, also after they are joined */
    hd_time  from, to;              /* first enter, last leave, of all processes */
    uint32_t n_processes;           /* that have any of them */
    uint64_t time;                  /* [ticks] from enter to leave, sum over the processes */
    uint64_t longest;               /* [ticks] of a process, */
    uint64_t process;               /* which is this one, at equal ones the first */
} hd_iteration_slice;

typedef struct hd_metric_verdict {
    uint32_t   metric; /* hd_metric; HD_SERIES_DURATION: of the longest process of each iteration */
    hd_verdict verdict;
} hd_metric_verdict;

typedef struct hd_iteration_series {
    uint32_t            n;          /* iterations; 0: there are none */
    uint32_t            shift;      /* 2^shift iterations are a slice */
    uint32_t            n_slices;   /* of iterations */
    hd_iteration_slice *slices;     /* [n_slices] slice s >= 1 at s - 1 */
    hd_series           rows;       /* by metric, process and slice */
    hd_path_series      path_rows;  /* by metric, call path and slice; of waits */
    hd_metric_verdict  *verdicts;   /* [n_verdicts] of wait states that occur, in the order of their metrics; then that
                                     * of the duration */
    size_t              n_verdicts;
    hd_clusters         clusters;   /* of the iterations before they are joined; n 0: there are none */
    uint64_t           *waits;      /* [n] ticks, likewise: all wait states of all processes */
    uint64_t           *longest;    /* [n] ticks, likewise: of a process */
    const hd_iterations *iterations; /* while collecting; the caller's */
    uint64_t           *sums[HD_N_METRICS]; /* while gathering: [n + 3] ticks by slice, not joined; NULL: none */
} hd_iteration_series;

/* iterations must be there until they are gathered. */
void hd_iteration_series_init(hd_iteration_series *series, const hd_iterations *iterations);
void hd_iteration_series_fini(hd_iteration_series *series);
/* Adds those of a process, and frees its table. n_processes: of the program. */
void hd_iteration_series_take(hd_iteration_series *series, hd_wait_series *of_process, uint32_t process,
                              uint32_t n_processes);
/* All ranks' on rank 0; on the others there are none any more. Ranks: all, together. MT: main thread only. */
void hd_iteration_series_gather(hd_iteration_series *series, hd_analysis_comm *analysis_comm, uint32_t n_processes);

#endif
