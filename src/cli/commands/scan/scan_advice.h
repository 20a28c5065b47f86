/* src/cli/commands/scan/scan_advice.h: what a measurement says about the next one: memory of the trace buffers, and
 * functions to filter.
 * Uses: recorded_size, short_functions, archive_report. MT: main thread only. Ranks: local.
 */
#ifndef HD_SCAN_ADVICE_H
#define HD_SCAN_ADVICE_H

#include "status.h"

typedef struct hd_scan_advice_request {
    const char *path;         /* of an archive, its folder, or a profile (.cubex, or a folder with profile.cubex) */
    const char *filter;       /* the filter file of the measurement, NULL: none, or not known */
    const char *write_filter; /* where a filter file goes, NULL: there is to be none */
    bool        force;        /* it may replace another one */
    bool        may_analyse;  /* see below */
    bool        quiet;        /* nothing is printed where an archive is analysed for it but warnings and errors */
} hd_scan_advice_request;

/* Prints the advice on standard output, and writes the filter file. Visits and times are those of heddle.cubex beside
 * the archive. Where there is none, or it covers part of the run only, the archive is analysed for a temporary report
 * with may_analyse, else there is a line on standard error in place of the advice.
 *   exit_code   out: not 0: that analysis has failed, and has said why
 * Errors: those of hd_archive_find(), hd_archive_reports_open(), hd_recorded_size_of_archive(),
 * hd_short_functions_write(); HD_EFORMAT, the report is not one of this archive. */
hd_status hd_scan_advise(const hd_scan_advice_request *request, int *exit_code);

#endif
