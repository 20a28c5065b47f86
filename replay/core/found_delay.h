/* replay/core/found_delay.h: delays that the backward replay found: the computation by which a location exceeded one that
 * waited for it, since both had met (docs/metrics.md#delay-costs). For simulations without them.
 *
 * Uses: base. Owner: who asks for them; a replay adds rows. MT: those of a location are changed by its worker's thread
 * alone; in the order of arrival. Ranks: local. Memory: 32 bytes per delay and call path.
 */
#ifndef HD_FOUND_DELAY_H
#define HD_FOUND_DELAY_H

#include "memory.h"
#include "types.h"

typedef struct hd_found_delay {
    hd_time  from, until; /* enters of the calls in which they had met, and in which the wait ended */
    hd_span  time;        /* [ticks] > 0 */
    uint32_t call_path;   /* of the unified tree */
    uint32_t unused;
} hd_found_delay;

typedef struct hd_found_delays { /* of a location */
    hd_found_delay *rows; /* [n] */
    size_t          n, capacity;
} hd_found_delays;

static inline hd_found_delays *
hd_found_delays_new(size_t n_locations)
{
    return HD_NEW_ARRAY(hd_found_delays, n_locations + 1);
}

/* NULL is fine. */
static inline void
hd_found_delays_free(hd_found_delays *delays, size_t n_locations)
{
    for (size_t i = 0; delays != NULL && i < n_locations; i++)
        free(delays[i].rows);
    free(delays);
}

#endif
