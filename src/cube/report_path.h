/* src/cube/report_path.h: the report that a user means. Uses: base. MT: any thread. Ranks: local. */
#ifndef HD_REPORT_PATH_H
#define HD_REPORT_PATH_H

#include "status.h"

/* The path itself, or, if it is a folder, heddle.cubex in it, as heddle analyze calls the report of an archive; without
 * an archive, the profile.cubex of heddle record or Score-P. A
 * path where nothing is stays as it is. Owner: the caller, free() it.
 * Errors: HD_EOPEN, a folder without it; HD_EFORMAT, a file of an archive. Both say which command makes a report,
 * and what is there. */
hd_status hd_report_find(const char *path, char **report);

/* Whether a report may have this name: it ends in ".cubex", as programs that read reports expect. Errors: HD_EUSAGE. */
hd_status hd_report_check_name(const char *path);

#endif
