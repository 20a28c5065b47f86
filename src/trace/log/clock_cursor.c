#include "clock_cursor.h"

/* Between two points: in proportion. */
static hd_time
between(const hd_clock_log *log, size_t i, hd_time time)
{
    const hd_clock_point *a = &log->points[i], *b = a + 1;
    hd_span               move = log->moves[i], rise;

    if (i + 1 >= log->n || time <= a->time || b->time <= a->time)
        return time + (hd_time)move;
    if (time >= b->time)
        return time + (hd_time)log->moves[i + 1];
    rise = log->moves[i + 1] - move;
    return time + (hd_time)move + (hd_time)(hd_span)((__int128)rise * (hd_span)(time - a->time) /
                                                     (hd_span)(b->time - a->time));
}

hd_time
hd_clock_cursor_time(const hd_clock_cursor *cursor, hd_time time)
{
    return between(cursor->log, cursor->at, time);
}

hd_time
hd_clock_cursor_pass(hd_clock_cursor *cursor, hd_time time)
{
    const hd_clock_log *log = cursor->log;

    if (cursor->at + 1 < log->n)
        cursor->at++;
    while (cursor->at + 1 < log->n && log->points[cursor->at + 1].is_same && cursor->at + 2 < log->n)
        cursor->at++;
    return hd_clock_cursor_time(cursor, time);
}

hd_time
hd_clock_cursor_ahead(const hd_clock_cursor *cursor, hd_time time)
{
    const hd_clock_log *log = cursor->log;
    size_t              at  = cursor->at, end = log->n;

    while (end - at > 1) { /* the last point that is earlier, or the current one */
        size_t middle = at + (end - at) / 2;

        *(log->points[middle].time < time ? &at : &end) = middle;
    }
    return between(log, at, time);
}
