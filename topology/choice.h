/* topology/choice.h: what heddle analyze --topology asks for.
 *
 *   NAME, grid:4x4, torus:4x4, none, file:PATH    the processes' topology
 *   slurm:PATH                                    switches above the nodes; the processes' topology is the first one of
 *                                                 the archive
 *   X,slurm:PATH                                  both
 *
 * Files are read on rank 0 alone. Uses: cartesian, machine, places, slurm, analysis_comm. Owner: hd_choice_fini(). MT:
 * main thread only.
 */
#ifndef HD_CHOICE_H
#define HD_CHOICE_H

#include "cartesian.h"
#include "analysis_comm.h"
#include "machine.h"

typedef struct hd_choice {
    hd_cartesian *cartesian; /* NULL: none */
    hd_machine   *machine;   /* NULL: there is one place only */
    char         *switches;  /* path of the file with them, NULL: none */
} hd_choice;

/* text: NULL: not given. Ranks: all, together; defs and text equal on all, and so is the result.
 * Errors: HD_EUSAGE, of hd_cartesian_choose(); HD_EOPEN, HD_EREAD, HD_ESIZE; HD_EFORMAT with the line. */
hd_status hd_choice_make(hd_analysis_comm *analysis_comm, const hd_defs *defs, const char *text, hd_choice *choice);
void      hd_choice_fini(hd_choice *choice);

/* Whether that is one of the files that hd_choice_make() reads for a text. Ranks: local. */
bool hd_choice_reads(const char *text, const char *path);

#endif
