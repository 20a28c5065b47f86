/* src/trace/clock/clock_window.h: one-sided communication in the clock log. Inside of clock only.
 * Uses: clock_reading. MT: the reading thread. window: index among the communicators, HD_NONE: it is not there.
 */
#ifndef HD_CLOCK_WINDOW_H
#define HD_CLOCK_WINDOW_H

#include "clock_reading.h"

/* A put, get or atomic operation. target: rank. */
void hd_clock_pass_access(hd_clock_reading *r, uint32_t window, uint32_t target);
/* The end of a collective operation on a window, as the call says; accesses since the one before are its targets. */
void hd_clock_end_at_window(hd_clock_reading *r, uint32_t window);
/* A call that posts, starts, completes or waits for an epoch. group: index in the definitions, HD_NONE: it is not
 * there. is_done: MPI_Win_test has succeeded. */
void hd_clock_pass_group(hd_clock_reading *r, uint32_t window, uint32_t group, bool is_done);

#endif
