/* src/cli/commands/scan/short_functions.h: functions that a filter of Score-P should leave out.
 *
 * A function is one that the compiler has instrumented; that calls, on no call path, anything that a filter cannot
 * leave out (MPI, OpenMP, ...), so that no call path of a wait is lost; that takes less than HD_SHORT_SECONDS for each
 * visit, with what it calls; and that makes at least HD_SHORT_SHARE of all events.
 * Uses: cube_reader, new_file. Grows with: regions, locations. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_SHORT_FUNCTIONS_H
#define HD_SHORT_FUNCTIONS_H

#include "cube_reader.h"

#define HD_SHORT_SECONDS 1e-5
#define HD_SHORT_SHARE 0.001

typedef struct hd_short_function {
    uint32_t region;          /* in regions of the report */
    double   visits, seconds; /* of all locations; seconds: inclusive; a visit within another one counts in both */
} hd_short_function;

typedef struct hd_short_functions {
    hd_short_function *functions; /* [n] by descending visits */
    uint32_t           n, n_locations;
    double            *visits; /* [n_locations] all visits of these functions: each is two events */
} hd_short_functions;

/* n_events: of the measurement. Errors: HD_EFORMAT, the report has no visits or times; those of reading it. */
hd_status hd_short_functions_find(hd_cube *cube, double n_events, hd_short_functions *found);
void      hd_short_functions_fini(hd_short_functions *found);

/* Writes a filter file: the text of an older one first, as its rules hold, too; then these functions.
 *   filter   NULL: there is no older one
 * Errors: HD_EREAD, the older one cannot be read; HD_EEXIST, path is there and force is not; HD_EWRITE. */
hd_status hd_short_functions_write(const hd_cube *cube, const hd_short_functions *found, const char *filter,
                                   const char *path, bool force);

#endif
