/* src/report/terminal/section_efficiency.h: what the lowest efficiency is, and where. Uses: efficiency_list,
 * summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SECTION_EFFICIENCY_H
#define HD_SECTION_EFFICIENCY_H

#include "efficiency_list.h"
#include "summary_page.h"

#define HD_ACCEPTABLE_EFFICIENCY 0.8 /* from here on, says POP */

typedef struct hd_lowest_efficiency { /* of those that are not made of others */
    hd_factor factor; /* HD_N_FACTORS: none is known */
    double    value;
    uint32_t  path;     /* where most of it is lost; HD_NONE: nowhere in particular */
    char     *sentence; /* what is lost there; free() it. NULL: path is HD_NONE */
} hd_lowest_efficiency;

/* factors: of the entry. Times are those of the page's report, without start-up if that is skipped. Errors: those of
 * hd_cube_row(). */
hd_status hd_efficiency_lowest(hd_summary_page *page, const hd_efficiency_entry *entry, const double *factors,
                               hd_lowest_efficiency *lowest);

/* A factor in percent, NAN: "-". text: out, [16]. Returns it. */
char *hd_percent_text(char *text, double factor);

#endif
