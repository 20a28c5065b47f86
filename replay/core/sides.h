/* replay/core/sides.h: call paths inside and outside of the analysis interval, and times as scout 2.6 sees them. Uses:
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

typedef struct hd_sides { /* call paths inside of the interval, and after them the same outside (analysis_interval.h) */
    const hd_analysis_interval *analysis_interval;
    uint32_t         n_inside; /* HD_NONE: there is no interval */
} hd_sides;

static inline bool
hd_is_outside(const hd_sides *sides, uint32_t call_path)
{
    return HD_UNLIKELY(call_path >= sides->n_inside) && call_path != HD_NONE;
}

#endif
