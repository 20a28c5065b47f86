/* src/trace/log/analysis_interval.h: the parts of the run that count, where not all of it does
 * (docs/metrics.md#interval).
 *
 * Each process has a set of intervals: one, the same for all processes, with --from and --to; the instances of the
 * regions of interest with --roi. The window reaches from the first to the last of them, of all processes: causes of
 * waits and the critical path count in it. With --from and --to it is the interval itself.
 *
 * The whole trace is decoded and replayed. In the tables of a location every call path stands once for each side, 2 k
 * and 2 k + 1, or, with regions of interest, 4 k, 4 k + 1 and 4 k + 3 (4 k + 2 stays empty). The logs name one of them,
 * and so does every value:
 *
 *   side                 bits  holds
 *   HD_SIDE_INSIDE       0     time in an interval of the process; calls that one of its intervals holds
 *   HD_SIDE_OUTSIDE      1     time outside of them, in the window; all other calls, also where they cross a border
 *   HD_SIDE_BEYOND       3     time outside of the window, and calls there: of regions of interest only
 *
 * In the tables of a process of n call paths, and in the unified tree, those of side s are s n to (s + 1) n - 1 in the
 * same order, until the replay drops them (hd_replay_request). Without an analysis interval there is one side.
 *
 * The main window (docs/user-guide.md#start-up) is such an interval in which all counts. Call paths of a location have
 * two sides; in the tables of a process both are the same call path. The results of a location say how much is outside.
 * Uses: base. Owner: who makes a set; all others look at it. MT: read only. Ranks: local, but the window is the same on
 * all. Cost: O(log n) of a set of n intervals, and O(1) of one.
 */
#ifndef HD_ANALYSIS_INTERVAL_H
#define HD_ANALYSIS_INTERVAL_H

#include <stddef.h>

#include "types.h"

typedef struct hd_analysis_interval {
    hd_time from, to; /* time: [from, to); to: UINT64_MAX for all that follows */
    hd_time last;     /* calls: entered at from or later, left at last or earlier; from <= last <= to */
} hd_analysis_interval;

typedef struct hd_analysis_intervals {      /* of a process */
    const hd_analysis_interval *parts;      /* [n] parts[i].last < parts[i + 1].from */
    size_t                      n;
    hd_analysis_interval        window;     /* of all processes, holds all parts of each */
    bool                        has_regions; /* regions of interest: there are three sides */
    bool                        is_main_window; /* all counts: what is outside is kept apart, too */
} hd_analysis_intervals;

enum { HD_SIDE_INSIDE, HD_SIDE_OUTSIDE, HD_SIDE_BEYOND, HD_N_SIDES };

#define HD_OUTSIDE UINT32_C(1) /* in the number of a call path of a location: not inside */
#define HD_BEYOND  UINT32_C(2) /* and not in the window */

static const uint32_t hd_side_bits[HD_N_SIDES] = { 0, HD_OUTSIDE, HD_OUTSIDE | HD_BEYOND };

typedef struct hd_side_spans { /* time on each side */
    hd_span on[HD_N_SIDES];
} hd_side_spans;

/* From and to: ticks since the first event, UINT64_MAX for the end. What lies before the first event belongs to it. */
static inline hd_analysis_interval
hd_analysis_interval_since(hd_time first, uint64_t from, uint64_t to)
{
    hd_analysis_interval interval = { .from = from > UINT64_MAX - 1 - first ? UINT64_MAX - 1 : first + from,
                                      .to   = to > UINT64_MAX - first ? UINT64_MAX : first + to };

    if (from == 0)
        interval.from = 0;
    interval.last = interval.to - 1;
    return interval;
}

/* How much of the time from begin to end lies in it. */
static inline hd_span
hd_analysis_interval_overlap(const hd_analysis_interval *interval, hd_time begin, hd_time end)
{
    begin = begin > interval->from ? begin : interval->from;
    end   = end < interval->to ? end : interval->to;
    return begin < end ? (hd_span)(end - begin) : 0;
}

static inline uint32_t
hd_analysis_intervals_n_sides(const hd_analysis_intervals *intervals) /* NULL: all counts */
{
    return intervals == NULL ? 1 : intervals->has_regions ? HD_N_SIDES : 2;
}

/* The bits of sides in the numbers of call paths of a location. */
static inline uint32_t
hd_analysis_intervals_bits(const hd_analysis_intervals *intervals)
{
    return intervals == NULL ? 0 : intervals->has_regions ? HD_OUTSIDE | HD_BEYOND : HD_OUTSIDE;
}

/* How many parts begin at the time or before it: the last of them is the only one that can hold it. */
static inline size_t
hd_analysis_intervals_begun(const hd_analysis_intervals *intervals, hd_time time)
{
    size_t low = 0, high = intervals->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (intervals->parts[middle].from <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether one of them holds a call. */
static inline bool
hd_analysis_intervals_hold(const hd_analysis_intervals *intervals, hd_time enter, hd_time leave)
{
    size_t n = hd_analysis_intervals_begun(intervals, enter);

    return n > 0 && leave <= intervals->parts[n - 1].last;
}

/* The bits of the side of a call. */
static inline uint32_t
hd_analysis_intervals_bits_of_call(const hd_analysis_intervals *intervals, hd_time enter, hd_time leave)
{
    if (hd_analysis_intervals_hold(intervals, enter, leave))
        return 0;
    if (!intervals->has_regions || (enter >= intervals->window.from && leave <= intervals->window.last))
        return HD_OUTSIDE;
    return HD_OUTSIDE | HD_BEYOND;
}

/* How much of the time from begin to end lies in them. Cost: O(log n), and the parts between. */
static inline hd_span
hd_analysis_intervals_overlap(const hd_analysis_intervals *intervals, hd_time begin, hd_time end)
{
    size_t  i   = hd_analysis_intervals_begun(intervals, begin);
    hd_span sum = 0;

    for (i = i > 0 ? i - 1 : 0; i < intervals->n && intervals->parts[i].from < end; i++)
        sum += hd_analysis_interval_overlap(&intervals->parts[i], begin, end);
    return sum;
}

/* The time from begin to end, by sides. */
static inline hd_side_spans
hd_analysis_intervals_split(const hd_analysis_intervals *intervals, hd_time begin, hd_time end)
{
    hd_side_spans spans = { .on[HD_SIDE_INSIDE] = hd_analysis_intervals_overlap(intervals, begin, end) };
    hd_span       all   = begin < end ? (hd_span)(end - begin) : 0;

    if (intervals->has_regions)
        spans.on[HD_SIDE_BEYOND] = all - hd_analysis_interval_overlap(&intervals->window, begin, end);
    spans.on[HD_SIDE_OUTSIDE] = all - spans.on[HD_SIDE_INSIDE] - spans.on[HD_SIDE_BEYOND];
    return spans;
}

#endif
