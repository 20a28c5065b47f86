/* src/report/members/startup.h: start-up: the call paths of MPI_Init, MPI_Finalize and the like, and all below them.
 *
 * What a program does there is seldom what its user wants to know, and in short runs it is most of the time. So
 * findings, causes and percentages are of the call paths without these, and start-up is one line. The values in the
 * report stay.
 *
 * Uses: cube_values. MT: one thread. Ranks: local. Cost: one pass over the values of the metric "time", and those of
 * startup_impact.h.
 */
#ifndef HD_STARTUP_H
#define HD_STARTUP_H

#include "cube_reader.h"

/* Attribute: first leave of MPI_Init and last enter of MPI_Finalize, after the begin of the trace, and its length:
 * "FROM TO LENGTH" [s]. */
#define HD_MAIN_WINDOW_ATTRIBUTE "Heddle::MainWindow"

typedef struct hd_main_window { /* [s] since the begin of the trace */
    double from, to;
    double run; /* length of the whole trace; 0: the window is unknown */
} hd_main_window;

typedef struct hd_startup {
    double seconds, whole;  /* time of start-up and of everything, all locations together; seconds 0: the report has no
                             * start-up, or nothing else */
    hd_main_window window; /* not of a report that was made of others: it is of a part of a run, or of several */
} hd_startup;

/* As the report has it. */
hd_main_window hd_main_window_get(const hd_cube *cube);

/* From now on the values of start-up are zero (hd_cube.skipped), and what is outside of the main window is taken off
 * others. Not in a report with the numbers of scout (--compat=scout26).
 * Errors: those of hd_cube_row(). */
hd_status hd_startup_skip(hd_cube *cube, hd_startup *startup);
/* The same for who does not ask for the imbalance impact of the critical path, and what it is part of: these have the
 * values of the whole run. */
hd_status hd_startup_skip_but_impact(hd_cube *cube, hd_startup *startup);

/* Of reports that are compared: the impact is that of the main window in all of them, or, where one of them does not know
 * its main window (as one that is made of others), in none. startups: out, [n]; NULL: not wanted. Errors: those of
 * hd_cube_row(). */
hd_status hd_startup_skip_in_all(hd_cube *const *cubes, uint32_t n, hd_startup *startups);

/* In words, without a newline; free() it. NULL: nothing is skipped. */
char *hd_startup_text(const hd_startup *startup);

#endif
