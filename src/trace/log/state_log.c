/* src/trace/log/state_log.c: the end of a log, and the begin of reading it. */
#include "state_log.h"

void
hd_state_log_end(hd_state_log *log)
{
    if (log->until > log->from)
        hd_bytes_put_number(&log->bytes, (log->until - log->from) << 5 | log->last);
    hd_bytes_pack(&log->bytes);
}

void
hd_state_cursor_init(hd_state_cursor *cursor, const hd_state_log *log)
{
    *cursor = (hd_state_cursor){ .at = log->bytes.data, .end = log->bytes.data + log->bytes.n, .from = log->begin,
                                 .until = log->begin };
}
