/* src/report/terminal/scaling_page.h: how shares of the time grow with the number of processes: as a table for a
 * terminal, for scripts, and for a page.
 *
 * The table for scripts (docs/formats.md#scaling) has a line per metric, call path, and wait state at a call path, with
 * the value of each run. The page is that of docs/formats.md#several-sizes. Names are untrusted: control characters
 * come out as \xNN, or as JSON has it. Uses: scaling, summary, json. MT: one thread. Ranks: local.
 */
#ifndef HD_SCALING_PAGE_H
#define HD_SCALING_PAGE_H

#include <stdio.h>

#include "scaling.h"
#include "summary.h"

typedef struct hd_scaling_options {
    hd_summary_options look; /* n_top: call paths to name; 0: 3 */
    bool               all;  /* small metrics, too */
} hd_scaling_options;

/* Errors: HD_EWRITE. */
hd_status hd_scaling_print(const hd_scaling *scaling, FILE *file, const hd_scaling_options *options);
hd_status hd_scaling_print_tsv(const hd_scaling *scaling, FILE *file);

/* The head of the page; free() it. n_paths: call paths, and what grows most, that are in it. */
char *hd_scaling_head(const hd_scaling *scaling, const char *title, uint32_t n_paths, size_t *bytes);

#endif
