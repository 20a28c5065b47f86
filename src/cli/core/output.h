/* src/cli/core/output.h: a report in the making.
 *
 * It is a new file (new_file.h) and gets its name when it is complete, so nothing half-written ever stands under the report's name. Where all ranks are
 * on one node, and the file system can do it, it has no name until then; the ranks open it as one of rank 0's. hd_output_drop() takes the
 * unfinished file away; what ends the program calls it too. Uses: analysis_comm, report.
 *
 *     NEW ──hd_output_open──▶ WAITING ──hd_output_begin──▶ WRITING ──hd_output_commit──▶ DONE        WRITING ──hd_output_drop──▶ gone
 */
#ifndef HD_OUTPUT_H
#define HD_OUTPUT_H

#include "analysis_comm.h"

typedef struct hd_output hd_output;

typedef enum hd_side_file { /* beside the report */
    HD_SIDE_FINDINGS, /* REPORT.findings.tsv */
    HD_SIDE_WAITS,    /* REPORT.waitgraph.dot */
    HD_SIDE_STAT,     /* REPORT.stat */
    HD_SIDE_CLOCKS,   /* REPORT.clocks.tsv */
    HD_N_SIDE_FILES
} hd_side_file;

typedef struct hd_output_request {
    const char *path;   /* of the report; NULL: heddle.cubex beside the archive's anchor */
    const char *anchor; /* path of the archive's anchor */
    bool        force;  /* an existing report is replaced */
    bool        has_stat; /* there will be a REPORT.stat */
} hd_output_request;

/* Settles the paths and tries whether a file can be made there (rank 0), before any work is put into the analysis.
 * Ranks: all, together, request equal on all. MT: main thread only.
 * Errors, the same on all ranks: HD_EEXIST, a report, or a REPORT.stat where there will be one, is there and force is not;
 * HD_EUSAGE, it would replace a file of the archive; HD_EWRITE, no file can be made there. */
hd_status hd_output_open(hd_analysis_comm *analysis_comm, const hd_output_request *request, hd_output **output);

/* Valid as long as the output; the same on all ranks. MT: any thread. Ranks: local. */
const char *hd_output_path(const hd_output *output);           /* REPORT.cubex */
const char *hd_output_side_path(const hd_output *output, hd_side_file side);

/* Makes the file that the report is written to. Ranks: all, together. MT: main thread only. Errors, the same on all ranks: HD_EWRITE. */
hd_status   hd_output_begin(hd_analysis_comm *analysis_comm, hd_output *output);
const char *hd_output_file(const hd_output *output); /* as this rank opens it; valid until the output is freed. Ranks: local */

/* Gives the report its name. texts: of the files beside it, written on rank 0; where data is NULL there is none, and that of an earlier
 * report is removed, a REPORT.stat only with force: other analysers have such files. Ranks: all, together. Errors, the same on all ranks:
 * HD_EEXIST, HD_EWRITE. The temporary files are gone then; the report has its name only where nothing but a file beside it failed, which
 * the error says. */
hd_status hd_output_commit(hd_analysis_comm *analysis_comm, hd_output *output, const hd_bytes texts[HD_N_SIDE_FILES]);

/* Removes what is unfinished. Fine after hd_output_commit(), where it does nothing, and in a signal handler before that ends the program.
 * MT: any thread. Ranks: local. */
void hd_output_drop(hd_output *output);

/* The same in a rank that then ends all others: also what rank 0 has. MT, ranks: the same. */
void hd_output_abandon(hd_output *output);

void hd_output_free(hd_output *output);

#endif
