/* src/report/terminal/summary_when.h: the section of a summary that says how long single instances of the wait states were, and when the worst.
 * Inside of the room only. Uses: summary_page, instance_list. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_WHEN_H
#define HD_SUMMARY_WHEN_H

#include "summary_page.h"

/* Nothing where a report has no tables of instances. Errors: those of hd_instance_list_read(). */
hd_status hd_summary_when_print(hd_summary_page *page);

#endif
