/* src/report/terminal/section_efficiency.h: the lowest efficiency that is acceptable, and how they are written. Uses:
 * summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SECTION_EFFICIENCY_H
#define HD_SECTION_EFFICIENCY_H

#include "summary_page.h"

#define HD_ACCEPTABLE_EFFICIENCY 0.8 /* from here on, says POP */

/* A factor in percent, NAN: "-". text: out, [16]. Returns it. */
char *hd_percent_text(char *text, double factor);

#endif
