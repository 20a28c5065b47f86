/* src/report/terminal/causes_page.h: who makes whom wait, from the tables of a report: a page for a terminal, or lines
 * for scripts.
 *
 * Names are untrusted: control characters come out as \xNN. Uses: cause_list, summary_page. MT: one thread. Ranks:
 * local.
 */
#ifndef HD_CAUSES_PAGE_H
#define HD_CAUSES_PAGE_H

#include "summary.h"

typedef struct hd_causes_options {
    const char *by, *of;      /* only what these call paths cause; only waiting at these; NULL: all. A call path is
                               * given by its last regions, outer ones first, joined by ";" or " > "; what it calls
                               * counts too */
    bool        of_processes; /* from process to process */
    bool        is_tsv;       /* all rows, separated by tabs */
    bool        is_json;      /* all rows as a JSON document (docs/json.md#causes) */
    hd_summary_options look;  /* n_top: causes, and effects of each; 0: 5 */
} hd_causes_options;

/* Errors: HD_EFORMAT, the report has no such tables; HD_EUSAGE, it has no such call path; those of
 * hd_cause_list_read(); HD_EWRITE. */
hd_status hd_causes_print(hd_cube *cube, FILE *file, const hd_causes_options *options);

#endif
