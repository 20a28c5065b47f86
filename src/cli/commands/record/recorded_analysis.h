/* src/cli/commands/record/recorded_analysis.h: analyses an archive as soon as it is complete.
 *
 * The analysis is a program of its own on one process, with all processors of the node: the launcher may have bound
 * this process to some of them, and OMP_NUM_THREADS is of the program that was recorded.
 * Uses: cli_core, child_program. MT: main thread only. Ranks: local.
 */
#ifndef HD_RECORDED_ANALYSIS_H
#define HD_RECORDED_ANALYSIS_H

#include "status.h"

typedef struct hd_recorded_analysis {
    const char *folder; /* of the archive, where the report comes too */
    bool        html;   /* a page as well */
    bool        quiet;  /* no summary */
} hd_recorded_analysis;

/* This process, and those that it starts, may use all processors that the system allows: it leaves out those that this
 * job does not have. */
void hd_recorded_analysis_unbind(void);

/* exit_code: out, that of heddle analyze. Errors: HD_EOPEN, it cannot be started. */
hd_status hd_recorded_analysis_run(const hd_recorded_analysis *analysis, int *exit_code);

/* Makes a page of a report: heddle html. exit_code: out, its own. */
hd_status hd_recorded_page_make(const char *report, int *exit_code);

#endif
