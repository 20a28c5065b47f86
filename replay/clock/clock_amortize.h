/* replay/clock/clock_amortize.h: backward amortization: before a jump, corrections grow to it slowly.
 *
 *   correction        ┌╲___           forward: a jump, which fades by one part in 100,000 of the time that passes
 *              ______/│    ╲___       backward: a slope of 1 % leads to it, lower where the limit of an event is in
 *                    jump             the way
 *
 * Inside of the replay only. Uses: clock_vproc. MT: the worker's thread. Ranks: local. Cost: O(events), more where
 * limits are in the way. Memory: 8 bytes per event of the location.
 */
#ifndef HD_CLOCK_AMORTIZE_H
#define HD_CLOCK_AMORTIZE_H

#include "clock_vproc.h"

/* Changes the corrections of all events before jumps; all limits are known. Fills in the row of the vproc. */
void hd_clock_amortize(hd_clock_replay *replay, hd_clock_vproc *vproc);

#endif
