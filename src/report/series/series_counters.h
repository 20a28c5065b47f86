/* src/report/series/series_counters.h: what counters counted in computation over iterations or windows, and ratios of
 * that (instructions per cycle), and counts of metrics (visits, messages, bytes): lines of block characters for a
 * terminal, CSV, and JSON.
 * Definition: docs/metrics.md#counters-of-computation, #counts-over-time. Uses: counter_series_list, series_view,
 * summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_COUNTERS_H
#define HD_SERIES_COUNTERS_H

#include "counter_series_list.h"
#include "json.h"
#include "series_paths.h"
#include "series_view.h"
#include "summary_page.h"

enum { HD_COUNTER_RATIOS = 4, HD_COUNTER_CHOICES_MAX = HD_COUNTER_NAMES_MAX + HD_COUNTER_RATIOS };

typedef struct hd_counter_choice { /* one that is shown */
    const char *id, *name, *unit;  /* of the report's metric; "" unit: none */
    uint32_t    counter, per;      /* indices of names; per HD_NONE: no ratio */
    double      factor;            /* of a ratio */
    bool        is_count;          /* a count of a metric, or */
    bool        is_sum;            /* a sum of such counts: shown only if it is asked for */
} hd_counter_choice;

typedef struct hd_series_counters {
    hd_counter_series_list   list;
    const hd_series_list    *windows;    /* the caller's */
    const hd_iteration_list *iterations; /* likewise; NULL: over windows */
    hd_counter_choice        choices[HD_COUNTER_CHOICES_MAX]; /* [n] counters, ratios, counts */
    uint32_t                 n;
} hd_series_counters;

/* Over windows, if iterations is NULL. n is 0 if the report has none. hd_series_counters_fini() it. Errors: those of
 * hd_counter_series_list_read(). */
hd_status hd_series_counters_read(hd_cube *cube, const hd_series_list *windows, const hd_iteration_list *iterations,
                                  hd_series_counters *counters);
void      hd_series_counters_fini(hd_series_counters *counters);

/* Its name in texts: of a count with its id, as several have one name; of a counter with words that say where it
 * counted. free() it. */
char *hd_counter_choice_title(const hd_counter_choice *choice);
/* choice: out: the one whose metric has this id. Errors: HD_EUSAGE: there is none, with advice. */
hd_status hd_series_counters_find(const hd_series_counters *counters, hd_cube *cube, const char *id,
                                  const hd_counter_choice **choice);

/* As hd_series_view_make(): rows are processes. Values of a ratio are ratios, NAN where there
 * is nothing to divide by, its sums those of all slices. */
void hd_series_counters_view(const hd_series_counters *counters, const hd_counter_choice *choice, hd_series_view *view);

/* All choices, of all processes together. */
void hd_series_counters_print(const hd_summary_page *page, const hd_series_counters *counters);
/* One by process, or by call path, the largest first, at most n_top. */
void hd_series_counters_print_processes(const hd_summary_page *page, const hd_series_counters *counters,
                                        const hd_counter_choice *choice, uint32_t n_top);
void hd_series_counters_print_paths(const hd_summary_page *page, const hd_series_counters *counters,
                                    const hd_counter_choice *choice, uint32_t n_top);

/* Lines as those of other metrics; of a ratio those of both counters. choice: NULL: all */
void hd_series_counters_csv(FILE *file, const hd_series_counters *counters, const hd_counter_choice *choice);
void hd_series_counters_csv_paths(FILE *file, const hd_cube *cube, const hd_series_counters *counters,
                                  const hd_counter_choice *choice);

/* The members "counters" and "counts": arrays, empty if none are wanted; without ratios. id: only that one, or what a
 * ratio is made of; NULL: all */
void hd_json_counter_series(hd_json *json, const hd_cube *cube, const hd_series_counters *counters, bool is_wanted,
                            const char *id);

#endif
