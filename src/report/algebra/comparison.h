/* src/report/algebra/comparison.h: two reports side by side in numbers: what each metric is in all, and where it has changed.
 *
 * Uses: alignment, profile. Owner: hd_comparison_free(); the alignment stays the caller's and must live as long. MT: one thread at a time. Ranks: local.
 * Grows with: call paths, 16 bytes for each wait state that is in the reports, and for the time.
 */
#ifndef HD_COMPARISON_H
#define HD_COMPARISON_H

#include "alignment.h"
#include "tree_order.h"

typedef struct hd_compared_metric {
    double  of[2];      /* in all of A and of B; of an extreme metric the least or largest value */
    bool    is_wait;    /* waiting time that no other metric contains */
    double *of_path[2]; /* [n_paths] exclusive, over all locations; NULL: not summed up: neither a wait state nor the time */
} hd_compared_metric;

typedef struct hd_comparison {
    hd_alignment       *alignment;
    const hd_cube      *model;
    hd_compared_metric *metrics; /* [n_metrics] of the model */
    uint32_t            time;    /* HD_NONE: the reports have no "time" */
} hd_comparison;

/* alignment: of two reports. Errors: those of hd_alignment_row(). Cost: one pass over the values of both. */
hd_status hd_comparison_new(hd_alignment *alignment, hd_comparison **comparison);
void      hd_comparison_free(hd_comparison *comparison);

typedef struct hd_place_change {
    uint32_t number; /* of a call path, or of a process, in a report of one process of a thread */
    double   of[2];
} hd_place_change;

/* How many of something to name, where the user wants n_top of each (0: three): not more than there are of any. */
uint32_t hd_comparison_top(const hd_comparison *comparison, uint32_t n_top);

/* The call paths where a metric with of_path has changed most, those first; of equal ones the first of the tree.
 * most: [max_n] out. Returns how many there are. */
uint32_t hd_comparison_paths(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t max_n);

/* The same of processes (groups of the model; where there is one, locations) at a call path. None where they are summed up, or there is one only.
 * n: out. Errors: those of hd_alignment_row(). */
hd_status hd_comparison_processes(const hd_comparison *comparison, uint32_t metric, uint32_t path, hd_place_change *most, uint32_t max_n,
                                  uint32_t *n);

/* The wait states that have changed most, likewise; their numbers in the model. */
uint32_t hd_comparison_waits(const hd_comparison *comparison, uint32_t *most, uint32_t max_n);

/* Metrics as a tree, those of one parent with the largest change first. Owner: hd_tree_order_fini(). */
void hd_comparison_order(const hd_comparison *comparison, hd_tree_order *order);

/* Whether a metric is worth a line: the time; what is in it, and is HD_NOTABLE_SHARE of it or more in one of the reports; of other trees what they
 * begin with, if it has changed by as much of what A has. Never what has not changed at all, but for the time. */
#define HD_NOTABLE_SHARE 0.005
bool hd_comparison_is_notable(const hd_comparison *comparison, uint32_t metric);

bool hd_is_time(const hd_cube_metric *metric); /* a length of time: its unit is seconds */

/* From the share of all its time in A to that in B [percentage points]; NaN where there is no time. */
double hd_comparison_share_change(const hd_comparison *comparison, const double *of);

/* What has changed in percent of A; infinite where A has nothing, NaN where B has nothing either. */
double hd_percent_changed(double a, double b);

#endif
