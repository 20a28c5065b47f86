/* src/cli/core/message.h: what the user is told on stderr.
 *
 * The only place that words leave the program by, except reports and results. Control characters are shown as \x1b, so
 * that names out of an archive cannot drive a terminal. Uses: report, profile, trace, base. MT: main thread only.
 * Ranks: local; the caller prints from one rank.
 */
#ifndef HD_MESSAGE_H
#define HD_MESSAGE_H

#include <stdio.h>

#include "calltree.h"
#include "cube_reader.h"
#include "defs.h"
#include "finding.h"
#include "status.h"

/* "heddle: error: ..." and its details, one line each. */
void hd_message_error(FILE *out, const hd_error *error);

typedef struct hd_message_trace {
    const hd_defs     *defs;
    const hd_calltree *tree; /* call paths of findings are its nodes */
    const char        *path; /* the file with all findings, NULL: none */
} hd_message_trace;

/* One warning for each kind of finding: how many, the first, where all of them are. findings: sorted. */
void hd_message_findings(FILE *out, const hd_findings *findings, const hd_message_trace *trace);

/* One warning for all metrics of a report that are left out, with the reason of each. */
void hd_message_left_out(FILE *out, const hd_cube *cube);

/* One warning for a report that is incomplete: what it covers, and whether it was stopped. */
void hd_message_incomplete(FILE *out, const hd_cube *cube);

/* The same for each of several that are to be compared; and for those that were made without a part of the analysis
 * that others were made with. */
void hd_message_incomplete_ones(FILE *out, hd_cube *const *cubes, uint32_t n);

/* Where a finding is, in words: process 17, thread 1, MPI_Recv at "main > solve", peer 16, tag 4, communicator
 * "MPI_COMM_WORLD". free() it. */
char *hd_message_place(const hd_finding *finding, const hd_message_trace *trace);

/* text without control characters; new lines are kept where lines is true. */
void hd_message_escaped(FILE *out, const char *text, bool lines);

/* 1204551 as "1,204,551". buffer: at least 28 bytes; comes back. */
char *hd_message_number(char *buffer, uint64_t value);

/* 1572864 as "1.50 MiB". buffer: at least 28 bytes; comes back. */
char *hd_message_size(char *buffer, uint64_t bytes);

#endif
