/* src/record/launch/recorded_part.h: the part of a run that is recorded, as the user names it.
 *
 * Uses: base. MT: any thread. Ranks: local.
 */
#ifndef HD_RECORDED_PART_H
#define HD_RECORDED_PART_H

#include "status.h"

/* text: "BEGIN:LENGTH" with the units ms, s, m or h; made: "BEGIN:LENGTH" [ns], free() it. Errors: HD_EUSAGE. */
hd_status hd_recorded_part_window(const char *text, char **made);

/* text: a time with such a unit; made: [ns], free() it. Errors: HD_EUSAGE. */
hd_status hd_recorded_part_last(const char *text, char **made);

/* text: "FIRST-LAST" or one number, from 1; made: "FIRST-LAST", free() it. Errors: HD_EUSAGE. */
hd_status hd_recorded_part_iterations(const char *text, char **made);

#endif
