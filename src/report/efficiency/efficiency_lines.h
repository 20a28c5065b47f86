/* src/report/efficiency/efficiency_lines.h: lines of regions, windows and iterations: a name, the time, and parallel
 * efficiency, load balance and communication efficiency. Uses: summary_page, efficiency_list. MT: one thread. Ranks:
 * local. Errors of writing stay with the stream.
 */
#ifndef HD_EFFICIENCY_LINES_H
#define HD_EFFICIENCY_LINES_H

#include "efficiency_list.h"
#include "summary_page.h"

/* Columns that a name has. */
uint32_t hd_efficiency_line_name(const hd_summary_page *page);

/* what: over the names. */
void hd_efficiency_line_head(const hd_summary_page *page, const char *what);
void hd_efficiency_line_print(const hd_summary_page *page, const char *name, const hd_efficiency_entry *entry);

#endif
