/* openmp-patterns/state_sums.h: adds up how long a thread is in each state, from one time to the next.
 *
 * Private to the component. Uses: state_log. MT: one thread at a time. Cost: linear in the log, which is read once.
 */
#ifndef HD_STATE_SUMS_H
#define HD_STATE_SUMS_H

#include "state_log.h"

typedef struct hd_state_sums { /* at the piece of the log that is not over */
    hd_state_cursor piece;
    bool            is_over;
} hd_state_sums;

static inline void
hd_state_sums_init(hd_state_sums *sums, const hd_state_log *log)
{
    hd_state_cursor_init(&sums->piece, log);
    sums->is_over = !hd_state_cursor_next(&sums->piece);
}

/* Adds the time from `from` to `to`, which is behind all that was asked for. states: [HD_N_STATES] ticks */
static inline void
hd_state_sums_add(hd_state_sums *sums, hd_time from, hd_time to, uint64_t *states)
{
    hd_state_cursor piece   = sums->piece; /* in registers */
    bool            is_over = sums->is_over;

    while (!is_over && piece.until <= from)
        is_over = !hd_state_cursor_next(&piece);
    piece.from = hd_time_max(piece.from, from); /* what is before it is not asked for any more */
    for (; !is_over && piece.until <= to; is_over = !hd_state_cursor_next(&piece)) {
        states[hd_state_cursor_state(&piece)] += piece.until - piece.from;
        hd_state_cursor_add(&piece, to, states);
    }
    if (!is_over && piece.from < to) {
        states[hd_state_cursor_state(&piece)] += to - piece.from;
        piece.from = to;
    }
    *sums = (hd_state_sums){ piece, is_over };
}

#endif
