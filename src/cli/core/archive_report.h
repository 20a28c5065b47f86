/* src/cli/core/archive_report.h: reports, or archives in their place, which are analysed on the fly.
 *
 * An archive is an anchor (.otf2), or a folder with one that has no heddle.cubex. This program analyses it in a process
 * of its own, as heddle analyze does without options, into a report in a temporary folder (TMPDIR, or /tmp), which is
 * removed as soon as the report is open, also on errors and signals.
 * Uses: result, signal_stop, cube_reader. MT: main thread only. Ranks: local.
 */
#ifndef HD_ARCHIVE_REPORT_H
#define HD_ARCHIVE_REPORT_H

#include "result.h"

/* Set in the environment of an analysis whose report is temporary: it does not name files that will be removed. */
#define HD_TEMPORARY_REPORT "HEDDLE_TEMPORARY_REPORT"

/* Opens all, as hd_reports_open(); the path of a report of an archive is that of the archive. quiet: only warnings and
 * errors of the analysis are printed.
 *   exit_code   out: not 0: an analysis has failed, and has said why; there are no reports then. Else 0
 * Owner: hd_reports_close(), also on error. Ends the program, with nothing left, when a signal wants that. Errors:
 * those of hd_cube_open(); HD_EUSAGE, archives in a program that a launcher has started; HD_EWRITE, there can be no
 * temporary folder; HD_EOPEN, no process can be started, or it was ended. */
hd_status hd_archive_reports_open(const hd_texts *paths, bool quiet, hd_reports *reports, int *exit_code);

#endif
