/* replay/core/sides.h: sides of call paths at the analysis interval, and times as scout 2.6 sees them. Uses:
 * trace. */
#ifndef HD_SIDES_H
#define HD_SIDES_H

#include "analysis_interval.h"
#include "types.h"

typedef struct hd_scout_clock { /* how scout 2.6 makes seconds of ticks */
    hd_time offset;
    double  resolution;
} hd_scout_clock;

static inline double
hd_scout_seconds(const hd_scout_clock *clock, hd_time time)
{
    return (double)(int64_t)(time - clock->offset) / clock->resolution;
}

/* Call paths inside of the interval, and after them the same on the other sides (analysis_interval.h). */
typedef struct hd_sides {
    uint32_t n_inside; /* HD_NONE: there is no interval */
    uint32_t n_window; /* and in the window, on as many sides as lie in it */
    uint32_t n;        /* on all sides */
} hd_sides;

/* n: call paths of the unified tree. n_sides: 1: there is no interval. */
static inline hd_sides
hd_sides_of(uint32_t n, uint32_t n_sides)
{
    return n_sides == 1 ? (hd_sides){ HD_NONE, HD_NONE, n } : (hd_sides){ n, (n_sides - 1) * n, n_sides * n };
}

static inline bool
hd_sides_has(const hd_sides *sides)
{
    return HD_UNLIKELY(sides->n_inside != HD_NONE);
}

/* Whether it does not count. */
static inline bool
hd_is_outside(const hd_sides *sides, uint32_t call_path)
{
    return HD_UNLIKELY(call_path >= sides->n_inside) && call_path != HD_NONE;
}

/* Whether it is no cause, and no part of the critical path: outside of the window. */
static inline bool
hd_is_beyond(const hd_sides *sides, uint32_t call_path)
{
    return HD_UNLIKELY(call_path >= sides->n_window) && call_path != HD_NONE;
}

/* The call path inside. */
static inline uint32_t
hd_inner_call_path(const hd_sides *sides, uint32_t call_path)
{
    return hd_is_outside(sides, call_path) ? call_path % sides->n_inside : call_path;
}

#endif
