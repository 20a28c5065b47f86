/* src/trace/log/period.h: the part of the run that counts, where not all of it does (docs/metrics.md#interval).
 *
 * The whole trace is decoded and replayed. In the tables of a location every call path stands twice: number 2 k inside
 * of the period, 2 k + 1 outside. The logs name the one or the other, so whatever is booked on a call path knows which
 * it is:
 *
 *   time of a call path      that inside: 2 k; that outside: 2 k + 1
 *   calls                    2 k if the period holds them, else 2 k + 1, also where they cross its border
 *
 * In the tables of a process of n call paths, and in the unified tree, those outside are n to 2 n - 1 in the same
 * order, until the replay drops them (hd_replay_request). Without a period there are none. Uses: base. MT: any thread.
 * Ranks: local.
 */
#ifndef HD_PERIOD_H
#define HD_PERIOD_H

#include "types.h"

typedef struct hd_period {
    hd_time from, to; /* [from, to), from < to; to: UINT64_MAX for all that follows */
} hd_period;

#define HD_OUTSIDE UINT32_C(1) /* in the number of a call path of a location */

/* From and to: ticks since the first event, UINT64_MAX for the end. What lies before the first event belongs to it. */
static inline hd_period
hd_period_since(hd_time first, uint64_t from, uint64_t to)
{
    return (hd_period){ .from = from == 0 ? 0 : from > UINT64_MAX - 1 - first ? UINT64_MAX - 1 : first + from,
                        .to   = to > UINT64_MAX - first ? UINT64_MAX : first + to };
}

/* Whether it holds a call. */
static inline bool
hd_period_holds(const hd_period *period, hd_time enter, hd_time leave)
{
    return enter >= period->from && leave < period->to;
}

/* How much of the time from begin to end lies in it. */
static inline hd_span
hd_period_overlap(const hd_period *period, hd_time begin, hd_time end)
{
    begin = begin > period->from ? begin : period->from;
    end   = end < period->to ? end : period->to;
    return begin < end ? (hd_span)(end - begin) : 0;
}

#endif
