/* src/trace/log/state_log.h: what a location did when, in the few classes that efficiencies distinguish
 * (docs/metrics.md#efficiencies).
 *
 * A run of bytes: for each piece of time of one state: length << 5 | state << 1 | in parallel; the pieces follow each
 * other from `begin` on. About 4 bytes per piece, two pieces per MPI call.
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
    HD_STATE_LOCK,    /* critical, atomic, the lock functions; of POSIX: mutexes and conditions */
    HD_STATE_TASKS,   /* creation of tasks, taskwait, a task outside of its regions */
    HD_STATE_ORDERED,
    HD_STATE_THREADS, /* other functions of OpenMP and of POSIX threads */
    HD_STATE_OTHER,   /* devices, SHMEM, flushes of the trace buffer */
    HD_N_STATES
} hd_state;

typedef struct hd_state_log {
    hd_bytes bytes;
    hd_time  begin, until; /* of the first and the last piece; 0: there is none */
    hd_time  from;         /* while writing: of the last piece, which is not in bytes yet, */
    uint32_t last;         /* and what it is: state << 1 | in parallel */
    bool     has_begun;
} hd_state_log;

static inline void
hd_state_log_begin(hd_state_log *log, hd_time begin)
{
    log->begin = log->from = log->until = begin;
    log->has_begun = true;
}

/* The location was in the state since log->until, < until. */
static inline void
hd_state_log_put(hd_state_log *log, hd_time until, uint32_t what)
{
    if (what != log->last) {
        if (log->until > log->from)
            hd_bytes_put_number(&log->bytes, (log->until - log->from) << 5 | log->last);
        log->from = log->until;
        log->last = what;
    }
    log->until = until;
}

/* No more follow. */
void hd_state_log_end(hd_state_log *log);

typedef struct hd_state_cursor { /* at a piece, until it is over: from == until */
    const uint8_t *at, *end;
    hd_time        from, until;
    hd_state       state;
    bool           is_parallel;
} hd_state_cursor;

void hd_state_cursor_init(hd_state_cursor *cursor, const hd_state_log *log);

/* Next piece; false at the end. */
static inline bool
hd_state_cursor_next(hd_state_cursor *cursor)
{
    uint64_t number;

    cursor->from = cursor->until;
    if (cursor->at == cursor->end)
        return false;
    number              = hd_bytes_get_number(&cursor->at);
    cursor->until       = cursor->from + (number >> 5);
    cursor->state       = (hd_state)(number >> 1 & 15);
    cursor->is_parallel = (number & 1) != 0;
    return true;
}

#endif
