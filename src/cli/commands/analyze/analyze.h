/* src/cli/commands/analyze/analyze.h: one run of heddle analyze on this rank: its state, and its phases in their order.
 *
 *   read_what_if ─▶ open ─▶ prepare ─▶ open_scratch ─▶ correct_clocks ─▶ find_intervals ─▶ load ─▶ unify ─▶ find_clusters
 *   ─▶ model ─▶ replay ─▶ find_excerpts ─▶ simulate ─▶ report ─▶ show
 *
 * A phase is called by all ranks together, on the main thread, and returns the same status on all of them; the first error ends the run.
 * Uses: all components. Owner: cmd_analyze.c owns the state; a phase fills its part of it.
 * MT: main thread only, unless said otherwise.
 */
#ifndef HD_ANALYZE_H
#define HD_ANALYZE_H

#include "binding.h"
#include "calltree.h"
#include "choice.h"
#include "clocks.h"
#include "cluster_cuts.h"
#include "coverage.h"
#include "compared_counters.h"
#include "derived_counters.h"
#include "run_statistics.h"
#include "hop_table.h"
#include "iterations.h"
#include "path_fold.h"
#include "loader.h"
#include "main_window.h"
#include "options.h"
#include "output.h"
#include "placement.h"
#include "progress.h"
#include "region_instances.h"
#include "replay.h"
#include "report.h"
#include "study.h"
#include "what_if.h"

typedef struct hd_analyze_options { /* the command line */
    bool        help;
    const char *archive, *output, *topology, *scratch; /* NULL: not given */
    uint64_t    memory_limit; /* [bytes], 0: none */
    bool        clock_report;
    bool        moments; /* for a simulation, not an option of its own */
    bool        force, html, stat, show_placement, no_summary, no_delay, no_critical_path, no_matrix, no_series, no_demangle, quiet, verbose, with_startup;
    uint32_t    instances; /* 0: the most severe of each call path */
    uint32_t    windows;   /* of time series; 0: not given */
    uint32_t    series;    /* 1: computation by call path in any case */
    hd_texts    iterations; /* regions whose instances are iterations */
    uint32_t    cluster;    /* most clusters in the call tree; 0: there are none */
    uint32_t    traces_per_rank, threads, max_open_files; /* 0: not given */
    uint32_t    mpi;       /* hd_mpi_choice */
    uint32_t    placement; /* hd_placement_policy */
    uint32_t    bind;      /* hd_bind_policy */
    uint32_t    compat;    /* 1: scout26 */
    uint32_t    clock;     /* hd_clock_mode */
    uint32_t    reader;    /* hd_event_reader */
    hd_duration from, to;
    hd_texts    regions; /* of interest */
    hd_texts    simulate; /* what_if.h: texts, or names of files */
    const char *derived; /* file of formulas for counters; NULL: not given */
    const char *counters; /* that root causes are compared by; NULL: not given */
    const char *simulation; /* of heddle simulate: the hypothesis; NULL: the recorded run */
} hd_analyze_options;

typedef struct hd_region_share { /* what the regions of interest are of the run */
    double   of_run;             /* of the time of all processes, 0 to 1 */
    uint32_t n_processes;        /* that enter them, in the interval of --from and --to */
    hd_analysis_interval window; /* from the first enter to the last leave */
} hd_region_share;

typedef struct hd_simulation_run { /* the same on all ranks */
    hd_what_if          what_if;
    /* Of heddle simulate, of what_if.hypotheses: see hd_simulate_request. */
    bool                  wants_times;
    hd_record_log *const *records;
    uint32_t           *marks;     /* [defs->n_regions] of balances per region (hd_load_request); NULL: there are none */
    hd_found_delays    *found_delays; /* [n_locations of this rank] NULL: nobody asks for them */
    uint32_t            n_locations;
    hd_simulate_request request;
    hd_simulator       *simulator; /* from model to simulate; NULL: nothing is simulated */
    hd_study            study;
    uint64_t            n_calls;   /* of all ranks */
    hd_simulate_result  result;    /* of what_if.hypotheses */
    hd_predictions      predictions;
    bool                is_done;   /* result and predictions are there */
} hd_simulation_run;

