/* src/trace/log/call_walk.h: goes through the calls of an op log (oplog.h): when they begin and end, where, and where
 * their records are. A cursor does the same at twice the cost. Uses: oplog, op_code. MT: any thread, each with its own.
 * Ranks: local.
 */
#ifndef HD_CALL_WALK_H
#define HD_CALL_WALK_H

#include "oplog.h"

typedef struct hd_call_walk {
    const uint8_t *at, *end;
    hd_call_heads  heads;
    hd_time        enter, leave; /* of the call */
    uint32_t       call_path;    /* of the location */
    uint32_t       group;        /* hd_call_group */
    uint32_t       n_records;
    const uint8_t *records; /* the first one; the next one is at hd_op_behind() */
} hd_call_walk;

static inline hd_call_walk
hd_call_walk_of(const hd_oplog *log)
{
    return (hd_call_walk){ .at = log->calls.data, .end = log->calls.data + log->calls.n,
                           .heads = hd_oplog_heads(log) };
}

/* false: there are no more calls. */
static inline __attribute__((always_inline)) bool
hd_call_walk_next(hd_call_walk *walk)
{
    const uint8_t *at = walk->at;
    uint64_t       shape, n_bytes;

    if (at == walk->end)
        return false;
    walk->call_path = hd_oplog_get_call(&walk->heads, &walk->enter, &walk->leave);
    shape           = hd_bytes_get_number(&at);
    walk->group     = (uint32_t)shape & 7;
    walk->n_records = hd_op_records(shape >> 4, &at, &n_bytes);
    walk->records   = at;
    walk->at        = at + n_bytes;
    return true;
}

typedef struct hd_call_search { /* goes through the calls without their records */
    hd_call_heads   heads;
    const uint16_t *end;
    hd_time         enter, leave; /* of the call */
    uint32_t        call_path;    /* of the location */
} hd_call_search;

static inline hd_call_search
hd_call_search_of(const hd_oplog *log)
{
    hd_call_heads heads = hd_oplog_heads(log);

    return (hd_call_search){ .heads = heads, .end = heads.at + log->n_calls };
}

/* false: there are no more calls. */
static inline bool
hd_call_search_next(hd_call_search *search)
{
    if (search->heads.at == search->end)
        return false;
    search->call_path = hd_oplog_get_call(&search->heads, &search->enter, &search->leave);
    return true;
}

/* Passes so many calls, none of which has times of its own. */
static inline void
hd_call_search_pass(hd_call_search *search, size_t n)
{
    const uint8_t *states = search->heads.states + n * sizeof(uint64_t);

    search->leave += hd_state_lengths(search->heads.states, states);
    search->heads.at += n;
    search->heads.states = states;
}

/* Goes to the next call of a path. false: there is none. Most calls have no times of their own: eight of these are
 * passed at a time. */
bool hd_call_search_find(hd_call_search *search, uint32_t call_path);

/* Passes calls that are entered before this time, up to one that has times of its own. n_records: theirs are added to
 * it. The walk is between two calls then: only hd_call_walk_next() tells of one. */
static inline __attribute__((always_inline)) void
hd_call_walk_skip(hd_call_walk *walk, hd_time time, uint32_t *n_records)
{
    const uint8_t  *at = walk->at, *states = walk->heads.states;
    const uint16_t *head    = walk->heads.at;
    hd_time         leave   = walk->leave;
    uint32_t        records = *n_records;

    while (at != walk->end && (*head & 1) == 0) {
        uint64_t words = hd_state_words_read(states), n_bytes;
        hd_time  enter = leave + hd_state_first_length(words);

        if (enter >= time)
            break;
        records += hd_op_records(hd_bytes_get_number(&at) >> 4, &at, &n_bytes);
        at += n_bytes;
        head++;
        states += sizeof words;
        leave = enter + hd_state_second_length(words);
    }
    walk->at           = at;
    walk->heads.at     = head;
    walk->heads.states = states;
    walk->leave        = leave;
    *n_records         = records;
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
