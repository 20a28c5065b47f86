/* src/trace/log/state_log.c: pieces of a log, its end, and the begin of reading it. */
#include "state_log.h"

void
hd_state_log_put_long(hd_state_log *log, uint64_t length, uint32_t what)
{
    uint32_t word = what << HD_STATE_BITS | HD_STATE_LONG;

    hd_bytes_put(&log->bytes, &word, sizeof word);
    hd_bytes_put(&log->bytes, &length, sizeof length);
}

static void
close_piece(hd_state_log *log, hd_time until)
{
    if (until <= log->from)
        return;
    hd_state_log_put_piece(log, until - log->from, log->last);
    log->from = until;
}

void
hd_state_log_put_between(hd_state_log *log, hd_time from, hd_time until, uint32_t what)
{
    from = hd_time_max(from, log->from);
    if (until <= from)
        return;
    close_piece(log, from);
    hd_state_log_put_piece(log, until - from, what);
    log->from = until;
    log->is_parallel |= (what & HD_STATE_PARALLEL) != 0;
}

void
hd_state_log_end(hd_state_log *log, hd_time until)
{
    static const uint32_t end[2] = { HD_STATE_END, HD_STATE_END };

    close_piece(log, until);
    log->until = hd_time_max(until, log->from);
    hd_bytes_put(&log->bytes, end, sizeof end);
    hd_bytes_pack(&log->bytes);
}

void
hd_state_cursor_init(hd_state_cursor *cursor, const hd_state_log *log)
{
    static const uint32_t end[2] = { HD_STATE_END, HD_STATE_END }; /* of what has not begun */

    *cursor = (hd_state_cursor){ .at = log->bytes.n > 0 ? log->bytes.data : (const uint8_t *)end,
                                 .from = log->begin, .until = log->begin };
}

typedef uint32_t four_words __attribute__((vector_size(16), aligned(4), may_alias));

enum { N_TOGETHER = 32 /* lengths have 27 bits: their sum has 32 */ };

uint64_t
hd_state_lengths(const uint8_t *at, const uint8_t *end)
{
    uint64_t sum = 0, words;

    for (size_t n = (size_t)(end - at) / sizeof(four_words); n > 0;) {
        const four_words *fours   = (const four_words *)(const void *)at;
        four_words        lengths = { 0 };
        size_t            now     = n < N_TOGETHER ? n : N_TOGETHER;

#pragma GCC unroll 4
        for (size_t i = 0; i < now; i++)
            lengths += fours[i] / (UINT32_C(1) << HD_STATE_BITS);
        sum += (uint64_t)lengths[0] + lengths[1] + lengths[2] + lengths[3];
        at += now * sizeof(four_words);
        n -= now;
    }
    if (at < end) {
        words = hd_state_words_read(at);
        sum += hd_state_first_length(words) + hd_state_second_length(words);
    }
    return sum;
}
