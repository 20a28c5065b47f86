/* src/base/types.h: the numbers that every component shares. Uses: nothing.
 *
 * Times are integer ticks of the archive's clock; only the report divides by its resolution.
 */
#ifndef HD_TYPES_H
#define HD_TYPES_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t hd_time; /* [ticks] a point on the archive's clock, clock-corrected */
typedef int64_t  hd_span; /* [ticks] a length of time; negative only while clocks are wrong */

typedef struct {
    uint32_t v;
} hd_process; /* application process: MPI rank in the trace, 0 .. n_processes-1 */
typedef struct {
    uint32_t v;
} hd_arank; /* analysis rank: MPI rank of Heddle itself, 0 .. n_aranks-1 */

#define HD_NONE UINT32_MAX /* no call path, no region, no communicator, ... */

static inline hd_span
hd_span_between(hd_time from, hd_time to)
{
    return (hd_span)(to - from);
}

static inline hd_time
hd_time_min(hd_time a, hd_time b)
{
    return a < b ? a : b;
}

static inline hd_time
hd_time_max(hd_time a, hd_time b)
{
    return a > b ? a : b;
}

#define HD_LIKELY(x) __builtin_expect(!!(x), 1)
#define HD_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif
