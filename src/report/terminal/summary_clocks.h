/* src/report/terminal/summary_clocks.h: of a summary, what is received before it was sent: between which processes it is worst. Inside of the room only.
 * Uses: summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_CLOCKS_H
#define HD_SUMMARY_CLOCKS_H

#include "summary_page.h"

/* Lines below those of the findings. findings: their table. */
void hd_summary_clocks_print(const hd_summary_page *page, const char *findings);

#endif
