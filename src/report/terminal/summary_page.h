/* src/report/terminal/summary_page.h: a summary while it is made: what was summed up, and the lines that its sections
 * are made of. For pages in a terminal. Uses: cube_reader, metric. MT: one thread. Ranks: local. Grows with: call
 * paths, 8 bytes for each metric that is summed up per call path.
 */
#ifndef HD_SUMMARY_PAGE_H
#define HD_SUMMARY_PAGE_H

#include <stdio.h>

#include "completeness.h"
#include "headings.h"
#include "json_document.h"
#include "metric.h"
#include "name_cut.h"
#include "startup.h"
#include "summary_options.h"

typedef struct hd_metric_totals {
    bool    is_known;   /* it was summed up */
    double  sum;
    double *of_path;    /* [n_paths] NULL: not wanted yet */
    double *of_process; /* [n_groups] NULL: not wanted yet */
} hd_metric_totals;

/* While a section is made, file collects its lines. In a JSON document there are no lines: a section puts one value in
 * their place. */
typedef struct hd_summary_page {
    hd_cube           *cube;
    FILE              *file;    /* NULL: json */
    hd_json           *json;    /* NULL: text */
    const char        *key;     /* of the section's value in json */
    hd_summary_options options;
    hd_metric_totals  *totals; /* [n_metrics] */
    double            *row;    /* [n_locations] */
    double             time;   /* all of it [s] */
    hd_name_cuts      *cuts;   /* names that its rows show cut */
} hd_summary_page;

/* Owner: hd_summary_page_fini(). The report stays the caller's. Zeros in options become their defaults. Nothing is
 * summed up yet. */
void hd_summary_page_init(hd_summary_page *page, hd_cube *cube, FILE *file, const hd_summary_options *options);
void hd_summary_page_fini(hd_summary_page *page);

/* Sums up what most sections look at: the time metrics, and the wait states per call path. Errors: those of
 * hd_cube_row(). */
hd_status hd_summary_page_sum_time(hd_summary_page *page);

/* Sums up a metric (number in the report), per call path if that is wanted; once. Errors: those of hd_cube_row(). */
hd_status hd_summary_page_sum(hd_summary_page *page, uint32_t metric, bool per_path);

/* A metric per process, all its locations together. values: out, [n_groups], the page's. Errors: those of
 * hd_cube_row(). */
hd_status hd_summary_page_of_processes(hd_summary_page *page, uint32_t metric, const double **values);

/* Sums of a metric by its id, and totals with those per call path; 0 and NULL where the report does not have it, or
 * *status is not HD_OK. Errors of hd_cube_row() go to *status. */
double                  hd_summary_page_total(hd_summary_page *page, const char *id, hd_status *status);
const hd_metric_totals *hd_summary_page_totals(hd_summary_page *page, hd_metric metric, hd_status *status);

static inline double
hd_total_of(const hd_metric_totals *totals) /* totals: may be NULL */
{
    return totals != NULL ? totals->sum : 0;
}

static inline double
hd_total_at(const hd_metric_totals *totals, uint32_t path) /* totals: may be NULL */
{
    return totals != NULL ? totals->of_path[path] : 0;
}

/* or it is the root; false for HD_NONE */
bool        hd_metric_is_below(const hd_cube *cube, uint32_t metric, uint32_t root);
const char *hd_plural(double n);                                                     /* "s" behind a noun, "" for one */

double hd_share(double part, double whole); /* [%] 0 of nothing */

/* Takes the index of the largest value that is positive, and clears it; HD_NONE if there is none. */
uint32_t hd_take_largest(double *values, uint32_t n, double *value);

/* A text without control characters in so many columns, the indent among them. What is too long is cut in the middle
 * (name_cut.h); dots lead to the end of the column if it is more than 60 columns away. Errors of writing stay with the
 * stream. */
void hd_fit_text(FILE *file, hd_name_cuts *cuts, int indent, const char *text, int columns);

/* The text of a row: a call path, cut as by hd_path_cut(), and what stands behind it. free() it. */
char *hd_summary_page_path_text(const hd_summary_page *page, uint32_t indent, uint32_t path, const char *behind);

/* A text in a column, seconds and percent. What is too long is cut as by hd_fit_text(). */
void hd_summary_page_row(const hd_summary_page *page, uint32_t indent, const char *text, double seconds,
                         double percent);
void hd_summary_page_path(const hd_summary_page *page, uint32_t indent, uint32_t path, double seconds, double percent);
/* The row of a call path, and a note in parentheses behind it ("": none), or in a line of its own where the names of the
 * call path would have to be cut for it. */
void hd_summary_page_noted_path(const hd_summary_page *page, uint32_t indent, uint32_t path, const char *note,
                                double seconds, double percent);
/* File and line of a call path, where they are known and do not stand in its name; with folders if the page is
 * verbose. */
void hd_summary_page_source(const hd_summary_page *page, uint32_t indent, uint32_t path);
/* Says after hd_fail() how a report gets a table that it lacks: the command, or why it cannot have one. */
void hd_summary_advise(hd_cube *cube, const char *command);
/* The same for a table of wait states, which a report without wait states cannot have. */
void hd_summary_advise_waits(hd_cube *cube, const char *command);

/* What is among root causes that are named: calls of MPI or SHMEM, and those that waited in non-blocking collectives;
 * the program as a whole, outside of its functions; calls of threads of which nothing else is known. */
typedef struct hd_cause_kinds {
    bool has_call, has_nbc_wait, has_program, has_bare_thread;
} hd_cause_kinds;

/* Errors: those of hd_cube_row(). */
hd_status hd_cause_kinds_add(hd_cause_kinds *kinds, const hd_summary_page *page, uint32_t path);
/* Says what it means that these are root causes. */
void hd_summary_page_cause_kinds(const hd_summary_page *page, hd_cause_kinds kinds);
/* Whether a call path ends with a function of MPI; of MPI or SHMEM. */
bool hd_path_is_mpi(const hd_cube *cube, uint32_t path);
bool hd_path_is_communication(const hd_cube *cube, uint32_t path);
/* That the program had more threads than processors, which makes its times longer; nothing where it had not. */
void hd_summary_page_shared_processors(const hd_summary_page *page);
/* What is skipped as start-up, and how to see it; nothing if nothing is. */
void hd_summary_page_startup(const hd_summary_page *page, const hd_startup *startup);
/* As many lines as it takes. A list is broken behind commas only. */
void hd_summary_page_sentence(const hd_summary_page *page, uint32_t indent, const char *text);
void hd_summary_page_list(const hd_summary_page *page, uint32_t indent, const char *text);
/* The first line of a page, or as many as it takes: the report's name and what is shown of it. */
void hd_summary_page_headline(const hd_summary_page *page, const char *what);
/* A list of the processes that carry most of these metrics (n numbers in the report, added up) at a call path: the
 * first few, or ranges of them where many carry little each. In a report of one process its threads. Nothing if nobody
 * can be told apart. In json a member "processes", the first few of them.
 * Errors: those of hd_cube_row(). */
hd_status hd_summary_page_carriers(hd_summary_page *page, uint32_t indent, const uint32_t *metrics, uint32_t n,
                                   uint32_t path);

/* The beginning of an object in json: a call path, and a value with its share of the whole. */
void hd_summary_page_put_path(const hd_summary_page *page, uint32_t path, double value, double whole);

#endif
