/* src/report/members/iteration_list.h: iterations, waiting time over them and verdicts, as tables that a report carries.
 *
 *   heddle.iterations.tsv         slice · first · iterations · from · to · processes · time · longest · process
 *   heddle.iteration-series.tsv   metric · process · processes · resolution · first · values
 *   heddle.verdicts.tsv           metric · spread · with · first · worst · every · share · correlation · change · period · words
 *
 * Iterations count from 1. Slice 0 is before the first iteration, n_slices + 1 after the last one, n_slices + 2 between
 * two; the first table does not have these three. Metric "duration" is the time from enter to leave. Times in seconds;
 * from and to since the begin of the trace. Region and origin are attributes of the report. Definition:
 * docs/metrics.md#iterations. Read tables are taken for damaged until checked. Uses: cube_reader, series_list. MT: one
 * thread. Ranks: local.
 */
#ifndef HD_ITERATION_LIST_H
#define HD_ITERATION_LIST_H

#include "cluster_list.h"
#include "iteration_series.h"
#include "series_list.h"

#define HD_ITERATIONS_MEMBER       "heddle.iterations.tsv"
#define HD_ITERATION_SERIES_MEMBER "heddle.iteration-series.tsv"
#define HD_VERDICTS_MEMBER         "heddle.verdicts.tsv"

#define HD_ITERATION_REGION_ATTRIBUTE "Heddle::IterationRegion" /* its name; found: the call that bounds each */
#define HD_ITERATIONS_BY_ATTRIBUTE    "Heddle::IterationsBy"    /* dynamic, option, found */
#define HD_ITERATIONS_BOUND_ATTRIBUTE "Heddle::IterationsBound" /* end: each ends with that call; else it begins so */
#define HD_ITERATIONS_ATTRIBUTE       "Heddle::Iterations"      /* how many, most of a process */

/* begin: of the trace [ticks]; resolution: ticks of a second. Errors of writing stay with the stream. */
void hd_iterations_write(FILE *file, const hd_iteration_series *series, hd_time begin, uint64_t resolution);
void hd_iteration_series_write(FILE *file, const hd_iteration_series *series, uint64_t resolution);
void hd_verdicts_write(FILE *file, const hd_iteration_series *series);

typedef struct hd_iteration_entry { /* [s] */
    uint32_t first, n;              /* iterations of the slice, from 1 */
    double   from, to;              /* since the begin of the trace */
    uint32_t n_processes;
    double   time, longest;         /* of all processes, of one of them: */
    uint32_t process;
} hd_iteration_entry;

typedef struct hd_verdict_entry {
    uint32_t          metric; /* hd_metric; HD_SERIES_DURATION */
    hd_verdict_spread spread;
    uint32_t          n_with, first, worst, every, period; /* iterations from 1; 0: none */
    double            share, correlation, change;
    char             *words;
} hd_verdict_entry;

typedef struct hd_iteration_list {
    hd_iteration_entry *slices;   /* [n_slices] slice s >= 1 at s - 1 */
    uint32_t            n_slices, n_iterations;
    hd_series_entry    *entries;  /* [n] as in the report */
    size_t              n;
    hd_verdict_entry   *verdicts; /* [n_verdicts] */
    size_t              n_verdicts;
    hd_cluster_list     clusters;
    const char         *region, *by; /* the report's; "" if it does not say */
    bool                is_there, is_found; /* is_found: each iteration begins with the call that region names, or, */
    bool                is_end;             /* ends with it */
} hd_iteration_list;

/* hd_iteration_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty then. */
hd_status hd_iteration_list_read(hd_cube *cube, hd_iteration_list *list);
void      hd_iteration_list_fini(hd_iteration_list *list);
/* NULL: there is none of this metric. */
const hd_verdict_entry *hd_iteration_list_verdict(const hd_iteration_list *list, uint32_t metric);

/* Which cluster, from 0, has the last iteration alone, where that lacks what follows its last call: iterations that were
 * found and begin with a call. HD_NONE: none. */
uint32_t hd_iteration_list_cut_cluster(const hd_iteration_list *list);

/* The name in tables: of the metric, or "duration". */
const char *hd_series_metric_id(uint32_t metric);
/* HD_NONE: no metric has it. */
uint32_t    hd_series_metric_by_id(const char *id);

#endif
