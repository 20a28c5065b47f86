/* replay/replay_result.h: what a replay found. Uses: core. Owner: the program, hd_replay_result_fini(). */
#ifndef HD_REPLAY_RESULT_H
#define HD_REPLAY_RESULT_H

#include "cause_table.h"
#include "engine.h"
#include "file_table.h"
#include "cause_lags.h"
#include "counter_series.h"
#include "delay_series.h"
#include "iteration_series.h"
#include "matrix.h"
#include "pattern.h"
#include "wait_graph.h"
#include "work_table.h"

typedef enum hd_replay_stop { /* where it was stopped, the same on all ranks */
    HD_STOPPED_NOWHERE,
    HD_STOPPED_FORWARDS,  /* there are no results, and what was worked with is not freed: the program is to end */
    HD_STOPPED_BACKWARD /* results are those of a replay without delays and critical_path */
} hd_replay_stop;

typedef struct hd_ideal_times { /* where clocks would be if data took no time (forward/ideal_clock.h); of all ranks */
    bool    is_known;           /* no location waited in vain */
    hd_time init_left;          /* earliest leave of MPI_Init; UINT64_MAX: of no process */
    hd_time finalize_entered;   /* latest enter of MPI_Finalize; 0: of no process */
    hd_time end;                /* latest end of the first thread of a process; of an interval: latest clock there */
} hd_ideal_times;

typedef struct hd_replay_result {
    hd_location_result *locations; /* [n_locations] of this rank, ascending */
    uint32_t            n_locations;
    hd_findings         findings;  /* of the replay on this rank; call paths of the unified tree */
    hd_wait_facts       unfinished; /* who was waiting at the end of the recording; of all ranks, on rank 0 */
    hd_causes           causes, pairs; /* who made whom wait: call paths of the unified tree, processes; of all ranks,
                                        * on rank 0 */
    hd_cause_lags       lags;       /* likewise; where there are series, too */
    hd_wait_statistics  statistics; /* where they are wanted: of all ranks, on rank 0 */
    hd_matrix           matrix;     /* likewise; rows are in order */
    hd_series           series;     /* likewise: waiting time over time */
    hd_path_series      path_series; /* likewise: by call path */
    hd_iteration_series iterations; /* likewise: over iterations */
    hd_path_series      time_paths, iteration_time_paths; /* likewise: computation, MPI and OpenMP by call path, where
                                                           * that is known, over windows and iterations */
    bool                has_time_paths; /* the same on all ranks */
    hd_counter_series   counters, iteration_counters; /* likewise: what was counted in computation, over windows and
                                                       * iterations */
    bool                has_counter_series; /* the same on all ranks */
    hd_counter_series   counts, iteration_counts; /* likewise: visits, messages, bytes */
    bool                has_counts; /* the same on all ranks */
    hd_delay_series     delays;    /* likewise: delay costs, of each process that delays */
    hd_file_table       files;     /* not with --compat=scout26: of all ranks, on rank 0 */
    bool                has_files; /* some rank has rows of files */
    hd_ideal_times      ideal;
    hd_work_table       work;           /* where it is wanted: of all ranks, on rank 0 */
    double              cause_fraction; /* their values are in 1 / cause_fraction of a tick */
    hd_engine_stats    *threads;   /* [n_threads] what each replay thread of this rank did */
    hd_engine_stats     stats;     /* their sum */
    hd_replay_stop      stopped;
    uint64_t            n_received, n_collectives; /* operations whose waiting time was determined, on this rank */
} hd_replay_result;

void hd_replay_result_fini(hd_replay_result *result);

#endif
