/* src/trace/log/thread_log.h: what a location does with the other threads of its process, in the order of its records.
 *
 * Written while loading, read by the patterns of threads (openmp-patterns/), which need all locations of a process at
 * once. A run of bytes; times are zigzag differences to the time before, those of regions and locks of 3 bytes each
 * where they fit, as a flag says:
 *
 *   team       communicator · (flag OWNER: fork · ) a team begins here
 *   team end   nothing
 *   join       time; of the team that was forked last and is not joined yet
 *   parallel   (flag INSIDE) enter · leave - enter · call path; of the innermost team
 *   barrier    (flag CUT) enter · leave - enter · call path; of the innermost team
 *              (· flag TASKS: time of the tasks that were completed in it · number of suspensions · of each, ascending:
 *              begin - end before, at first the enter · end - begin)
 *   acquire    enter of the call · time · call path · lock · order; flags say what kind of call
 *   release    time · lock · order
 *   task       call path · time it ran · part of it in its own regions; completed now, unless
 *              (· flag PART: a part of a task that moved, or is never completed; 1 + the time of all parts if completed
 *              now, else 0)
 *   taskwait   call path · time in it without other tasks
 *   moment     which · enter · leave - enter · call path · of · number; where it was asked for (hd_load_request)
 *
 * About 8 bytes per barrier and thread, 16 per pair of acquire and release.
 * Uses: base. Owner: the trace. MT: written by the thread that loads the location, then read only. Ranks: local.
 */
#ifndef HD_THREAD_LOG_H
#define HD_THREAD_LOG_H

#include "bytes.h"
#include "types.h"

typedef enum hd_thread_op_kind {
    HD_THREAD_TEAM, HD_THREAD_TEAM_END, HD_THREAD_JOIN, HD_THREAD_PARALLEL, HD_THREAD_BARRIER, HD_THREAD_ACQUIRE,
    HD_THREAD_RELEASE, HD_THREAD_TASK, HD_THREAD_TASKWAIT, HD_THREAD_MOMENT
} hd_thread_op_kind;

typedef enum hd_moment { /* from the end of the record before, or the enter of the call that waits, to the record */
    HD_MOMENT_TASK_CREATE, HD_MOMENT_TASK_SWITCH, HD_MOMENT_TASK_COMPLETE, /* of: the thread in the team that created
                                                                            * it; number 0: the implicit task */
    HD_MOMENT_TASK_WAIT,                              /* a taskwait is left */
    HD_MOMENT_ORDERED_BEGIN, HD_MOMENT_ORDERED_END,   /* both at the end, with the enter of the region, and of its
                                                       * block */
    HD_MOMENT_THREAD_CREATE, HD_MOMENT_THREAD_BEGIN, HD_MOMENT_THREAD_END, /* of: communicator in OTF2 */
    HD_MOMENT_THREAD_WAIT                             /* by the thread that joins it */
} hd_moment;

typedef enum hd_lock_kind { /* of an acquire; of a release only whether it is OpenMP's or POSIX's counts */
    HD_LOCK_CRITICAL, HD_LOCK_API, HD_LOCK_MUTEX, HD_LOCK_CONDITION
} hd_lock_kind;

typedef struct hd_suspension { /* an interval in which the task that is in a barrier does not run, but others on its
                                * thread */
    hd_time begin, end;
} hd_suspension;

typedef struct hd_thread_op {
    hd_thread_op_kind    kind;
    bool                 owner;       /* team: this location forked it */
    bool                 is_explicit; /* barrier */
    bool                 is_part;     /* task: it also ran at another time or on another thread, or is never
                                       * completed */
    bool                 completed;   /* task: now */
    hd_span              total_time;  /* task, completed: while it ran, all parts together */
    bool                 is_inside;   /* parallel: another region of the thread is open around it */
    bool                 is_cut;      /* barrier: the recording ends in it */
    uint32_t             comm;        /* team */
    uint32_t             call_path;   /* parallel, barrier, acquire, task, taskwait, moment: of the location */
    hd_moment            moment;
    uint64_t             of, number;  /* moment */
    hd_lock_kind         lock_kind;
    uint32_t             lock, order;      /* acquire, release; order > 0 */
    hd_time              enter, leave;     /* parallel, barrier, moment; acquire: enter of its call */
    hd_time              time;             /* team: of the fork (owner); join; acquire; release */
    hd_span              task_time;        /* barrier: compat only; task: while it ran; taskwait: the wait */
    size_t               n_suspensions;    /* barrier; compat: at most one, of no length, when a region was entered or
                                            * left in it last */
    const hd_suspension *suspensions;      /* [n_suspensions] of an op to be put */
    const uint8_t       *suspension_bytes; /* of an op of a cursor: as they stand in the log */
    hd_span              region_time;      /* task: the part in its regions */
} hd_thread_op;

typedef struct hd_thread_log {
    hd_bytes bytes;
    hd_time  last; /* while writing */
    uint64_t n_ops;
    uint32_t kinds; /* a bit for each that occurs */
} hd_thread_log;

void hd_thread_log_put(hd_thread_log *log, const hd_thread_op *op);
/* The same of frequent ops: a barrier without suspensions and time of tasks, in which the recording does not end; fork:
 * of the owner, else 0. */
void hd_thread_log_put_team(hd_thread_log *log, uint32_t comm, bool owner, hd_time fork);
void hd_thread_log_put_team_end(hd_thread_log *log);
void hd_thread_log_put_parallel(hd_thread_log *log, hd_time enter, hd_time leave, uint32_t call_path, bool is_inside);
void hd_thread_log_put_barrier(hd_thread_log *log, hd_time enter, hd_time leave, uint32_t call_path, bool is_explicit);
void hd_thread_log_put_acquire(hd_thread_log *log, hd_lock_kind kind, uint32_t lock, uint32_t order, hd_time enter,
                               hd_time time, uint32_t call_path);
void hd_thread_log_put_release(hd_thread_log *log, hd_lock_kind kind, uint32_t lock, uint32_t order, hd_time time);

static inline bool
hd_thread_log_has(const hd_thread_log *log, hd_thread_op_kind kind)
{
    return (log->kinds >> kind & 1) != 0;
}

typedef struct hd_thread_cursor {
    const uint8_t *at, *end;
    hd_time        last;
} hd_thread_cursor;

void hd_thread_cursor_init(hd_thread_cursor *cursor, const hd_thread_log *log);
/* Sets what an op of its kind has, and nothing else; false at the end. */
bool hd_thread_cursor_next(hd_thread_cursor *cursor, hd_thread_op *op);

/* Where the last region in a barrier was entered or left, with compat; else its enter. op: of a cursor. */
hd_time hd_thread_op_last_inside(const hd_thread_op *op);
/* The time in which the thread ran tasks from the enter of a barrier until then. op: of a cursor. */
hd_span hd_thread_op_suspended_slow(const hd_thread_op *op, hd_time until);

static inline hd_span
hd_thread_op_suspended(const hd_thread_op *op, hd_time until)
{
    return HD_LIKELY(op->n_suspensions == 0) ? 0 : hd_thread_op_suspended_slow(op, until);
}

#endif
