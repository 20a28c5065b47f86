/* src/report/members/counter_series_list.h: what counters counted in computation over time, and counts of metrics
 * (visits, messages, bytes), as tables that a report carries.
 *
 *   heddle.counter-series.tsv             counter · callpath · process · processes · first · values
 *   heddle.iteration-counter-series.tsv   the same over iterations
 *   heddle.count-series.tsv               metric · callpath · process · processes · first · values
 *   heddle.iteration-count-series.tsv     the same over iterations
 *
 * Lines of processes have no call path; lines of call paths, which are of all processes, have no process. A call path
 * stands for those below it that have no line; "none": of no call path that is known. The last field is a list, an
 * element for each slice from `first` on; those in which nothing was counted are empty, those at the end are not there.
 * Slices are those of series_list.h and iteration_list.h. Definition: docs/metrics.md#counters-of-computation,
 * #counts-over-time. Read tables are taken for damaged until checked. Uses: cube_reader, profile. MT: one thread.
 * Ranks: local.
 */
#ifndef HD_COUNTER_SERIES_LIST_H
#define HD_COUNTER_SERIES_LIST_H

#include <stdio.h>

#include "counter_series.h"
#include "cube_reader.h"
#include "path_fold.h"
#include "path_series_list.h"
#include "series_list.h"

#define HD_COUNTER_SERIES_MEMBER           "heddle.counter-series.tsv"
#define HD_ITERATION_COUNTER_SERIES_MEMBER "heddle.iteration-counter-series.tsv"
#define HD_COUNT_SERIES_MEMBER             "heddle.count-series.tsv"
#define HD_ITERATION_COUNT_SERIES_MEMBER   "heddle.iteration-count-series.tsv"

enum {
    HD_COUNT_SERIES_MAX  = 20, /* metrics of a table */
    HD_COUNT_SUMS_MAX    = 11, /* of these (count_sums.h) */
    HD_COUNTER_NAMES_MAX = HD_COMPARED_MAX + HD_COUNT_SERIES_MAX + HD_COUNT_SUMS_MAX
};

typedef struct hd_counter_series_names { /* of what its rows are of */
    const char        *column;           /* of the table: "counter" or "metric" */
    const char *const *of;               /* by hd_series_row.metric */
    const hd_defs     *defs;
} hd_counter_series_names;

/* numbers: hd_cube_path_numbers(). Errors of writing stay with the stream. */
void hd_counter_series_write(FILE *file, const hd_counter_series *series, const hd_counter_series_names *names,
                             const hd_path_fold *fold, const uint32_t *numbers);

/* In entries `metric` is the index of a name, `value` what was counted. */
typedef struct hd_counter_series_list {
    char            *names[HD_COUNTER_NAMES_MAX]; /* [n_names] of counters as recorded, then ids of metrics; untrusted */
    uint32_t         n_names, n_counters;         /* n_counters: the first ones are counters */
    hd_series_entry *processes; /* [n_processes] as in the report */
    hd_path_entry   *paths;     /* [n_paths] likewise, without the most of a process */
    size_t           n_processes, n_paths;
} hd_counter_series_list;

/* Of windows or of iterations, counters, and counts if they are wanted; empty, where the report has none. n_slices: of
 * its slices.
 * hd_counter_series_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty
 * then. */
hd_status hd_counter_series_list_read(hd_cube *cube, bool over_iterations, bool with_counts, uint32_t n_slices,
                                      hd_counter_series_list *list);
void      hd_counter_series_list_fini(hd_counter_series_list *list);

#endif
