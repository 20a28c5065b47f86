/* src/trace/log/state_log.c: pieces of a log, its end, and the begin of reading it. */
#include "state_log.h"

enum { ROOM = 8 }; /* behind the last piece, as lengths are read 8 bytes at a time */

/* length > 0; returns the end. */
static inline uint8_t *
write_piece(uint8_t *at, uint64_t length, uint32_t what)
{
    unsigned n = hd_bytes_of(length);

    *at = (uint8_t)((n - 1) << 5 | what);
    hd_bytes_write_fixed(at + 1, length);
    return at + 1 + n;
}

static void
close_piece(hd_state_log *log, hd_time until)
{
    uint8_t *at;

    if (until <= log->from)
        return;
    at           = hd_bytes_room(&log->bytes, 1 + ROOM);
    log->bytes.n = (size_t)(write_piece(at, until - log->from, log->last) - log->bytes.data);
    log->from    = until;
}

void
hd_state_log_put(hd_state_log *log, hd_time from, uint32_t what)
{
    if (what == log->last)
        return;
    close_piece(log, from);
    log->last = what;
    log->is_parallel |= (what & 1) != 0;
}

void
hd_state_log_put_between(hd_state_log *log, hd_time from, hd_time until, uint32_t what)
{
    uint8_t *at;

    from = hd_time_max(from, log->from);
    if (until <= from)
        return;
    at = hd_bytes_room(&log->bytes, 2 * (1 + ROOM));
    if (HD_LIKELY(from > log->from))
        at = write_piece(at, from - log->from, log->last);
    log->bytes.n = (size_t)(write_piece(at, until - from, what) - log->bytes.data);
    log->from    = until;
    log->is_parallel |= (what & 1) != 0;
}

void
hd_state_log_end(hd_state_log *log, hd_time until)
{
    static const uint8_t room[ROOM];

    close_piece(log, until);
    log->until = hd_time_max(until, log->from);
    if (log->bytes.n > 0)
        hd_bytes_put(&log->bytes, room, ROOM);
    hd_bytes_pack(&log->bytes);
}

void
hd_state_cursor_init(hd_state_cursor *cursor, const hd_state_log *log)
{
    *cursor = (hd_state_cursor){ .from = log->begin, .until = log->begin };
    if (log->bytes.n == 0)
        return;
    cursor->at  = log->bytes.data;
    cursor->end = log->bytes.data + log->bytes.n - ROOM;
}
