/* replay/backward/cause_slices.h: when waits are caused: slice of the delay, and slice of the wait
 * (docs/metrics.md#causes-over-time).
 *
 * A slice is an iteration, where the program has them, else a window; a time between two iterations belongs to the one
 * before. A direct cost is shared among the slices of the interval in which the delayer was late, by their part of it;
 * in integers, of which none is lost. The wait is in the slice of its last tick.
 * Inside of the replay only. Uses: profile. MT: the worker's thread. Ranks: local.
 * Memory: per worker and kind of wait 32 bytes for each slice, and 8 to 16 for each slice that a delay lies farther
 * before its wait; 24 where a delay is in a later slice, of another process's iterations.
 */
#ifndef HD_CAUSE_SLICES_H
#define HD_CAUSE_SLICES_H

#include "backward_message.h"

/* Finds the slice of a time of the process. Where there are no series, that is 0 at any time. */
void hd_find_slice(const hd_replay *replay, const hd_vproc *vproc, hd_time time, hd_last_slice *last);

/* Most are in that of the time before. */
static inline const hd_last_slice *
hd_slice_of(const hd_replay *replay, const hd_vproc *vproc, hd_time time)
{
    hd_last_slice *last = &vproc->backward->last_slice;

    if (HD_UNLIKELY(time < last->from || time >= last->until))
        hd_find_slice(replay, vproc, time, last);
    return last;
}

/* The slice of a wait of the location that ends then. */
static inline uint32_t
hd_victim_slice(const hd_replay *replay, const hd_vproc *vproc, hd_time end)
{
    return hd_slice_of(replay, vproc, end > 0 ? end - 1 : 0)->slice;
}

/* A direct cost, as hd_cause_fixed() has it, of the delayer between its points previous (HD_NONE: its begin) and point,
 * for the wait of the item. */
void hd_cause_slices_book(hd_replay_worker *rh, const hd_vproc *vproc, const hd_wait_item *item, int64_t cost,
                          uint32_t previous, uint32_t point);
/* The table of the first worker has all that was booked then, by all workers, the same pair more than once: none is
 * looked for any more. MT: main thread only. */
void hd_cause_slices_end(hd_replay *replay);

#endif
