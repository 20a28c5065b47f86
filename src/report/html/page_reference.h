/* src/report/html/page_reference.h: a second report in the page of a report, of which the page shows values as percent.
 *
 * The two are aligned as heddle diff aligns A and B. The page gets the values of the second report at the metrics of the first one and at the call
 * paths of both, so that sums below a call path are those of the second report; in columns: one for each location, or, where the reports have different
 * ones, for each process or for all of them together.
 * Private to the component. Uses: alignment, json, page_values. Owner: hd_page_reference_free(); the reports stay the caller's and must live as long.
 * Grows with: metrics, call paths, locations of both. MT: one thread. Ranks: local.
 */
#ifndef HD_PAGE_REFERENCE_H
#define HD_PAGE_REFERENCE_H

#include "alignment.h"
#include "json.h"
#include "page_values.h"

typedef struct hd_page_reference {
    hd_cube      *reports[2]; /* the page's, the second one */
    hd_alignment *alignment;  /* of both */
    uint32_t     *metrics;    /* [metrics of the first report] number in the alignment; HD_NONE: the second report has no such metric */
    uint32_t     *paths;      /* [call paths of the first report] number in the alignment, whose call paths are those of both */
    uint32_t      n_common;   /* of these, those that the second report has */
} hd_page_reference;

/* A metric of the second report, while it is written. */
typedef struct hd_page_reference_metric {
    const hd_page_reference *reference;
    uint32_t                 metric; /* of the alignment */
} hd_page_reference_metric;

/* Errors: none. */
hd_page_reference *hd_page_reference_new(hd_cube *report, hd_cube *second);
void               hd_page_reference_free(hd_page_reference *reference);

/* Values of the second report at a metric of the first one. context: out, must live as long. false: the second report does not have it. */
bool hd_page_reference_rows(const hd_page_reference *reference, uint32_t metric, hd_page_reference_metric *context, hd_page_rows *rows);

/* What the head of the page says of call paths and columns: members of an object. */
void hd_page_reference_put(hd_json *json, const hd_page_reference *reference);

#endif
