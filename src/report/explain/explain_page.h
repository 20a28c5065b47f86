/* src/report/explain/explain_page.h: what a metric or a finding means, as text for a terminal; and the list of metrics.
 * Uses: explanation, metric, finding, summary_options. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_EXPLAIN_PAGE_H
#define HD_EXPLAIN_PAGE_H

#include <stdio.h>

#include "status.h"
#include "summary_options.h"

/* Prints the explanations of everything that has this id or name, whatever the case: metrics, findings, sections of
 * docs/explanations.md.
 *   *found   false: there is nothing of that name, and nothing was printed
 * Errors: HD_EWRITE. */
hd_status hd_explain_print(const char *name, FILE *file, const hd_summary_options *look, bool *found);

/* All that hd_explain_print() takes: ids and names of metrics, ids of findings, titles; NULL-terminated texts, some
 * more than once.
 * Owner: hd_explain_names_free(). */
char **hd_explain_names(size_t *n);
void   hd_explain_names_free(char **names, size_t n);

typedef struct hd_metric_list_options {
    const char        *filter; /* part of id, name or sentence, whatever the case; NULL: all */
    bool               all;    /* also those without an explanation of their own; with a filter they are always there */
    bool               is_tsv;
    hd_summary_options look;
} hd_metric_list_options;

/* Prints the metrics as a tree: those that fit, with what is above them. n: how many fit. Errors: HD_EWRITE. */
hd_status hd_metric_list_print(FILE *file, const hd_metric_list_options *options, size_t *n);

#endif
