/* src/report/members/startup_table.h: what of a report's values is outside of the main window, as a table that a report
 * carries (docs/formats.md#start-up).
 *
 *   heddle.startup.tsv   metric · call_path · resolution · first · values
 *
 * The last field is a list, an element for each location from `first` on; empty ones are zero, those at the end are not
 * there. Elements are ticks, of which `resolution` are a second, or, where that is empty, as the report has them, with
 * all digits. Rows of calls that are start-up as a whole are not there. Reports of before had metric · call_path ·
 * location · value, in seconds; they are read, too. Tables that are read are taken for damaged until checked. Uses: cube_reader, profile. MT: one
 * thread. Ranks: local.
 */
#ifndef HD_STARTUP_TABLE_H
#define HD_STARTUP_TABLE_H

#include <stdio.h>

#include "cube_reader.h"
#include "defs.h"
#include "metric.h"

#define HD_STARTUP_MEMBER "heddle.startup.tsv"

typedef struct hd_startup_row {
    uint32_t metric;    /* hd_metric; HD_N_METRICS + c: counter c */
    uint32_t call_path; /* of the call tree */
    uint32_t location;  /* column */
    int64_t  value;     /* [ticks], [occurrences] or [bytes]; of a counter its bits, where it is no real number */
    double   cost;      /* [ticks]; of a counter that is a real number: the value */
} hd_startup_row;

/* numbers: of call paths, in the report. counters: [counters of the definitions] ids of their metrics. Errors of writing stay with the stream. */
void hd_startup_table_write(FILE *file, const hd_startup_row *rows, size_t n, const uint32_t *numbers,
                            char *const *counters, const hd_defs *defs);

/* As what is to be taken off the values (cube_model.h), in its order; free() it. NULL: the report has no such table.
 * Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong; *parts is NULL then. */
hd_status hd_startup_table_read(hd_cube *cube, hd_cube_part **parts, size_t *n);

#endif
