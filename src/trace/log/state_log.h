/* src/trace/log/state_log.h: what a location did when, in the few classes that efficiencies distinguish
 * (docs/metrics.md#efficiencies).
 *
 * A run of words of 4 bytes, one for each piece of time of one state: its length [ticks] << 5 | in parallel << 4 |
 * state. Of a length that has more than 27 bits: in parallel << 9 | state << 5 | HD_STATE_LONG, and 8 bytes. The pieces
 * follow each other from `begin` on: two per MPI call. Behind them: HD_STATE_END, twice, as words are read in pairs.
 * Uses: base. Owner: the trace. MT: written by the thread that loads the location, then read only. Ranks: local.
 */
#ifndef HD_STATE_LOG_H
#define HD_STATE_LOG_H

#include "bytes.h"
#include "types.h"

typedef enum hd_state {
    HD_STATE_IDLE,    /* in no region, and in no team */
    HD_STATE_USEFUL,  /* computation, but for the creation of tasks */
    HD_STATE_MPI,     /* also in regions inside of a call */
    HD_STATE_FORK,    /* from a fork to the parallel region, from its end to the join, and of a worker that is in a team
                       * and in no region */
    HD_STATE_BARRIER,
    HD_STATE_LOCK,    /* critical, atomic, the lock functions */
    HD_STATE_MUTEX,   /* of POSIX: mutexes and conditions */
    HD_STATE_CREATE,  /* creation of tasks, a task outside of its regions: computation, by metric */
    HD_STATE_TASKS,   /* taskwait */
    HD_STATE_ORDERED,
    HD_STATE_FLUSH,   /* of OpenMP */
    HD_STATE_THREADS, /* other functions of POSIX threads */
    HD_STATE_OTHER,   /* devices, SHMEM, flushes of the trace buffer */
    HD_N_STATES
} hd_state;

#define HD_STATE_PARALLEL 16u /* what a piece is: this | state */
#define HD_STATE_BITS 5
#define HD_STATE_LONG 15u
#define HD_STATE_END ((31u << HD_STATE_BITS) | HD_STATE_LONG)

typedef struct hd_state_log {
    hd_bytes bytes;
    hd_time  begin, until; /* of the first piece and of the last one; until: when the log has ended */
    hd_time  from;         /* while writing: of the last piece, which is not in bytes yet, */
    uint32_t last;         /* and what it is; */
    uint64_t between;      /* of hd_state_log_put_wanted(): two words without lengths; 0: none */
    bool     is_at_call;   /* while writing: its end is that of the last call in the op log */
    bool     has_begun;
    bool     is_parallel;  /* some piece is */
} hd_state_log;

static inline void
hd_state_log_begin(hd_state_log *log, hd_time begin)
{
    log->begin = log->from = log->until = begin;
    log->has_begun  = true;
    log->is_at_call = false;
}

void hd_state_log_put_long(hd_state_log *log, uint64_t length, uint32_t what);

/* length > 0 */
static inline __attribute__((always_inline)) void
hd_state_log_put_piece(hd_state_log *log, uint64_t length, uint32_t what)
{
    uint32_t word = (uint32_t)length << HD_STATE_BITS | what;

    if (HD_LIKELY(length >> (32 - HD_STATE_BITS) == 0)) {
        memcpy(hd_bytes_room(&log->bytes, sizeof word), &word, sizeof word);
        log->bytes.n += sizeof word;
    } else
        hd_state_log_put_long(log, length, what);
    log->is_at_call = false;
}

/* From then on, which is not before anything put so far, the location is in another state, or still in the last one.
 * */
static inline void
hd_state_log_put(hd_state_log *log, hd_time from, uint32_t what)
{
    if (what == log->last)
        return;
    if (from > log->from) {
        hd_state_log_put_piece(log, from - log->from, log->last);
        log->from = from;
    }
    log->last    = what;
    log->between = 0;
    log->is_parallel |= (what & HD_STATE_PARALLEL) != 0;
}

/* In between it was in another state than the last one, in which it is again. */
void hd_state_log_put_between(hd_state_log *log, hd_time from, hd_time until, uint32_t what);

/* Two words, the first one below. */
static inline uint64_t
hd_state_words(uint64_t words)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? words << 32 | words >> 32 : words;
}

/* The states of the next calls: of the last piece and of what comes between; until another state is put. */
static inline void
hd_state_log_want_between(hd_state_log *log, uint32_t what)
{
    log->between = (uint64_t)what << 32 | log->last;
}

/* The same as hd_state_log_put_between() of what is wanted, both pieces at once. false: nothing is wanted, or a piece
 * has no length, or a long one. */
