/* src/report/build/location_cursor.h: goes over the call paths at which a location collected something, ascending.
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
static inline uint32_t
hd_location_cursor_take(hd_location_cursor *cursor, hd_collected *collected)
{
    const hd_report_location *location  = cursor->location;
    uint32_t                  call_path = HD_NONE;
    size_t                    i = cursor->i, i_cost = cursor->i_cost;

    if (i < location->n)
        call_path = location->entries[i].call_path;
    if (i_cost < location->n_costs && location->costs[i_cost].call_path < call_path)
        call_path = location->costs[i_cost].call_path;
    while (i < location->n && location->entries[i].call_path == call_path)
        i++;
    while (i_cost < location->n_costs && location->costs[i_cost].call_path == call_path)
        i_cost++;

    *collected = (hd_collected){ .n = (uint32_t)(i - cursor->i), .n_costs = (uint32_t)(i_cost - cursor->i_cost) };
    if (collected->n > 0)
        collected->entries = &location->entries[cursor->i];
    if (collected->n_costs > 0)
        collected->costs = &location->costs[cursor->i_cost];
    cursor->i      = i;
    cursor->i_cost = i_cost;
    return call_path;
}

/* What was collected at a call path. Cost: O(log n). */
static inline hd_collected
hd_location_collected(const hd_report_location *location, uint32_t call_path)
{
    hd_location_cursor cursor = { .location = location };
    hd_collected       collected;
    size_t             end = location->n, end_cost = location->n_costs;

    while (cursor.i < end) {
        size_t middle = cursor.i + (end - cursor.i) / 2;

        if (location->entries[middle].call_path < call_path)
            cursor.i = middle + 1;
        else
            end = middle;
    }
    while (cursor.i_cost < end_cost) {
        size_t middle = cursor.i_cost + (end_cost - cursor.i_cost) / 2;

        if (location->costs[middle].call_path < call_path)
            cursor.i_cost = middle + 1;
        else
            end_cost = middle;
    }
    return hd_location_cursor_take(&cursor, &collected) == call_path ? collected : (hd_collected){ 0 };
}

#endif
