/* src/profile/efficiency.h: what efficiencies are computed from: sums and maxima over threads and processes, in ticks,
 * of the whole run, of the main window, of each time window, and of each iteration.
 *
 * Everything is an integer until efficiency_factors.h divides, so that the result depends on no order. Definitions:
 * docs/metrics.md#efficiencies. Uses: analysis_comm, log, wait_series.
 * MT: one thread at a time: each replay thread has its own, which are added up. Ranks: local, unless a line says
 * otherwise. Memory: 200 bytes per slice.
 */
#ifndef HD_EFFICIENCY_H
#define HD_EFFICIENCY_H

#include "analysis_comm.h"
#include "wait_series.h"

/* X(id, how values of processes or threads are combined, what) */
#define HD_EFFICIENCY_SUMS(X) \
X(processes, SUM, "processes") \
X(threads, SUM, "threads: of each process as many as are active at the same time") \
X(useful, SUM, "useful time of all threads") \
X(serial_useful, SUM, "of the first thread of each process outside of its parallel time") \
X(outside, SUM, "time of processes outside of MPI: of their first threads") \
X(outside_threads, SUM, "the same, times the threads of the process") \
X(parallel_threads, SUM, "time in parallel, times the threads of the process") \
X(serial_threads, SUM, "serial_useful, times the threads of the process") \
X(mpi, SUM, "time in MPI of all threads") \
X(mpi_elsewhere, SUM, "of threads other than the first one of a process") \
X(imbalance, SUM, "in parallel: useful time of the busiest thread times the threads, less that of all threads") \
X(fork, SUM, "in parallel, of the busiest thread, times the threads: fork and join,") \
X(barrier, SUM, "barriers,") \
X(lock, SUM, "critical regions and locks,") \
X(tasks, SUM, "creation of tasks and taskwait,") \
X(ordered, SUM, "ordered regions,") \
X(calls, SUM, "other calls of OpenMP and POSIX threads,") \
X(parallel_mpi, SUM, "MPI,") \
X(other, SUM, "devices, SHMEM, flushes of the trace buffer,") \
X(absent, SUM, "and not in the team, yet or any more") \
X(max_useful, MAX, "useful time of the thread that has most of it") \
X(max_outside, MAX, "time outside of MPI of the process that has most of it") \
X(max_process, MAX, "time in parallel and serial_useful of the process that has most of both")

typedef enum hd_efficiency_sum {
#define HD_EFFICIENCY_NAME(id, how, what) HD_EFFICIENCY_##id,
    HD_EFFICIENCY_SUMS(HD_EFFICIENCY_NAME)
#undef HD_EFFICIENCY_NAME
    HD_N_EFFICIENCY_SUMS
} hd_efficiency_sum;

extern const char *const hd_efficiency_ids[HD_N_EFFICIENCY_SUMS];

typedef enum hd_slice_kind {
    HD_SLICE_WHOLE,
    HD_SLICE_MAIN,     /* the main window, or what the analysis is of in its place: */
    HD_SLICE_INTERVAL, /* of --from and --to, */
    HD_SLICE_REGIONS,  /* from the first enter to the last leave of regions of interest */
    HD_SLICE_WINDOW,
    HD_SLICE_ITERATION, /* of the program's loop, or several joined ones (iterations.h), */
    HD_SLICE_BEFORE,    /* what is before the first one, */
    HD_SLICE_AFTER,     /* after the last one, */
    HD_SLICE_BETWEEN,   /* and between two */
    HD_SLICE_REGION,    /* a region or call path, in no table: of the report's metrics; processes and threads alike */
    HD_N_SLICE_KINDS
} hd_slice_kind;

extern const char *const hd_slice_kinds[HD_N_SLICE_KINDS]; /* in tables and JSON */

static inline bool
hd_slice_is_main(hd_slice_kind kind)
{
    return kind == HD_SLICE_MAIN || kind == HD_SLICE_INTERVAL || kind == HD_SLICE_REGIONS;
}

typedef struct hd_efficiency_slice {
    hd_time          from, to;  /* not of iterations: each process has its own */
    uint64_t         ideal;     /* length that it would have if data took no time, */
    bool             has_ideal; /* which is known */
    hd_slice_kind    kind;
    uint64_t         longest;   /* [ticks] iterations: that a process is in them */
    uint64_t         sums[HD_N_EFFICIENCY_SUMS];
} hd_efficiency_slice;

typedef struct hd_efficiencies {
    hd_efficiency_slice *slices; /* [n] first the whole run, then the main one if it has one, then windows */
    size_t               n;
    hd_efficiency_slice *of_iterations; /* [n_of_iterations] by slice of a report (iterations.h) */
    size_t               n_of_iterations; /* 0: there are none */
    const hd_iterations     *iterations; /* the caller's, while processes are added, */
    const hd_loaded_process *processes;  /* whose these are */
} hd_efficiencies;

/* main, of main_kind, and windows: n == 0: none. hd_efficiencies_fini() it. */
hd_efficiencies hd_efficiencies_new(hd_time from, hd_time to, const hd_windows *main, hd_slice_kind main_kind,
                                    const hd_windows *windows);
/* Of iterations, too, if there are any. trace: whose processes are added. */
void            hd_efficiencies_of_iterations(hd_efficiencies *efficiencies, const hd_iterations *iterations,
                                              const hd_trace *trace);
/* The same slices, to which nothing was added yet. hd_efficiencies_fini() it. */
hd_efficiencies hd_efficiencies_like(const hd_efficiencies *efficiencies);
/* Adds what was added to those, of the same slices. */
void            hd_efficiencies_add(hd_efficiencies *efficiencies, const hd_efficiencies *more);
void            hd_efficiencies_fini(hd_efficiencies *efficiencies);

static inline void
hd_efficiency_add(hd_efficiency_slice *slice, hd_efficiency_sum sum, uint64_t value)
{
    slice->sums[sum] += value;
}

static inline void
hd_efficiency_max(hd_efficiency_slice *slice, hd_efficiency_sum sum, uint64_t value)
{
    slice->sums[sum] = value > slice->sums[sum] ? value : slice->sums[sum];
}

static inline void
hd_efficiency_longest(hd_efficiency_slice *slice, uint64_t length)
{
    slice->longest = length > slice->longest ? length : slice->longest;
}

/* All ranks' sums, on all of them. Ranks: all, together. */
void hd_efficiencies_reduce(hd_efficiencies *efficiencies, hd_analysis_comm *analysis_comm);

#endif
