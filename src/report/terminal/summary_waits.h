/* src/report/terminal/summary_waits.h: the section of a summary about processes that could not finish: who waits for whom.
 * Inside of the room only. Uses: summary_page, wait_graph_list. MT: one thread. Ranks: local. */
#ifndef HD_SUMMARY_WAITS_H
#define HD_SUMMARY_WAITS_H

#include "summary_page.h"

/* Nothing where the report has no such graph. Errors: those of hd_wait_graph_list_read(). */
hd_status hd_summary_waits_print(const hd_summary_page *page);

/* The same without its head, a sentence per line, indented by what it belongs to; free() it. NULL: there is no such graph. */
hd_status hd_summary_waits_text(hd_cube *cube, uint32_t n_top, char **text);

#endif