static inline bool
hd_state_log_put_wanted(hd_state_log *log, hd_time from, hd_time until)
{
    uint64_t before = from - log->from, length = until - from, words = log->between;

    if (HD_UNLIKELY(words == 0 || ((before - 1) | (length - 1)) >> (31 - HD_STATE_BITS) != 0))
        return false;
    words = hd_state_words(words | before << HD_STATE_BITS | length << (32 + HD_STATE_BITS));
    memcpy(hd_bytes_room(&log->bytes, sizeof words), &words, sizeof words);
    log->bytes.n += sizeof words;
    log->from = until;
    return true;
}

/* No more follow. */
void hd_state_log_end(hd_state_log *log, hd_time until);

typedef struct hd_state_cursor { /* at a piece, until it is over: from == until */
    const uint8_t *at;
    hd_time        from, until;
    uint32_t       what;
} hd_state_cursor;

void hd_state_cursor_init(hd_state_cursor *cursor, const hd_state_log *log);

/* Next piece; false at the end. */
static inline bool
hd_state_cursor_next(hd_state_cursor *cursor)
{
    uint32_t word;
    uint64_t length;

    memcpy(&word, cursor->at, sizeof word);
    length       = word >> HD_STATE_BITS;
    cursor->from = cursor->until;
    if (HD_UNLIKELY((word & HD_STATE_LONG) == HD_STATE_LONG)) {
        if (word == HD_STATE_END)
            return false;
        word = (uint32_t)length;
        memcpy(&length, cursor->at + sizeof word, sizeof length);
        cursor->at += sizeof length;
    }
    cursor->at += sizeof word;
    cursor->until += length;
    cursor->what = word;
    return true;
}

/* The pieces that follow and are of a state with any of these bits, up to one of a long length, become parts of its
 * piece. */
static inline void
hd_state_cursor_join(hd_state_cursor *cursor, uint32_t bits)
{
    const uint8_t *at    = cursor->at;
    hd_time        until = cursor->until;

    for (;;) {
        uint32_t word;

        memcpy(&word, at, sizeof word);
        if ((word & bits) == 0 || (word & HD_STATE_LONG) == HD_STATE_LONG)
            break;
        until += word >> HD_STATE_BITS;
        at += sizeof word;
    }
    cursor->at    = at;
    cursor->until = until;
}

static inline uint64_t
hd_state_first_length(uint64_t words)
{
    return (uint32_t)words >> HD_STATE_BITS;
}

static inline uint64_t
hd_state_second_length(uint64_t words)
{
    return words >> (32 + HD_STATE_BITS);
}

static inline uint64_t
hd_state_words_read(const uint8_t *at)
{
    uint64_t words;

    memcpy(&words, at, sizeof words);
    return hd_state_words(words);
}

/* The sum of all pieces from `at` to `end`, pairs of words without long lengths. */
uint64_t hd_state_lengths(const uint8_t *at, const uint8_t *end);

/* Passes the pieces from the next one on that end at `to` or before it, up to one of a long length. Adds their lengths
 * to the sums of their states. Mostly the same two states take turns. */
static inline void
hd_state_cursor_add(hd_state_cursor *cursor, hd_time to, uint64_t *sums)
{
    const uint64_t what = (1u << HD_STATE_BITS) - 1, both = what << 32 | what;
    const uint8_t *at    = cursor->at;
    hd_time        until = cursor->until;

    for (;; at += sizeof(uint32_t)) {
        uint64_t words = hd_state_words_read(at), first = words & HD_STATE_LONG, length;

        if (first != HD_STATE_LONG && (words >> 32 & HD_STATE_LONG) != HD_STATE_LONG) {
            uint64_t states = words & both, all = 0, second = 0;

            for (; (words & both) == states; words = hd_state_words_read(at)) {
                uint64_t of_second = hd_state_second_length(words);

                length = hd_state_first_length(words) + of_second;
                if (until + all + length > to)
                    break;
                all += length;
                second += of_second;
                at += sizeof words;
            }
            until += all;
            sums[first] += all - second;
            sums[states >> 32 & HD_STATE_LONG] += second;
            first = words & HD_STATE_LONG;
        }
        length = hd_state_first_length(words);
        if (first == HD_STATE_LONG || until + length > to)
            break;
        until += length;
        sums[first] += length;
    }
    cursor->at    = at;
    cursor->from  = until;
    cursor->until = until;
}

/* Of its piece. */
static inline hd_state
hd_state_cursor_state(const hd_state_cursor *cursor)
{
    return (hd_state)(cursor->what & 15);
}

static inline bool
hd_state_cursor_is_parallel(const hd_state_cursor *cursor)
{
    return (cursor->what & HD_STATE_PARALLEL) != 0;
}

#endif