typedef struct hd_cluster_run { /* clusters of iterations in the call tree */
    hd_cluster_cuts     cuts;   /* of the processes of this rank */
    hd_iterations_how   how;    /* this and the next two: of the iterations, as in hd_iterations */
    bool                is_end;
    uint32_t            region;
    char               *name;   /* of the region that they are, or the call; NULL: clusters are not known yet */
    hd_iteration_series series; /* on rank 0: its clusters and verdicts */
    bool                is_first; /* of two replays: visits of call paths are needed behind it */
} hd_cluster_run;

typedef struct hd_analyze {
    /* set at the begin */
    hd_analysis_comm                 *analysis_comm;
    const hd_analyze_options *options;
    bool                      is_rank0;
    hd_progress               progress;
    double                    start;       /* [s] of hd_progress_now() */
    uint64_t                  start_bytes; /* resident memory when the analysis communicator was opened */

    /* open */
    char          *anchor; /* path of the archive's anchor */
    hd_output     *output;
    hd_derived_counters *derived; /* on rank 0 */
    char          *page;   /* path of the HTML page; NULL: none is wanted */
    const hd_defs *defs;   /* the analysis communicator's */
    hd_compared_counters compared; /* by which root causes are compared; n 0: by none */

    /* prepare */
    hd_analysis_interval interval; /* of --from and --to: the whole run, where they are not given */
    uint32_t         n_sides;      /* of the analysis interval (analysis_interval.h); 1: the whole run counts */
    bool            *is_wanted;    /* [defs->n_regions] the regions of interest; NULL: there are none */
    uint32_t         n_threads;
    bool             yield;      /* some node has more replay threads than cores */
    hd_placement    *placement;
    const uint32_t  *processes;  /* [n_processes] hosted by this rank, ascending; the placement's */
    uint32_t        *threads;    /* [n_processes] the replay thread of each */
    uint32_t         n_processes;
    hd_choice        topology;
    hd_hop_tables   *hop_tables; /* of other topologies of the archive; NULL: none */
    hd_binding      *binding;    /* NULL: this rank hosts nothing */

    /* open_scratch, correct_clocks */
    hd_scratch  *scratch; /* NULL: memory is not limited */
    hd_clocks    clocks;

    /* find_intervals */
    hd_analysis_intervals *intervals; /* [n_processes] what counts; NULL: the whole run */
    hd_region_instances   *instances; /* [n_processes] of regions of interest: the intervals' parts; NULL: there are none */
    hd_region_share        share;     /* the same on all ranks */
    bool                   has_main_window; /* all counts, and intervals are the main window: known when all is loaded */

    /* load, unify */
    const hd_load_observer *observer;  /* of heddle simulate; NULL: none */
    hd_record_times *const *times;     /* likewise: of all records, instead of the recorded ones; NULL: none */
    hd_trace    *trace;
    hd_main_window_ends main_window; /* of all processes */
    hd_calltree  tree;    /* of all ranks */
    uint32_t   **maps;    /* [n_processes] call path of the process -> of the tree */
    uint32_t    *call_sites; /* of the report; NULL: none is known, or it is --compat */

    /* read_what_if, model, simulate */
    hd_simulation_run simulation;

    /* replay, find_excerpts */
    uint8_t         *states;  /* [defs->n_regions] of threads (hd_state); NULL: efficiencies are not computed */
    uint8_t         *mpi_classes; /* [defs->n_regions] hd_region_mpi_classes(); likewise */
    uint8_t         *rma_calls; /* [defs->n_regions] hd_region_rma_calls(); NULL: no counts over time */
    hd_windows       windows; /* of time series */
    hd_path_fold     series_paths; /* which call paths have them; where there are any; */
    hd_time_paths    time_paths; /* and those of computation, MPI and OpenMP */
    hd_region       *regions; /* [defs->n_regions] for loading, those of iterations marked; NULL: none is */
    hd_iterations    iterations;
    hd_cluster_run   clusters;
    hd_efficiencies  efficiencies;
    hd_replay_result result; /* filled when has_result */
    bool             has_result;
    bool             has_causes, has_path; /* delay costs, critical path: wanted, and not stopped */
    hd_excerpts      excerpts;             /* on rank 0 */

    /* report */
    hd_findings    findings;   /* on rank 0 those of all ranks */
    bool           incomplete; /* a finding says that something is lost; the same on all ranks */
    hd_coverage    coverage;
    hd_wait_graph *waits;      /* on rank 0; NULL: no process was blocked when the recording ended,
                                * and none stopped early */
    hd_run_statistics     statistics;

    /* a signal, from any phase; the same on all ranks */
    int         signal;     /* that stopped the analysis, 0: none */
    const char *stopped_at; /* the phase in words: "while loading" */
} hd_analyze;

