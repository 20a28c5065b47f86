/* src/report/algebra/scaling.h: runs of one program on several numbers of processes: how the share of each metric grows
 * with them.
 *
 * The growth of a metric is the number of percentage points by which its share of the run's time grows when the number
 * of processes doubles: the slope of the straight line through share and logarithm, by least squares over the runs that
 * have it. Where all runs have as many processes, locations are counted in their place. A model (scaling_model.h) is of
 * the value per process (or location) over their number, of runs of one size their mean.
 * Uses: alignment, profile, scaling_model. Owner: hd_scaling_free(); the alignment stays the caller's and must live as
 * long. MT: one thread at a time. Ranks: local. Grows with: runs times metrics, call paths, and wait states at call
 * paths that have them, 8 bytes each.
 */
#ifndef HD_SCALING_H
#define HD_SCALING_H

#include "alignment.h"
#include "scaling_efficiency.h"
#include "scaling_model.h"

typedef struct hd_scaling_run {
    const hd_cube *cube;
    uint32_t       n_processes, n_locations;
    double         time; /* all of it [s]; 0: not known */
} hd_scaling_run;

typedef struct hd_scaling_series {
    double *values; /* [n_runs] in all of the run; NaN: its report does not have the metric */
    double  growth; /* NaN: not a time, there is no time, or all runs are of one size */
    hd_scaling_model model; /* of a metric whose values cannot be added up there is none */
} hd_scaling_series;

typedef struct hd_scaling_wait { /* a wait state at a call path, exclusive */
    uint32_t          metric, path;
    hd_scaling_series series;
} hd_scaling_wait;

typedef struct hd_scaling {
    hd_alignment      *alignment;
    const hd_cube     *model;
    hd_scaling_run    *runs;    /* [n_runs] in the order of the alignment */
    uint32_t           n_runs;
    hd_scaling_series *metrics; /* [model->n_metrics] */
    hd_scaling_series *paths;   /* [model->n_paths] of the time, exclusive; NULL: there is no time */
    hd_scaling_wait   *waits;   /* [n_waits] by metric, then call path; not 0 in all runs; of wait states that all runs
                                 * have */
    size_t             n_waits;
    uint32_t           n_sizes; /* different ones */
    uint32_t          *predicted; /* [n_predicted] sizes that models are asked for; 2 and 4 times the largest */
    uint32_t           n_predicted;
    hd_scaling_efficiencies efficiencies; /* none before hd_scaling_add_efficiencies() */
    uint32_t           time;    /* HD_NONE: not all reports have it */
    bool               by_locations; /* their number is that of the size, as that of processes is always the same */
} hd_scaling;

/* Puts reports in the order of their numbers of processes, then of locations. Before they are aligned. */
void hd_scaling_sort(hd_cube **cubes, uint32_t n);

/* Errors: those of hd_alignment_total(). Cost: one pass over the values of all reports. */
hd_status hd_scaling_new(hd_alignment *alignment, hd_scaling **scaling);
void      hd_scaling_free(hd_scaling *scaling);

/* Efficiencies of the runs, where their reports have them. Once. Errors: those of hd_scaling_efficiencies_read(). */
hd_status hd_scaling_add_efficiencies(hd_scaling *scaling, bool is_weak);

/* Other sizes to predict values at. sizes: [n] copied; n > 0. */
void hd_scaling_predict(hd_scaling *scaling, const uint32_t *sizes, uint32_t n);

uint32_t hd_scaling_size(const hd_scaling *scaling, uint32_t run); /* its number of processes, or of locations */

/* Of a process on average; where locations are counted, of a location. NaN: not known. */
double hd_scaling_mean(const hd_scaling *scaling, const hd_scaling_series *series, uint32_t run);

/* Whether start-up is not counted (startup.h), in one run at least. */
bool hd_scaling_skips_startup(const hd_scaling *scaling);

/* Percent of all the time of a run. NaN: not known. */
double hd_scaling_share(const hd_scaling *scaling, const hd_scaling_series *series, uint32_t run);

/* What is left of the efficiency of the first run, where the problem is the same in all, or grows with the number of
 * locations; 1: all. Only where there is a time. */
double hd_scaling_strong_efficiency(const hd_scaling *scaling, uint32_t run);
double hd_scaling_weak_efficiency(const hd_scaling *scaling, uint32_t run);

/* Whether a metric is worth a line: the time, and what is in it and takes 0.5 % of it in one of the runs. */
bool hd_scaling_is_notable(const hd_scaling *scaling, uint32_t metric);

/* Call paths whose growth is farthest from zero, those first, of equal ones the first of the tree. paths: [max_n] out.
 * Returns how many there are. */
uint32_t hd_scaling_paths(const hd_scaling *scaling, uint32_t *paths, uint32_t max_n);

/* Times of call paths, and wait states at them, with models, by what their model adds from the largest size to the
 * farthest that is predicted, largest first; of equal ones call paths before wait states. Those that grow by nothing
 * are not among them. */
typedef struct hd_scaling_growing {
    uint32_t                 metric, path;
    const hd_scaling_series *series;
    double                   increase; /* per process */
} hd_scaling_growing;

/* most: [max_n] out. Returns how many there are. */
uint32_t hd_scaling_most_growing(const hd_scaling *scaling, hd_scaling_growing *most, uint32_t max_n);

#endif
