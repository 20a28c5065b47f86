/* src/trace/log/call_walk.h: goes through the calls of an op log (oplog.h): when they begin and end, where, and where
 * their records are. A cursor does the same at twice the cost. Uses: oplog, op_code. MT: any thread, each with its own.
 * Ranks: local.
 */
#ifndef HD_CALL_WALK_H
#define HD_CALL_WALK_H

#include "oplog.h"

typedef struct hd_call_walk {
    const uint8_t *at, *end, *states;
    hd_time        enter, leave; /* of the call */
    uint32_t       call_path;    /* of the location */
    uint32_t       group;        /* hd_call_group */
    uint32_t       n_records;
    const uint8_t *records; /* the first one; the next one is at hd_op_behind() */
} hd_call_walk;

static inline hd_call_walk
hd_call_walk_of(const hd_oplog *log)
{
    return (hd_call_walk){ .at = log->calls.data, .end = log->calls.data + log->calls.n, .states = log->states };
}

/* false: there are no more calls. */
static inline __attribute__((always_inline)) bool
hd_call_walk_next(hd_call_walk *walk)
{
    const uint8_t *at = walk->at;
    uint64_t       shape, n_bytes;

    if (at == walk->end)
        return false;
    walk->call_path = hd_oplog_get_call(&at, &walk->states, &walk->enter, &walk->leave);
    shape           = hd_bytes_get_number(&at);
    walk->group     = (uint32_t)shape & 7;
    walk->n_records = hd_op_records(shape >> 4, &at, &n_bytes);
    walk->records   = at;
    walk->at        = at + n_bytes;
    return true;
}

/* What is known of call paths of the location while calls are passed, a byte for each, at hd_call_walk_place(). */
#define HD_WALK_SEEN 1 /* a call of it was passed; */
#define HD_WALK_STOP 2 /* its next call is looked for */

/* The two bytes with which its calls begin, as one number, or the one; of large ones a number behind these. */
static inline uint32_t
hd_call_walk_place(uint32_t path)
{
    uint32_t number = path << 1;

    return number < 128 ? number : number < 1 << 14 ? (number & 127) | 128 | number >> 7 << 8 : path + 24576;
}

/* How many places n call paths have. */
static inline size_t
hd_call_walk_places(uint32_t n)
{
    return n > 0 ? (size_t)(hd_call_walk_place(n - 1) | 255) + 1 : 1;
}

/* Passes a call of any form. false: it is looked for, and next. */
static inline bool
hd_call_walk_pass(hd_call_walk *walk, uint8_t *paths)
{
    hd_call_walk before = *walk;
    uint8_t     *of;

    hd_call_walk_next(walk);
    of = &paths[hd_call_walk_place(walk->call_path)];
    if (*of == HD_WALK_STOP) {
        *walk = before;
        return false;
    }
    *of = HD_WALK_SEEN;
    return true;
}

/* How many bytes the shape of a call and its one record take, by the upper half of its first byte; those of a shape of
 * two bytes are negative, and four for each unit of the second byte more. 0: it has several records, whose bytes are
 * the second byte, if the first one is below 128. */
static const int16_t hd_call_walk_sizes[16] = { 1, 2, 0, 3, 0, 4, 0, 5, 0, -3, 0, -4, 0, -5, 0, -6 };

/* Goes to the next call of a path that is looked for; those of the paths in between are marked. false: there are none.
 * Most calls have no times of their own, and a call path and a shape of at most two bytes each: these take less than
 * two thirds of what they take from call to call. */
static inline __attribute__((always_inline)) bool
hd_call_walk_find(hd_call_walk *walk, uint8_t *paths)
{
    for (;;) {
        const uint8_t *at   = walk->at, *states = walk->states;
        const uint8_t *last = walk->end - at < 4 ? at : walk->end - 3; /* four bytes are there before it */

        while (at < last) {
            uint64_t       head  = at[0] | (uint64_t)at[1] << 8, first = at[2];
            const uint8_t *shape = at + 2;
            ptrdiff_t      size;

            if ((head & 0x8081) != 0x0080) {
                if ((head & 0x81) != 0)
                    break;
                first = head >> 8;
                head &= 0xff;
                shape = at + 1;
            }
            size = hd_call_walk_sizes[first >> 4];
            if (paths[head] == HD_WALK_STOP)
                break;
            if (HD_LIKELY(size > 0))
                at = shape + size;
            else if (size < 0 && shape[1] < 128)
                at = shape + 4 * (ptrdiff_t)shape[1] - size;
            else if (size == 0 && (first | shape[1]) < 128)
                at = shape + 2 + shape[1];
            else
                break;
            paths[head] = HD_WALK_SEEN;
            states += sizeof(uint64_t);
        }
        walk->at = at;
        walk->leave += hd_state_lengths(walk->states, states);
        walk->states = states;
        if (at == walk->end)
            return false;
        if (!hd_call_walk_pass(walk, paths))
            return hd_call_walk_next(walk);
    }
}

/* Passes calls that are entered before this time, at most all of them, up to one that is not of the usual form: one
 * record or none, no times of its own, and a call path and a shape of at most two bytes each. n_records: theirs are
 * added to it. The walk is between two calls then: only hd_call_walk_next() tells of one. */
static inline __attribute__((always_inline)) void
hd_call_walk_skip(hd_call_walk *walk, hd_time time, uint32_t *n_records)
{
    const uint8_t *at = walk->at, *states = walk->states;
    const uint8_t *last  = walk->end - at < 4 ? at : walk->end - 3; /* four bytes are there before it */
    hd_time        leave = walk->leave;
    uint32_t       records = *n_records;

    while (at < last) {
        uint64_t       head  = at[0] | (uint64_t)at[1] << 8, first = at[2], words;
        const uint8_t *shape = at + 2;
        hd_time        enter;
        ptrdiff_t      size;

        if ((head & 0x8081) != 0x0080) {
            if ((head & 0x81) != 0)
                break;
            first = head >> 8;
            shape = at + 1;
        }
        words = hd_state_words_read(states); /* there are some, as it has no times of its own */
        enter = leave + hd_state_first_length(words);
        size  = hd_call_walk_sizes[first >> 4];
        if (enter >= time || size == 0)
            break;
        if (HD_LIKELY(size > 0))
            at = shape + size;
        else if (shape[1] < 128)
            at = shape + 4 * (ptrdiff_t)shape[1] - size;
        else
            break;
        leave = enter + hd_state_second_length(words);
        states += sizeof words;
        records += first >> 4 & 1;
    }
    walk->at     = at;
    walk->states = states;
    walk->leave  = leave;
    *n_records   = records;
}

/* The records of the call are next for the cursor, one of the same log that is used for nothing else. What numbers
 * operations within the log (oplog.h: hd_cursor_skip()) it does not know. */
static inline void
hd_call_walk_open(const hd_call_walk *walk, hd_cursor *cursor)
{
    cursor->call   = (hd_call){ .enter = walk->enter, .leave = walk->leave, .call_path = walk->call_path,
                                .group = walk->group, .send_call = HD_NONE };
    cursor->at     = walk->records;
    cursor->n_left = walk->n_records;
}

#endif
