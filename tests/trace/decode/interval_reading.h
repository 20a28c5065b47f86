/* tests/trace/decode/interval_reading.h: reads the interval log of a location, interval by interval, for tests. */
#ifndef INTERVAL_READING_H
#define INTERVAL_READING_H

#include "check.h"
#include "hand_made.h"

enum { N_TIMES = 16 };

typedef struct reading {
    const hd_loaded_location *l;
    hd_interval_cursor        cursor;
    hd_span                   time[N_TIMES]; /* by node, in the interval at hand */
} reading;

static inline void
begin(hand_made *h)
{
    hand_made_init(h, 0);
    begin_location(h, 0);
}

static inline reading
read_location(const hand_made *h, uint32_t thread)
{
    reading r = { .l = location_of(h, thread) };

    hd_interval_cursor_init(&r.cursor, &r.l->intervals);
    return r;
}

static inline reading
end(hand_made *h)
{
    end_location(h);
    return read_location(h, 0);
}

/* The next interval is this one, with so many entries. */
static inline void
expect(reading *r, hd_time from, hd_time until, uint32_t n_entries)
{
    uint32_t n = 0;

    memset(r->time, 0, sizeof r->time);
    CHECK(hd_interval_cursor_next(&r->cursor));
    CHECK_EQ(r->cursor.from, from);
    CHECK_EQ(r->cursor.until, until);
    for (; hd_interval_cursor_has_entry(&r->cursor); n++) {
        uint32_t node;
        hd_span  time;

        hd_interval_cursor_entry(&r->cursor, &node, &time);
        CHECK(node < N_TIMES);
        r->time[node % N_TIMES] += time;
    }
    CHECK_EQ(n, n_entries);
}

static inline void
expect_end(reading *r)
{
    CHECK(!hd_interval_cursor_next(&r->cursor));
}

static inline hd_span
time_of(const reading *r, uint32_t node)
{
    CHECK(node < N_TIMES);
    return node < N_TIMES ? r->time[node] : 0;
}

#define IN(r, ...) time_of(&(r), NODE((r).l, __VA_ARGS__))

static inline void
send_call(hand_made *h, hd_time from, hd_time until)
{
    enter(h, from, MPI_SEND);
    send_blocking(h, from, 1, WORLD, 1, 8);
    leave(h, until, MPI_SEND);
}

static inline void
receive_call(hand_made *h, hd_time from, hd_time until)
{
    enter(h, from, MPI_RECV);
    receive_blocking(h, until, 1, WORLD, 1);
    leave(h, until, MPI_RECV);
}

static inline void
empty_call(hand_made *h, hd_time from, hd_time until)
{
    enter(h, from, MPI_TEST);
    leave(h, until, MPI_TEST);
}

#endif
