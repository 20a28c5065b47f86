/* src/report/html/page_head.h: the head of a page: all of a report but its values, as JSON. The format is that of docs/formats.md#page.
 * Private to the component. Uses: cube_reader, json, page_values, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_PAGE_HEAD_H
#define HD_PAGE_HEAD_H

#include "json.h"
#include "page_difference.h"
#include "page_reference.h"
#include "page_source.h"
#include "page_values.h"

enum { HD_PAGE_FORMAT = 2 }; /* another one where the shape of what a page holds changes */

/* Computation of CPU threads: what runs on a device is not balanced with them. */
typedef struct hd_page_balance {
    uint32_t most;        /* the location that computes longest; HD_NONE: it is not known */
    double   value, sum;  /* of it; of all. In the metric's unit */
    uint32_t n_threads, n_processes; /* CPU threads; processes that have one */
} hd_page_balance;

/* of_location: [n_locations] computation. */
hd_page_balance hd_page_balance_of(const hd_cube *cube, const double *of_location);

typedef struct hd_page_head {
    const char           *title;
    const char           *folder;  /* with the metrics, relative to the page; NULL: they are in it */
    hd_page_difference    difference; /* put NULL: it is none */
    const char           *startup; /* what is skipped, in words; NULL: nothing */
    const uint32_t       *numbers; /* [n_metrics] of the metrics of the page in the report, ascending */
    const hd_page_metric *metrics; /* [n_metrics] */
    uint32_t              n_metrics;
    hd_page_balance       balance;
    const hd_page_reference *reference; /* a second report, NULL: there is none */
    uint32_t              n_references; /* numbers and metrics go on with so many of it */
    hd_page_folders       sources; /* where the program's source is searched */
    hd_page_sources      *found;   /* out, where n of sources is not 0 */
} hd_page_head;

/* What a metric is called, is about, and stands below (parent: its place in the page), as members of an object. */
void hd_page_put_metric(hd_json *json, const hd_cube_metric *metric, uint32_t parent);

/* *text is free()d by the caller. Errors: those of hd_cube_misc(). */
hd_status hd_page_head_make(hd_cube *cube, const hd_page_head *head, char **text, size_t *bytes);

#endif
