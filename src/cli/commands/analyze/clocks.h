/* src/cli/commands/analyze/clocks.h: what heddle analyze does about clocks: --clock and --clock-report.
 * Uses: replay. MT: main thread only.
 */
#ifndef HD_CLOCKS_H
#define HD_CLOCKS_H

#include <stdio.h>

#include "clock.h"
#include "load_request.h"

/* as the choices of --clock */
typedef enum hd_clock_mode { HD_CLOCK_NONE, HD_CLOCK_LINEAR, HD_CLOCK_CLC } hd_clock_mode;

typedef struct hd_clocks {
    hd_clock_mode   mode;
    bool            reports; /* --clock-report */
    hd_clock_logs  *logs;    /* to load with; NULL: times stay as they are */
    hd_clock_result result;  /* on rank 0 */
} hd_clocks;

/* Reads the clock logs where they are needed, finds violations and, with clc, corrects. request: of loading, whose
 * locations these are.
 * Ranks: all, together. Errors, the same on all ranks: those of hd_clock_logs_read() and hd_clock_run(). */
hd_status hd_clocks_prepare(hd_clocks *clocks, const hd_load_request *request, const hd_clock_request *clock);
void      hd_clocks_fini(hd_clocks *clocks);

/* On rank 0, with a result. */
void hd_clocks_write_tsv(FILE *file, const hd_clocks *clocks, const hd_defs *defs); /* a line for each location */
void hd_clocks_show(FILE *file, const hd_clocks *clocks, const hd_defs *defs, const char *table);

#endif
