/* src/record/preload/pause.h: parts of the run that are not recorded: outside of a window of time or of iterations, or
 * where the program says so by MPI_Pcontrol().
 *
 * A log begins to pause, and ends it, where nothing is open that would be left in the other state: at the begin of an
 * MPI call, of an instrumented function, of a marked part, or of a parallel region, and outside of parallel regions. In
 * a pause calls do what they always do but for their records, so requests and communicators stay known. Messages and
 * collective operations are counted instead: at the end of a pause definitions say how many there were in each channel,
 * so those that only one side has recorded can be told (finish/run_pauses.h).
 * Threads of a team that was forked in a pause record nothing.
 * Uses: log. MT: any thread; a log belongs to its thread. Ranks: local. Grows with: channels used in pauses.
 */
#ifndef HD_PAUSE_H
#define HD_PAUSE_H

#include "log.h"

/* By the constructor: window "BEGIN:LENGTH" [ns since then]; iterations "FIRST-LAST". NULL: none. */
void hd_pause_begin(const char *window, const char *iterations);

/* MPI_Init begins, or has returned, in all processes at about this time: the window's times count from now. */
void hd_pause_restart(void);

/* What the program wants: MPI_Pcontrol(). */
void hd_pause_by_program(bool is_paused);

/* An iteration of the loop begins or ends. loop: number of its region. */
void hd_pause_iteration(uint32_t loop, bool begins);

/* Begins or ends a pause of the thread's log, if that is due and nothing is in the way. */
void hd_pause_settle_now(hd_log *log);

static inline void
hd_pause_settle(hd_log *log)
{
    if (HD_UNLIKELY(atomic_load_explicit(&hd_the_recorder.may_pause, memory_order_relaxed)))
        hd_pause_settle_now(log);
}

/* The log of a thread that no team has now: it pauses. NULL where the thread needs none. */
hd_log *hd_pause_outside(hd_log *log);

/* Writes a leave whose enter was recorded, also in a pause. */
void hd_pause_put_leave(hd_log *log, uint64_t time, uint32_t region);

#endif
