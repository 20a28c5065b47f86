/* src/report/algebra/scaling.h: runs of one program on several numbers of processes: how the share of each metric grows with them.
 *
 * The growth of a metric is the number of percentage points by which its share of the run's time grows when the number of processes doubles: the slope
 * of the straight line through share and logarithm, by least squares over the runs that have it. Where all runs have as many processes, locations are
 * counted in their place.
 * Uses: alignment, profile. Owner: hd_scaling_free(); the alignment stays the caller's and must live as long. MT: one thread at a time. Ranks: local.
 * Grows with: runs times metrics and call paths, 8 bytes each.
 */
#ifndef HD_SCALING_H
#define HD_SCALING_H

#include "alignment.h"

typedef struct hd_scaling_run {
    const hd_cube *cube;
    uint32_t       n_processes, n_locations;
    double         time; /* all of it [s]; 0: not known */
} hd_scaling_run;

typedef struct hd_scaling_series {
    double *values; /* [n_runs] in all of the run; NaN: its report does not have the metric */
    double  growth; /* NaN: not a time, there is no time, or all runs are of one size */
} hd_scaling_series;

typedef struct hd_scaling {
    hd_alignment      *alignment;
    const hd_cube     *model;
    hd_scaling_run    *runs;    /* [n_runs] in the order of the alignment */
    uint32_t           n_runs;
    hd_scaling_series *metrics; /* [model->n_metrics] */
    hd_scaling_series *paths;   /* [model->n_paths] of the time, exclusive; NULL: there is no time */
    uint32_t           time;    /* HD_NONE: not all reports have it */
    bool               by_locations; /* their number is that of the size, as that of processes is always the same */
} hd_scaling;

/* Puts reports in the order of their numbers of processes, then of locations. Before they are aligned. */
void hd_scaling_sort(hd_cube **cubes, uint32_t n);

/* Errors: those of hd_alignment_total(). Cost: one pass over the values of all reports. */
hd_status hd_scaling_new(hd_alignment *alignment, hd_scaling **scaling);
void      hd_scaling_free(hd_scaling *scaling);

uint32_t hd_scaling_size(const hd_scaling *scaling, uint32_t run); /* its number of processes, or of locations */

/* Percent of all the time of a run. NaN: not known. */
double hd_scaling_share(const hd_scaling *scaling, const hd_scaling_series *series, uint32_t run);

/* What is left of the efficiency of the first run, where the problem is the same in all, or grows with the number of locations; 1: all.
 * Only where there is a time. */
double hd_scaling_strong_efficiency(const hd_scaling *scaling, uint32_t run);
double hd_scaling_weak_efficiency(const hd_scaling *scaling, uint32_t run);

/* Whether a metric is worth a line: the time, and what is in it and takes 0.5 % of it in one of the runs. */
bool hd_scaling_is_notable(const hd_scaling *scaling, uint32_t metric);

/* Call paths whose growth is farthest from zero, those first, of equal ones the first of the tree. paths: [max_n] out. Returns how many there are. */
uint32_t hd_scaling_paths(const hd_scaling *scaling, uint32_t *paths, uint32_t max_n);

#endif
