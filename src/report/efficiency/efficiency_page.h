/* src/report/efficiency/efficiency_page.h: efficiencies of the main window, the whole run and regions, as tables for a
 * terminal, as CSV or JSON. Uses: efficiency_list, focus, summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_EFFICIENCY_PAGE_H
#define HD_EFFICIENCY_PAGE_H

#include <stdio.h>

#include "efficiency_rule.h"
#include "focus.h"
#include "summary_options.h"

typedef enum hd_efficiency_format { HD_EFFICIENCY_TEXT, HD_EFFICIENCY_CSV, HD_EFFICIENCY_JSON } hd_efficiency_format;

typedef struct hd_efficiency_options {
    hd_efficiency_format format;
    const char *const   *focus;   /* [n_focus] regions; n_focus == 0: those with most of the time */
    size_t               n_focus;
    bool                 windows; /* text: a line for each time window, too */
    bool                 iterations; /* likewise for each iteration */
    bool                 quiet;   /* only the rules are checked */
    hd_summary_options   look;
} hd_efficiency_options;

/* rules: checked, and printed behind the tables. Errors: HD_EFORMAT, the report has no efficiencies; those of
 * hd_efficiency_list_read() and hd_focuses_new(); HD_EWRITE. */
hd_status hd_efficiency_print(hd_cube *cube, FILE *file, hd_efficiency_rules *rules,
                              const hd_efficiency_options *options);

/* For the HTML report (docs/formats.md#page): an object, or null where the report has no efficiencies or one thread.
 * Errors: those of hd_efficiency_list_read() and hd_cube_row(). */
hd_status hd_efficiency_put(hd_cube *cube, hd_json *json, const char *key);

#endif
