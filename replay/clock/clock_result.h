/* replay/clock/clock_result.h: what all ranks found about their clocks comes together on rank 0.
 * Inside of the replay only. Uses: clock_vproc, group. MT: main thread only.
 */
#ifndef HD_CLOCK_RESULT_H
#define HD_CLOCK_RESULT_H

#include "clock_vproc.h"

/* Fills in *result, which is zeroed, on rank 0; frees the pairs of all workers. Ranks: all, together. */
void hd_clock_result_take(hd_clock_replay *replay, hd_clock_result *result);

#endif
