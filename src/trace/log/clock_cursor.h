/* src/trace/log/clock_cursor.h: corrects the times of a location's records while they are read.
 *
 * The cursor counts the points of the clock log as records pass, so that records of the same tick may be moved by
 * different times.
 * Uses: clock_log. Owner: the caller embeds it. MT: the thread that reads the location. Ranks: local. Cost: O(1) per
 * record.
 */
#ifndef HD_CLOCK_CURSOR_H
#define HD_CLOCK_CURSOR_H

#include "clock_log.h"

typedef struct hd_clock_cursor {
    const hd_clock_log *log;       /* NULL: times stay as they are */
    size_t              at;        /* the last point that was passed */
    hd_time             now;       /* of the last record, not corrected */
    bool                has_begun; /* there was a record */
} hd_clock_cursor;

/* The corrected time of the next record, which is not before cursor->now. */
hd_time hd_clock_cursor_time(const hd_clock_cursor *cursor, hd_time time);
/* The corrected time of the next record, which is a point. It is passed. */
hd_time hd_clock_cursor_pass(hd_clock_cursor *cursor, hd_time time);
/* The corrected time of what is ahead, however far. Cost: O(log points). */
hd_time hd_clock_cursor_ahead(const hd_clock_cursor *cursor, hd_time time);

#endif
