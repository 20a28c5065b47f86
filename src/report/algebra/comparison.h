/* src/report/algebra/comparison.h: A and B side by side in numbers: what each metric is in all, and where it has
 * changed.
 *
 * A and B are one report each, or several: runs of the same. Then their values are the means of the runs, and Welch's t
 * test says whether a difference is more than the noise between runs.
 * Uses: alignment, profile, welch. Owner: hd_comparison_free(); the alignment stays the caller's and must live as long.
 * MT: one thread at a time. Ranks: local. Grows with: call paths, 16 bytes for each wait state that is in the reports,
 * and for time, delay costs and critical path.
 */
#ifndef HD_COMPARISON_H
#define HD_COMPARISON_H

#include "alignment.h"
#include "tree_order.h"
#include "welch.h"

typedef struct hd_compared_metric {
    double  of[2];      /* in all of A and of B; of an extreme metric the least or largest value */
    double *of_run;     /* [alignment->n_cubes] in all of each run */
    bool    is_wait;    /* waiting time that no other metric contains */
    double *of_path[2]; /* [n_paths] exclusive, over all locations; NULL: not summed up: neither a wait state nor one of
                         * those below */
} hd_compared_metric;

typedef struct hd_wall_time { /* how long the runs take [s] */
    const char *what;       /* "main window", "run", "critical path", "longest location"; NULL: unknown */
    double      of[2];      /* A and B */
    double     *of_run;     /* [alignment->n_cubes] */
} hd_wall_time;

typedef struct hd_comparison {
    hd_alignment       *alignment;
    const hd_cube      *model;
    hd_compared_metric *metrics; /* [n_metrics] of the model */
    uint32_t            time;    /* HD_NONE: the reports have no "time" */
    uint32_t            costs;   /* delay costs: what makes others wait; HD_NONE: A or B does not have them */
    uint32_t            critical_path; /* likewise */
    hd_wall_time        wall;
} hd_comparison;

/* alignment: of A and B, with n_of_a runs of A. wall: what all runs have of: main window (whole run, where start-up is
 * not skipped), length of the critical path, time of the location with most. Errors: those of hd_alignment_row(). Cost:
 * one pass over the values of all. */
hd_status hd_comparison_new(hd_alignment *alignment, hd_comparison **comparison);
void      hd_comparison_free(hd_comparison *comparison);

/* Whether start-up is not counted (startup.h), in one run at least. */
bool hd_comparison_skips_startup(const hd_comparison *comparison);

/* Standard deviations of the runs of A and of B, and whether they differ more than by noise. of_run:
 * [alignment->n_cubes] */
hd_welch hd_comparison_test(const hd_comparison *comparison, const double *of_run);

/* A metric at a call path in each run. of_run: [alignment->n_cubes] out. Errors: those of hd_alignment_row(). */
hd_status hd_comparison_path_runs(const hd_comparison *comparison, uint32_t metric, uint32_t path, double *of_run);

typedef struct hd_place_change {
    uint32_t number; /* of a call path; of a process, or in reports of one process of a thread */
    double   of[2];  /* of A and B, of several runs their means */
} hd_place_change;

/* How many of something to name, where the user wants n_top of each (0: three): not more than there are of any. */
uint32_t hd_comparison_top(const hd_comparison *comparison, uint32_t n_top);

/* The call paths where a metric with of_path has changed most, those first; of equal ones the first of the tree.
 * Changes below HD_SMALL_CHANGE of the largest one are not among them. most: [max_n] out. Returns how many there
 * are. */
#define HD_SMALL_CHANGE 0.01
uint32_t hd_comparison_paths(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t max_n);

/* The same of processes (groups of the model; where there is one, locations) at a call path. None where they are summed
 * up, or there is one only. n: out. Errors: those of hd_alignment_row(). */
hd_status hd_comparison_processes(const hd_comparison *comparison, uint32_t metric, uint32_t path,
                                  hd_place_change *most, uint32_t max_n, uint32_t *n);

/* The fewest processes that carry HD_MOST_CARRIED of what changed in the direction of the whole, those with the largest
 * change first. carriers: [groups, or locations, of the model] out; n: out, as above. */
#define HD_MOST_CARRIED 0.9
hd_status hd_comparison_carriers(const hd_comparison *comparison, uint32_t metric, uint32_t path,
                                 hd_place_change *carriers, uint32_t *n);

/* Call paths that do computation, not MPI, among those of hd_comparison_paths(). */
uint32_t hd_comparison_computation(const hd_comparison *comparison, uint32_t metric, hd_place_change *most,
                                   uint32_t max_n);

/* The wait states that have changed most, likewise; their numbers in the model. */
uint32_t hd_comparison_waits(const hd_comparison *comparison, uint32_t *most, uint32_t max_n);

/* Metrics as a tree, those of one parent with the largest change first. Owner: hd_tree_order_fini(). */
void hd_comparison_order(const hd_comparison *comparison, hd_tree_order *order);

/* Whether a metric is worth a line: the time; what is in it, and is HD_NOTABLE_SHARE of it or more in one of the
 * reports; of other trees what they begin with, if it has changed by as much of what A has, and is no time: those are
 * other views of the same time. Never what has not changed at all, but for the time. */
#define HD_NOTABLE_SHARE 0.005
bool hd_comparison_is_notable(const hd_comparison *comparison, uint32_t metric);

/* Whether a metric has a line of its own: it is worth one, no line above tells the same (it is no part of a wait
 * state), and no line below: nearly all of its change, HD_NEARLY_ALL, is that of one metric in it. */
#define HD_NEARLY_ALL 0.95
bool hd_comparison_is_shown(const hd_comparison *comparison, uint32_t metric);

bool hd_is_time(const hd_cube_metric *metric); /* a length of time: its unit is seconds */

/* From the share of all its time in A to that in B [percentage points]; NaN where there is no time. */
double hd_comparison_share_change(const hd_comparison *comparison, const double *of);

/* What has changed in percent of A; infinite where A has nothing, NaN where B has nothing either. */
double hd_percent_changed(double a, double b);

#endif
