/* tests/trace/decode/op_reading.h: reads the op log of a location, record by record, for tests. */
#ifndef OP_READING_H
#define OP_READING_H

#include "check.h"
#include "hand_made.h"

enum { BARRIER = 0, BCAST = 1, CREATE_HANDLE = 17 }; /* operations, as in OTF2 */

static inline hand_made
begin(void)
{
    hand_made h;

    hand_made_init(&h, 0);
    return h;
}

typedef struct reading {
    hand_made *h;
    hd_cursor  cursor;
    hd_op      op;
} reading;

static inline reading
end(hand_made *h)
{
    reading r = { .h = h };

    end_location(h);
    join_threads(h);
    hd_cursor_init(&r.cursor, &h->process.locations[0].log);
    return r;
}

static inline const hd_channel *
channel(const reading *r)
{
    return &r->cursor.log->channels[r->op.channel];
}

static inline void
pass_posts(reading *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        CHECK(hd_cursor_call(&r->cursor));
        CHECK_EQ(r->cursor.n_left, 1);
        hd_cursor_op(&r->cursor, &r->op);
        CHECK_EQ(r->op.kind, HD_OP_POST);
    }
}

#endif
