/* src/report/terminal/summary_run.h: how a report came about, in a summary: configuration and resource usage of the analysis, or what the report
 * was made of. Inside of the room only. Uses: summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_RUN_H
#define HD_SUMMARY_RUN_H

#include "summary_page.h"

/* A line of words for each of the report's own attributes; counters of the analysis with their keys, where options.is_verbose. */
void hd_summary_run_print(const hd_summary_page *page);

#endif