/* ---- phases --------------------------------------------------------------------------------------------------------------- */

/* phase_prepare.c. open: finds the archive, tries whether the report can be written, reads the definitions. prepare: analysis interval,
 * placement, topology, binding. */
hd_status hd_analyze_open(hd_analyze *run);
hd_status hd_analyze_find_archive(hd_analyze *run);     /* parts of open, for commands that write no report */
hd_status hd_analyze_read_definitions(hd_analyze *run);
hd_status hd_analyze_prepare(hd_analyze *run);

/* phase_intervals.c. choose_interval, in prepare: --from, --to and --roi, as the definitions allow; without a file read, so
 * the status is the same on all ranks. find_intervals: what of each process counts; with --roi the files are read. Where
 * the whole run counts: what of it is the main window, found while loading. */
hd_status hd_analyze_choose_interval(hd_analyze *run);
hd_status hd_analyze_find_intervals(hd_analyze *run);

/* phase_iterations.c. choose_iterations, in prepare: --iterations, or the regions that the archive marks; the status is
 * the same on all ranks. find_iterations, in load: their instances. find_loop, in replay: where there are none, and what
 * they call. mark_iterations, in model: for hypotheses about them; HD_EUSAGE: there are none. */
hd_status hd_analyze_choose_iterations(hd_analyze *run);
hd_status hd_analyze_find_iterations(hd_analyze *run);
hd_status hd_analyze_find_loop(hd_analyze *run); /* HD_EUSAGE: --cluster, and there are none */
hd_status hd_analyze_mark_iterations(hd_analyze *run);

/* phase_load.c. unify: one call tree of the call trees of all processes. */
hd_status hd_analyze_open_scratch(hd_analyze *run);
hd_status hd_analyze_correct_clocks(hd_analyze *run);
hd_status hd_analyze_load(hd_analyze *run);
hd_status hd_analyze_unify(hd_analyze *run);
void      hd_analyze_drop_trace(hd_analyze *run); /* what these two have made; it may be loaded again. Ranks: local */

/* phase_clusters.c. find_clusters, with --cluster: replays the run once, finds the clusters, and loads it again: call
 * paths of iterations have nodes for them then. HD_EUSAGE: there are no iterations, or no call path that holds them.
 * restore_iterations, when it is loaded again: those that were found. give_clusters: to the result of the replay. */
hd_status hd_analyze_find_clusters(hd_analyze *run);
void      hd_analyze_restore_iterations(hd_analyze *run);
void      hd_analyze_give_clusters(hd_analyze *run);
void      hd_analyze_free_clusters(hd_analyze *run);

