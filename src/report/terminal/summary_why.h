/* src/report/terminal/summary_why.h: the sections of a summary that say why there was waiting, and what set the length of the run.
 * Inside of the room only. Uses: summary_page, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_WHY_H
#define HD_SUMMARY_WHY_H

#include "summary_page.h"

/* Nothing where a report has no delay costs and no critical path. Errors: those of hd_cube_row().
 * Cost: one pass over the values of these metrics. */
hd_status hd_summary_why_print(hd_summary_page *page);

#endif
