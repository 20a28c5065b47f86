/* src/report/terminal/summary_where.h: the sections of a summary that say where on topologies, and on which nodes, there was waiting and uneven work.
 * Inside of the room only. Uses: summary_page, division. MT: one thread. Ranks: local.
 */
#ifndef HD_SUMMARY_WHERE_H
#define HD_SUMMARY_WHERE_H

#include "summary_page.h"

/* Of topologies only what is clear, see contrast.h; nodes where there are several and anybody waited. Errors: those of hd_cube_row().
 * Cost: one pass over the values of the wait states, and of the overload. */
hd_status hd_summary_where_print(hd_summary_page *page);

#endif