/* phase_replay.c. replay: forward, then backward. */
hd_status hd_analyze_replay(hd_analyze *run);
hd_windows hd_analyze_choose_windows(const hd_analyze *run); /* of time series; n 0: there are none */
hd_status hd_analyze_find_excerpts(hd_analyze *run);

/* phase_simulate.c: read_what_if: what the option says, before anything is read. model: what calls depend on, before the
 * replay; hypotheses that the archive has nothing for are refused. simulate: after the replay. */
hd_status hd_analyze_read_what_if(hd_analyze *run);
hd_status hd_analyze_mark_regions(hd_analyze *run); /* before events are loaded: those whose instances are balanced */
hd_status hd_analyze_model(hd_analyze *run);
hd_status hd_analyze_simulate(hd_analyze *run);
void      hd_analyze_free_simulation(hd_analyze *run);

/* phase_report.c: the Cube report and the files beside it. */
hd_status hd_analyze_report(hd_analyze *run);

/* phase_show.c: warnings, summary and, where it is wanted, the HTML page. */
hd_status hd_analyze_show(hd_analyze *run);

/* cmd_analyze.c: the begin, of a run of zeros, and the end of all. level: of rank 0; others are quiet. Ranks: all, together. */
void hd_analyze_begin(hd_analyze *run, hd_progress_level level);
void hd_analyze_finish(hd_analyze *run);

/* ---- what phases share ------------------------------------------------------------------------------------------------------ */

/* phase_load.c: for all that reads events. Ranks: local. */
bool            hd_analyze_reads_counters(const hd_analyze *run); /* of the archive */
hd_load_request hd_analyze_load_request(hd_analyze *run);

/* phase_prepare.c: on_thread of loading and replay. context: the run. MT: the thread itself. Ranks: local. */
void hd_analyze_bind_thread(void *context, uint32_t thread);

/* phase_intervals.c: sets is_named, [regions of the definitions], for regions of these names. Errors: HD_EUSAGE, the
 * archive has no region of a name. Ranks: local, the same on all. */
hd_status hd_analyze_name_regions(const hd_analyze *run, const hd_texts *names, bool *is_named);

/* placement_print.c: --show-placement prints on standard output, --verbose on standard error. Ranks: all, together. */
void hd_analyze_print_placement(const hd_analyze *run);

/* phase_replay.c. Ranks: local, the same on all. */
bool hd_analyze_wants_statistics(const hd_analyze *run); /* --stat, or --instances */
/* These after unify, as they look at the call tree. */
bool hd_analyze_uses(const hd_analyze *run, hd_paradigm paradigm);
bool hd_analyze_is_parallel(const hd_analyze *run);  /* uses MPI or OpenMP */
bool hd_analyze_wants_causes(const hd_analyze *run); /* delay costs */
bool hd_analyze_wants_matrix(const hd_analyze *run); /* communication matrix */

/* analyze_findings.c: fills findings, coverage and incomplete. Ranks: all, together. */
void hd_analyze_gather_findings(hd_analyze *run);

/* run_attributes.c. The region of the iterations; of those that were found the call; free() it. Ranks: local. */
char *hd_analyze_name_iterations(const hd_analyze *run);

/* Owner: the caller frees rows and their values. Ranks: local, on rank 0. */
typedef struct hd_attribute_list {
    hd_attribute *rows; /* [n] */
    size_t        n, capacity;
} hd_attribute_list;
void hd_analyze_describe(const hd_analyze *run, hd_attribute_list *list);

/* analyze_signals.c */

/* Signals are caught for this run; NULL: for none any more. Ranks: local. */
void hd_analyze_catch_signals(hd_analyze *run);
/* Whether a signal came, on any rank; at: what was going on, kept. Ranks: all, together. */
bool hd_analyze_is_stopped(hd_analyze *run, const char *at);
/* Words the error that there is no report. Ranks: all, together, after hd_analyze_is_stopped(). Returns HD_ESTOPPED. */
hd_status hd_analyze_end_stopped(hd_analyze *run);

#endif
