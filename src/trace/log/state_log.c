/* src/trace/log/state_log.c: pieces of a log, its end, and the begin of reading it. */
#include "state_log.h"

uint8_t *
hd_state_piece_write(uint8_t *at, uint64_t length, uint32_t what)
{
    if (hd_state_is_short(length))
        return hd_state_word_write(at, length, what);
    at = hd_state_word_write(at, what, HD_STATE_LONG);
    memcpy(at, &length, sizeof length);
    return at + sizeof length;
}

static void
close_piece(hd_state_log *log, hd_time until)
{
    if (until <= log->from)
        return;
    log->bytes.n = (size_t)(hd_state_piece_write(hd_state_log_room(log), until - log->from, log->last) -
                            log->bytes.data);
    log->from    = until;
}

void
hd_state_log_put(hd_state_log *log, hd_time from, uint32_t what)
{
    if (what == log->last)
        return;
    close_piece(log, from);
    log->last = what;
    log->is_parallel |= (what & HD_STATE_PARALLEL) != 0;
}

void
hd_state_log_end(hd_state_log *log, hd_time until)
{
    static const uint32_t end = HD_STATE_END;

    close_piece(log, until);
    log->until = hd_time_max(until, log->from);
    hd_bytes_put(&log->bytes, &end, sizeof end);
    hd_bytes_pack(&log->bytes);
}

void
hd_state_cursor_init(hd_state_cursor *cursor, const hd_state_log *log)
{
    static const uint32_t end = HD_STATE_END; /* of what has not begun */

    *cursor = (hd_state_cursor){ .at = log->bytes.n > 0 ? log->bytes.data : (const uint8_t *)&end,
                                 .from = log->begin, .until = log->begin };
}
