/* src/report/location_cursor.h: goes over the call paths at which a location collected something, ascending.
 *
 * Start with { .location = ... }. Uses: derive. Owner: the caller's; keeps the location. MT: any thread. Ranks: local.
 */
#ifndef HD_LOCATION_CURSOR_H
#define HD_LOCATION_CURSOR_H

#include "derive.h"
#include "report.h"

typedef struct hd_location_cursor {
    const hd_report_location *location;
    size_t                    i, i_cost; /* what comes next */
} hd_location_cursor;

/* The next call path and what was collected there; HD_NONE: there is none. */
uint32_t hd_location_cursor_take(hd_location_cursor *cursor, hd_collected *collected);

#endif
