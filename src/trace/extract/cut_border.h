/* src/trace/extract/cut_border.h: where records are; the begin and the end of the part. Inside of extract only.
 *
 * At the begin of the part all that is open is begun again, at its end it is ended. Uses: cut_tasks, open_things. MT:
 * main thread only.
 */
#ifndef HD_CUT_BORDER_H
#define HD_CUT_BORDER_H

#include "event_cut.h"

/* Where the next record is; passes the borders before it. position: in its file. *time is set to when it is in the new
 * archive, by the rule of the decoder. */
hd_cut_side hd_cut_arrive(hd_cut *cut, uint64_t position, OTF2_TimeStamp *time);
/* Enters the part without a record in it. */
void hd_cut_enter_part(hd_cut *cut);

#endif
