/* src/trace/log/state_log.c: pieces of a log, its end, and the begin of reading it. */
#include "state_log.h"

enum { ROOM = 8 }; /* behind the last piece, as lengths are read 8 bytes at a time */

static void
close_piece(hd_state_log *log, hd_time until)
{
    uint64_t length = until > log->from ? until - log->from : 0;
    unsigned n      = hd_bytes_of(length);
    uint8_t *at;

    if (length == 0)
        return;
    at  = hd_bytes_room(&log->bytes, 1 + ROOM);
    *at = (uint8_t)((n - 1) << 5 | log->last);
    hd_bytes_write_fixed(at + 1, length);
    log->bytes.n += 1 + n;
    log->from = until;
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
