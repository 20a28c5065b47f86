/* src/trace/extract/cut_records.h: what is done with each record of the events. Inside of extract only.
 * Uses: cut_border, cut_tasks, open_things, crossing. MT: main thread only.
 */
#ifndef HD_CUT_RECORDS_H
#define HD_CUT_RECORDS_H

#include "event_cut.h"
#include "event_handlers.h"

extern const hd_event_handlers hd_cut_handlers; /* the user is a hd_cut */

#endif
