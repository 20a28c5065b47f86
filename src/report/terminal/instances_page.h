/* src/report/terminal/instances_page.h: the most severe instances of wait states, as tables for a terminal, as CSV or
 * as a JSON document. Names are untrusted: control characters come out as \xNN. Uses: instance_list, summary_page. MT:
 * one thread. Ranks: local.
 */
#ifndef HD_INSTANCES_PAGE_H
#define HD_INSTANCES_PAGE_H

#include <stdio.h>

#include "instance_list.h"
#include "summary_options.h"

typedef enum hd_instances_format { HD_INSTANCES_TEXT, HD_INSTANCES_CSV, HD_INSTANCES_JSON } hd_instances_format;

typedef struct hd_instances_options {
    const char         *metric; /* id: of this one alone; NULL: of all wait states */
    hd_instances_format format;
    hd_summary_options  look;   /* n_top: instances of each wait state; 0: 3. with_startup: those in start-up, too, as
                                 * of a metric of start-up */
} hd_instances_options;

/* Wait states with the largest sums first. Errors: HD_EFORMAT, the report has no instances; HD_EUSAGE, it has none of
 * this metric; those of hd_instance_list_read(); HD_EWRITE. */
hd_status hd_instances_print(hd_cube *cube, FILE *file, const hd_instances_options *options);

/* "361 instances, mean 0.000132 s, median ...": free() it. */
char *hd_statistic_words(const hd_statistic_entry *statistic);

#endif
