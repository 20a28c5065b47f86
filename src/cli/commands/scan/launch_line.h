/* src/cli/commands/scan/launch_line.h: a command line that starts a program, usually with a launcher: mpirun -n 8 ./lu.
 * Uses: nothing. Owner: texts point into the command line, unless said otherwise. MT: any thread. Ranks: local.
 */
#ifndef HD_LAUNCH_LINE_H
#define HD_LAUNCH_LINE_H

#include "types.h"

typedef struct hd_launch_line {
    const char *program;      /* "lu": base name of the program that is measured; "program": not found in the line */
    uint32_t    n_processes;  /* that the launcher is asked for; 0: the line does not say */
    bool        has_launcher; /* the first word is mpirun, srun, ..., or the first behind "env A=1" */
    size_t      n_before;     /* words before the program, all if it was not found */
} hd_launch_line;

/* words: [n], n > 0. The program is the first executable file behind the launcher; a word with "/" comes before one
 * that is found in PATH, as words of options can have such names. The number of processes is that of the first -n, -np,
 * --n, --np or --ntasks before the program; where there is none, SLURM_NTASKS. */
hd_launch_line hd_launch_line_read(const char *const *words, size_t n);

/* The file that a shell would run for the word, free() it. NULL: there is none; errno says why: EACCES, it is there,
 * but cannot be run. */
char *hd_launch_line_find(const char *word);

#endif
