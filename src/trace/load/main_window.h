/* src/trace/load/main_window.h: the main window, from the first leave of MPI_Init to the last enter of MPI_Finalize of
 * all processes (docs/user-guide.md#start-up).
 *
 * It is known when all is loaded. So each location is loaded as if the window began where the first thread of its
 * process leaves MPI_Init, and ended where that thread leaves MPI_Finalize; other threads are as a whole in it
 * (hd_load_request.finds_main_window). That divides the time outside of MPI_Init and MPI_Finalize like the window does,
 * where all processes are in MPI_Init when the first one leaves it, and in MPI_Finalize when the last one enters it,
 * and other threads have records in the window only. Where this does not hold, the trace is to be loaded again, with
 * the window.
 *
 * Uses: log. MT: main thread. Ranks: local. Cost: O(locations).
 */
#ifndef HD_MAIN_WINDOW_H
#define HD_MAIN_WINDOW_H

#include "trace.h"

typedef struct hd_main_window_ends {
    hd_time init_left;        /* first leave of MPI_Init; UINT64_MAX: no process leaves it */
    hd_time finalize_entered; /* last enter of MPI_Finalize; 0: no process enters it */
} hd_main_window_ends;

/* Whether the program can have a main window. */
bool hd_main_window_can_be(const hd_defs *defs);

/* Of the processes of the trace. */
hd_main_window_ends hd_main_window_find(const hd_trace *trace);

/* Of those of all processes: where there is no MPI_Finalize it lasts to the end. */
hd_analysis_interval hd_main_window_of(const hd_main_window_ends *ends);

/* Whether the locations of the trace, which was loaded to find it, are divided as by the window. */
bool hd_main_window_fits(const hd_trace *trace, const hd_analysis_interval *window);

#endif
