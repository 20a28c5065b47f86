/* src/report/terminal/section_efficiency.h: where most of what an efficiency lacks is lost, and who loses it. Uses:
 * efficiency_list, summary_page. MT: one thread. Ranks: local. Owner: the caller's; hd_efficiency_losses_fini().
 */
#ifndef HD_SECTION_EFFICIENCY_H
#define HD_SECTION_EFFICIENCY_H

#include "efficiency_list.h"
#include "summary_page.h"

#define HD_ACCEPTABLE_EFFICIENCY 0.8 /* from here on, says POP */

enum { HD_MAX_LOSSES = 5 };

typedef struct hd_efficiency_loss { /* of an efficiency that is not made of others */
    hd_factor factor;
    double    value;
    uint32_t  path;      /* where most of it is lost; HD_NONE: nowhere in particular */
    char     *sentence;  /* what is lost there; NULL: path is HD_NONE */
    uint32_t  location;  /* that loses most; HD_NONE: none does */
    double    lost;      /* [s] by it: there, or, of load balance, in all the run */
    char     *who;       /* the same in words; NULL: location is HD_NONE */
} hd_efficiency_loss;

typedef struct hd_efficiency_losses {
    hd_efficiency_loss of[HD_MAX_LOSSES]; /* [n] in the order of the factors */
    size_t             n;
} hd_efficiency_losses;

/* factors: of the entry, those that are known; all: else only the lowest of them. Times are those of the page's report,
 * without start-up if that is skipped. losses: out, also after an error. Errors: those of hd_cube_row(). */
hd_status hd_efficiency_losses_find(hd_summary_page *page, const hd_efficiency_entry *entry, const double *factors,
                                    bool all, hd_efficiency_losses *losses);
void      hd_efficiency_losses_fini(hd_efficiency_losses *losses);

/* Whether processes were blocked when the recording ended: the time after their last records is in no number. Errors:
 * those of hd_wait_graph_list_read(). */
hd_status hd_efficiency_ends_blocked(hd_cube *cube, bool *ends_blocked);

/* NULL: there are none. */
const hd_efficiency_loss *hd_efficiency_lowest(const hd_efficiency_losses *losses);

/* A factor in percent, NAN: "-". text: out, [16]. Returns it. */
char *hd_percent_text(char *text, double factor);

#endif
