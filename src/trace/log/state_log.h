/* src/trace/log/state_log.h: what a location did when, in the few classes that efficiencies distinguish
 * (docs/metrics.md#efficiencies).
 *
 * A run of bytes: for each piece of time of one state (bytes of its length - 1) << 5 | state << 1 | in parallel, and
 * its
 * length [ticks], lowest byte first; the pieces follow each other from `begin` on. About 4 bytes per piece, two pieces
 * per MPI call.
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
    hd_time  begin, until; /* of the first piece and of the last one; until: when the log has ended */
    hd_time  from;         /* while writing: of the last piece, which is not in bytes yet, */
    uint32_t last;         /* and what it is: state << 1 | in parallel */
    bool     has_begun;
    bool     is_parallel;  /* some piece is */
} hd_state_log;

static inline void
hd_state_log_begin(hd_state_log *log, hd_time begin)
{
    log->begin = log->from = log->until = begin;
    log->has_begun = true;
}

/* From then on, which is not before anything put so far, the location is in another state, or still in the last one.
 * */
void hd_state_log_put(hd_state_log *log, hd_time from, uint32_t what);
/* In between it was in another state than the last one, in which it is again. */
void hd_state_log_put_between(hd_state_log *log, hd_time from, hd_time until, uint32_t what);

/* No more follow. */
void hd_state_log_end(hd_state_log *log, hd_time until);

typedef struct hd_state_cursor { /* at a piece, until it is over: from == until */
    const uint8_t *at, *end; /* 8 bytes follow it */
    hd_time        from, until;
    hd_state       state;
    bool           is_parallel;
} hd_state_cursor;

void hd_state_cursor_init(hd_state_cursor *cursor, const hd_state_log *log);

/* Next piece; false at the end. */
static inline bool
hd_state_cursor_next(hd_state_cursor *cursor)
{
    unsigned head, n;

    cursor->from = cursor->until;
    if (cursor->at >= cursor->end)
        return false;
    head                = *cursor->at;
    n                   = (head >> 5) + 1;
    cursor->until       = cursor->from + hd_bytes_read_fixed(cursor->at + 1, n);
    cursor->state       = (hd_state)(head >> 1 & 15);
    cursor->is_parallel = (head & 1) != 0;
    cursor->at += 1 + n;
    return true;
}

#endif
