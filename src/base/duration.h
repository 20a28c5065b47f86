/* src/base/duration.h: a length of time as a user writes it, exact, until the resolution of the archive is known.
 *
 *     12.5    12.5s    400ms    3.25us    7ns    END
 *
 * Without a unit: seconds. END: more than there is. Uses: nothing. MT: any thread. Ranks: local.
 */
#ifndef HD_DURATION_H
#define HD_DURATION_H

#include "types.h"

typedef struct hd_duration {
    uint64_t seconds;     /* UINT64_MAX: END */
    uint64_t attoseconds; /* 10^-18 s, less than a second */
} hd_duration;

#define HD_DURATION_END ((hd_duration){ .seconds = UINT64_MAX })

/* False, and *duration is untouched: it is none, or has more digits than can be kept. */
bool hd_duration_parse(const char *text, hd_duration *duration);

static inline bool
hd_duration_is_end(hd_duration duration)
{
    return duration.seconds == UINT64_MAX;
}

/* The nearest number of ticks; UINT64_MAX where there is no such number, and of END. resolution: [ticks per second] >
 * 0 */
uint64_t hd_duration_ticks(hd_duration duration, uint64_t resolution);

#endif
