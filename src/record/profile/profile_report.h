/* src/record/profile/profile_report.h: a run that was recorded as a profile, as a report.
 *
 * The report is one of heddle analyze, without what only a trace has: waits, their causes, the critical path.
 * Uses: record_finish, trace_defs, report_build. MT: main thread only. Ranks: local. Grows with: call paths times
 * locations.
 */
#ifndef HD_PROFILE_REPORT_H
#define HD_PROFILE_REPORT_H

#include "finish.h"

/* For hd_finish(). */
hd_profile_writer hd_profile_report_write;

#endif
