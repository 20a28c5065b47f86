/* tests/writer/situation/situation_report.h: what was reported of a situation, for the files situation_*.c; tests have
 * situation.h.
 *
 * situation_analysis.c runs heddle, situation_report.c keeps what it says, situation_invariants.c checks it. One
 * thread. */
#ifndef SITUATION_REPORT_H
#define SITUATION_REPORT_H

#include "bytes.h"
#include "situation.h"

typedef struct row {
    const char *metric, *path; /* into the report's dump */
    uint32_t    process, thread;
    double      value;
} row;

struct tw_report_data {
    char                  *dump, *findings, *causes, *instances, *waits, *matrix, *files, *startup, *series;
    char                  *path_series, *lags, *counts, *delays;
    char                  *iterations;
    row                   *rows; /* sorted by rows_compare() */
    size_t                 n_rows, capacity;
    double                 resolution;
    hd_bytes               problems;
    struct tw_report_data *next;
    tw_op                 *ops; /* the table it is of, and how it was analysed; NULL: an archive */
    size_t                 n_ops;
    tw_run                 run;
};

/* ---- situation_report.c */

/* A new report, the first of the list; all are freed when the program ends, so tests need no cleaning up. */
struct tw_report_data *tw_report_new(double resolution);
/* The one of this table, analysed like this, if there is one. */
struct tw_report_data *tw_report_find(const tw_op *ops, size_t n, const tw_run *how);
/* Adds a line to what is wrong. */
void                   tw_problem(struct tw_report_data *report, const char *format,
                                  ...) __attribute__((format(printf, 2, 3)));
/* The rows of a dump. Lines that are no values (a heading) are left out. The report keeps the text. */
void                   tw_dump_parse(struct tw_report_data *report, char *text);
/* Of a metric: at the place of a row, and of all places. */
double                 tw_value_at(const struct tw_report_data *report, const row *place, const char *metric);
double                 tw_metric_sum(const struct tw_report_data *report, const char *metric);

/* ---- situation_invariants.c; what does not hold becomes a problem of the report. */

bool tw_has_argument(const tw_run *run, const char *argument);
/* Bounds of metrics, sums of costs, and of times: end [ticks], 0 if it is not known. */
void tw_invariants_check(struct tw_report_data *report, uint32_t n_processes, hd_time end, const tw_run *run);
/* The critical path is as long as the run, from where it comes to the MPI_Finalize that is entered last, or the last
 * end. Not where clocks are wrong, threads are stopped, or collectives begin inside of calls. */
void tw_path_check(struct tw_report_data *report, const tw_op *ops, size_t n, const tw_options *options, hd_time last);

#endif
