/* src/report/build/report.h: what a report is made of, as plain data.
 *
 * The components that analyse fill this; cube_writer.c writes it. Nothing here knows of op logs or messages. Uses: profile, analysis_comm.
 */
#ifndef HD_REPORT_H
#define HD_REPORT_H

#include "calltree.h"
#include "cause_lags.h"
#include "cause_table.h"
#include "cost.h"
#include "counter_series.h"
#include "defs.h"
#include "delay_series.h"
#include "efficiency.h"
#include "finding.h"
#include "excerpt.h"
#include "file_table.h"
#include "iteration_series.h"
#include "level_table.h"
#include "location_counters.h"
#include "matrix.h"
#include "path_fold.h"
#include "prediction.h"
#include "track_table.h"
#include "wait_graph.h"
#include "wait_series.h"
#include "work_table.h"

typedef struct hd_report_location {
    uint32_t           location; /* index in the definitions = column of the report */
    const hd_severity *entries;  /* [n] of kind R, time (exclusive) and visits included; sorted by call path, then metric */
    const hd_cost     *costs;    /* [n_costs] what contains quotients; sorted likewise */
    const hd_severity *window;   /* [n_window] the same of the window of the critical path, outside of what the report counts */
    const hd_severity *startup;  /* [n_startup] the part of entries that is outside of the main window */
    const hd_cost     *startup_costs; /* [n_startup_costs] that of costs */
    size_t             n, n_costs, n_window, n_startup, n_startup_costs;
    hd_location_counters counters, startup_counters; /* lent; startup: the part of counters outside of the main window */
} hd_report_location;

typedef struct hd_attribute {
    const char *key, *value;
} hd_attribute;

typedef struct hd_report_topology { /* one of processes, besides those of the definitions */
    const char        *name;
    const char *const *dimension_names; /* [n_dimensions] NULL: none */
    const uint32_t    *sizes;           /* [n_dimensions] */
    const bool        *is_periodic;     /* [n_dimensions] */
    const uint32_t    *places;          /* [processes of the definitions][n_dimensions] the first number HD_NONE: none */
    uint32_t           n_dimensions;
} hd_report_topology;

typedef struct hd_report {
    const hd_defs            *defs;
    const hd_calltree        *tree;       /* the same on all ranks */
    const hd_report_location *locations;  /* [n_locations] of this rank, ascending; every column is on exactly one rank */
    uint32_t                  n_locations;
    const hd_attribute       *attributes; /* [n_attributes], used on rank 0 */
    size_t                    n_attributes;
    const hd_findings        *findings;   /* sorted, used on rank 0: all findings of the run */
    const hd_wait_graph      *waits;      /* used on rank 0; NULL: nobody waited at the end of the recording */
    const hd_causes          *causes, *pairs; /* used on rank 0; NULL: delay costs were not computed */
    const hd_cause_lags      *lags;       /* used on rank 0, with causes; NULL: there are no series */
    const hd_matrix          *matrix;     /* used on rank 0; NULL: not wanted, or a program without MPI */
    const hd_series          *series;     /* used on rank 0; NULL: not wanted; then: */
    const hd_windows         *windows;
    const hd_path_series     *path_series;
    const hd_path_fold       *series_paths;
    const hd_path_series     *time_series; /* of hd_times_over_time; used on rank 0; NULL: not wanted; then over iterations,
                                            * if there are any: */
    const hd_path_series     *iteration_time_series;
    const hd_time_paths      *time_paths;
    const hd_counter_series  *counters;    /* used on rank 0; NULL: nothing was counted over time; then over iterations, if
                                            * there are any: */
    const hd_counter_series  *iteration_counters;
    const hd_counter_series  *counts, *iteration_counts; /* likewise: visits, messages, bytes; NULL: not wanted */
    const hd_delay_series    *delays;      /* used on rank 0; NULL: not wanted */
    const hd_iteration_series *iterations; /* used on rank 0; NULL, or n 0: there are none */
    const hd_efficiencies    *efficiencies; /* used on rank 0; NULL: not known; summed up over all ranks */
    const hd_file_table      *files;      /* used on rank 0; NULL: no operations on files were recorded */
    const hd_level_table     *levels;      /* used on rank 0; empty: no levels and no metrics over time were recorded */
    const hd_track_table     *tracks;      /* used on rank 0; NULL, or empty: no metrics over time by window */
    const hd_work_table      *work;        /* used on rank 0; NULL, or empty: nothing is compared; then: */
    const hd_compared_counters *compared;
    const hd_predictions     *predictions; /* used on rank 0; NULL: nothing was simulated */
    const hd_wait_statistics *statistics; /* used on rank 0; NULL: not wanted; then: */
    const hd_excerpts        *excerpts;
    const struct hd_derived_counters *derived; /* used on rank 0; NULL: no metrics are computed from counters */
    double                    cause_fraction; /* their values are in 1 / cause_fraction of a tick */
    bool                      has_startup; /* what is outside of the main window is known */
    bool                      without_counters; /* they were not read */
    bool                      is_profile; /* only sums of calls are known: no waits, and what follows from them */
    bool                      compat;     /* --compat=scout26 */
    uint64_t                  facts;      /* see hd_derivation_options */
    const hd_report_topology *given;      /* used on rank 0; NULL: the definitions have all */
    const uint32_t           *call_sites; /* [tree->n] where call paths are called (defs.h), used on rank 0; NULL: none is known */
    const uint32_t           *nodes;      /* [processes of the definitions] in the system tree, HD_NONE: not known; used on rank 0;
                                           * NULL: as classes say */
    bool                      has_causes; /* delay costs were computed, see hd_derivation_options */
} hd_report;

/* Numbers of call paths in the anchor: [tree->n], free() it. */
uint32_t *hd_cube_path_numbers(const hd_calltree *tree);

/* Writes the report to path, which is made anew (never replaced): every rank its own columns, rank 0 the rest. The caller
 * renames it when all is well, and removes it when not.
 * Ranks: all, together; path, defs, tree, compat, facts, has_causes and has_startup equal on all. MT: main thread only.
 * Errors: HD_EEXIST, HD_EOPEN, HD_EWRITE (disk full, ...), the same on all ranks. */
hd_status hd_cube_write(hd_analysis_comm *analysis_comm, const hd_report *report, const char *path);

/* Likewise to a file that is there and empty. file: as each rank opens it; path: as errors name it. */
hd_status hd_cube_write_into(hd_analysis_comm *analysis_comm, const hd_report *report, const char *file, const char *path);

#endif
