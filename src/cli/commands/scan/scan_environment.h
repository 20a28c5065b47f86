/* src/cli/commands/scan/scan_environment.h: what Score-P is told by the environment of a measurement.
 *
 * Variables that the user has set, and that no option of heddle scan changes, stay as they are.
 * Uses: launch_line, recorded_size. MT: main thread only. Ranks: local.
 */
#ifndef HD_SCAN_ENVIRONMENT_H
#define HD_SCAN_ENVIRONMENT_H

#include <stdio.h>

#include "launch_line.h"
#include "status.h"

typedef struct hd_scan_wish { /* of the options; NULL and 0: nothing is asked for */
    const char *folder, *filter;
    uint64_t    memory_bytes;
    bool        has_profile;
} hd_scan_wish;

typedef struct hd_scan_variable {
    const char *name;
    char       *value;
    char       *why; /* "as the trace of an earlier run needs it", NULL: no reason needed */
} hd_scan_variable;

enum { HD_N_SCAN_VARIABLES = 6 };

typedef struct hd_scan_environment {
    hd_scan_variable variables[HD_N_SCAN_VARIABLES]; /* [n] that are set */
    size_t           n;
    char            *folder; /* the experiment directory, absolute */
    char            *filter; /* the filter file, NULL: none */
} hd_scan_environment;

/* Decides; nothing is changed yet. The experiment directory is that of the option, else of the user's environment, else
 * hd_experiment_folder_name(). The memory is that of the option, else of the user's environment, else what an earlier
 * trace or profile needs: in the experiment directory, or in the one of the same name with "_sum" for "_trace". If less
 * than Score-P's default is enough, it is not set. Open MPI's mpirun is told by a variable of its own to pass the
 * others on to other nodes; with -x on the command line it cannot be, so there the user has to name them, too.
 *   words   [n] the command line
 * Owner: hd_scan_environment_fini(), also on error. Errors: HD_EOPEN, the filter file cannot be read; those of
 * hd_experiment_folder_absolute(). */
hd_status hd_scan_environment_decide(const hd_scan_wish *wish, const char *const *words, size_t n,
                                     hd_scan_environment *environment);
void      hd_scan_environment_fini(hd_scan_environment *environment);

/* Sets the variables in the environment of this program. */
void hd_scan_environment_set(const hd_scan_environment *environment);

/* A line for each: indent, "NAME=value", and why; for_shell: "export NAME=value", for a shell to read. */
void hd_scan_environment_print(const hd_scan_environment *environment, bool for_shell, FILE *out);

#endif
