/* src/trace/log/analysis_interval.h: the part of the run that counts, where not all of it does
 * (docs/metrics.md#interval).
 *
 * The whole trace is decoded and replayed. In the tables of a location every call path stands twice: number 2 k inside
 * of the interval, 2 k + 1 outside. The logs name the one or the other, and so does every value:
 *
 *   time of a call path      that inside: 2 k; that outside: 2 k + 1
 *   calls                    2 k if the interval holds them, else 2 k + 1, also where they cross its border
 *
 * In the tables of a process of n call paths, and in the unified tree, those outside are n to 2 n - 1 in the same
 * order, until the replay drops them (hd_replay_request). Without a interval there are none. Uses: base. MT: any
 * thread.
 * Ranks: local.
 */
#ifndef HD_ANALYSIS_INTERVAL_H
#define HD_ANALYSIS_INTERVAL_H

#include "types.h"

typedef struct hd_analysis_interval {
    hd_time from, to; /* [from, to), from < to; to: UINT64_MAX for all that follows */
} hd_analysis_interval;

#define HD_OUTSIDE UINT32_C(1) /* in the number of a call path of a location */

/* From and to: ticks since the first event, UINT64_MAX for the end. What lies before the first event belongs to it. */
static inline hd_analysis_interval
hd_analysis_interval_since(hd_time first, uint64_t from, uint64_t to)
{
    return (hd_analysis_interval){ .from = from == 0 ? 0 : from > UINT64_MAX - 1 - first ? UINT64_MAX - 1 :
                                   first + from,
                        .to   = to > UINT64_MAX - first ? UINT64_MAX : first + to };
}

/* Whether it holds a call. */
static inline bool
hd_analysis_interval_holds(const hd_analysis_interval *analysis_interval, hd_time enter, hd_time leave)
{
    return enter >= analysis_interval->from && leave < analysis_interval->to;
}

/* How much of the time from begin to end lies in it. */
static inline hd_span
hd_analysis_interval_overlap(const hd_analysis_interval *analysis_interval, hd_time begin, hd_time end)
{
    begin = begin > analysis_interval->from ? begin : analysis_interval->from;
    end   = end < analysis_interval->to ? end : analysis_interval->to;
    return begin < end ? (hd_span)(end - begin) : 0;
}

#endif
