/* src/record/preload/log.h: the records of a location.
 *
 * A location is a stream of records that one thread at a time writes: the first thread that records, a thread of its
 * own ("root"), or a number of a team at a nesting level of another location. It stays when its thread ends, as the
 * next team's thread of that number goes on with it. Its window is a mapped part of a file: what is stored is in the
 * file, however the process ends. When it is full it is copied behind, and used again.
 * Uses: recorder. MT: a log belongs to the thread that has it. Ranks: local. Grows with: locations.
 */
#ifndef HD_LOG_H
#define HD_LOG_H

#include "counters.h"
#include "profile.h"
#include "recorder.h"
#include "ring.h"
#include "stack_walk.h"

/* What a sample needs, which is not on the stack of its thread. */
typedef struct hd_sample_space {
    hd_stack_walk walk;
    uint64_t      words[HD_RAW_MAX_PAYLOAD];
} hd_sample_space;

typedef struct hd_log hd_log;
struct hd_log {
    uint64_t *next, *end; /* in the window */
    uint64_t *window;     /* NULL: none is mapped, and nothing is recorded */
    uint64_t  n_bytes;    /* of the file; of a ring of its first window */
    uint32_t  n_turns;    /* windows before this one */
    hd_profile *profile;  /* where sums are wanted and no records, else NULL; then there is no window */
    hd_ring  *ring;       /* where only the last part of a run is wanted, else NULL */
    uint32_t  number;
    uint64_t *idle;    /* the last record, where it is the leave of a call that found nothing; NULL: it is not */
    uint32_t  idle_id; /* region of that call */
    uint64_t  last; /* [ticks] of the last record: times do not go back within a location */
    const atomic_bool *is_over; /* of that team; NULL: none is late */
    _Atomic(void *) late; /* what gomp_team.c has yet to write: the end of a team; who takes it out writes it */
    hd_log   *next_of_all;
    hd_log   *next_sibling, *first_child; /* locations that this one forked; under a lock of log.c */
    hd_log   *next_ended; /* whose thread has ended; under the same lock */
    uint32_t  level, member;
    bool      is_member; /* of a team that another location forked */
    bool      is_paused; /* nothing is recorded for a time */
    bool      is_busy;   /* a record is being written: a sample (sample.h) has to stay out */
    atomic_uint n_lost;  /* samples since the last that was written; the end of the program reads it */
    uint32_t  n_teams;   /* that it forked and has not joined, recorded or not; tasks that it is in */
    hd_counter_state counters;
    hd_sample_space *space; /* where samples are wanted, else NULL */
};

extern HD_THREAD_LOCAL hd_log  *hd_thread_log;   /* NULL: the thread has none yet */
extern HD_THREAD_LOCAL uint32_t hd_thread_constructs; /* of OpenMP that are open, as gomp.h counts them */
extern HD_THREAD_LOCAL uint32_t hd_thread_depth; /* > 0: inside of a call that is recorded, or of the recorder */
extern HD_THREAD_LOCAL bool     hd_thread_is_late; /* at the end of its team: when that is over, the log is another's */

/* The thread's log, made if it has none; NULL: nothing can be recorded. */
hd_log *hd_log_make_of_thread(void);
static inline hd_log *
hd_log_of_thread(void)
{
    return HD_LIKELY(hd_thread_log != NULL) ? hd_thread_log : hd_log_make_of_thread();
}

/* The log of a member of a team that `parent` forked; made if there is none. NULL: nothing can be recorded. */
hd_log *hd_log_of_member(hd_log *parent, uint32_t level, uint32_t member);

/* A log for a thread that the program is about to create: that of one that has ended, or a new one. NULL: nothing can
 * be recorded. */
hd_log *hd_log_of_new_thread(void);

/* Its thread has ended, or was not created after all. */
void hd_log_give_back(hd_log *log);

/* The thread is in a team that is not recorded: the log of its last team is another thread's by now. */
void hd_log_use_none(void);

/* All logs, the newest first; next_of_all is the next one. */
hd_log *hd_log_first(void);

/* In a child of fork(), when nothing is recorded any more: all logs are without windows, which its parent goes on to
 * write. What the child leaves that its parent entered is passed over. */
void hd_log_forget_all(void);

/* The processors that the process may use: those of its first thread, at its first record, and once more at the end
 * of MPI_Init, as some MPI libraries bind it there. Nothing where the system does not tell, or tells the same as
 * before. */
void hd_log_define_process(void);
/* Those of the calling thread, whose location has this number, when it is first recorded; nothing if they are those of
 * the process. What is bound later is not seen. */
void hd_log_define_thread(uint32_t location);

/* Puts the values of the counters, before an enter or a leave. Where they cannot be read: nothing. */
void hd_log_count(hd_log *log, uint64_t time);

/* Before which records they stand: where functions that samples show may begin and end, too. */
static inline bool
hd_log_counts_at(hd_raw_kind kind)
{
    return kind == HD_RAW_ENTER || kind == HD_RAW_LEAVE ||
           (hd_the_recorder.sample_ns > 0 &&
            (kind == HD_RAW_THREAD_FORK || kind == HD_RAW_TASK_SWITCH || kind == HD_RAW_PAUSE ||
             kind == HD_RAW_RESUME || kind == HD_RAW_THREAD_BEGIN || kind == HD_RAW_THREAD_END));
}

/* Instead of a record, in a pause (pause.c). */
void hd_log_leave_out(hd_raw_kind kind, uint32_t id, const uint64_t *words);

/* Starts the timer of the thread's samples, if it has none (sample.c). */
void hd_log_begin_samples_now(void);

static inline void
hd_log_begin_samples(void)
{
    if (HD_UNLIKELY(hd_the_recorder.sample_ns > 0))
        hd_log_begin_samples_now();
}

/* Makes room for the next record: maps the window, or copies it and uses it again. False: it cannot be. errno stays. */
bool hd_log_turn(hd_log *log);

/* The same within a signal handler: takes no lock, and no memory of the program. False: the log stays as it is. */
bool hd_log_turn_in_handler(hd_log *log);

/* Around changes of next, end and window. */
static inline void
hd_log_set_busy(hd_log *log, bool is_busy)
{
    atomic_signal_fence(memory_order_seq_cst);
    *(volatile bool *)&log->is_busy = is_busy;
    atomic_signal_fence(memory_order_seq_cst);
}

/* Appends a record, also in a pause. A time before that of the last record becomes that. Cost: about 10 ns, no system
 * call but at the end of a window. */
static inline void
hd_log_put_always(hd_log *log, uint64_t time, hd_raw_kind kind, uint32_t id, uint32_t n, const uint64_t *words)
{
    uint64_t *at;

    if (HD_UNLIKELY(log->profile != NULL)) {
        hd_profile_take(log->profile, time, kind, id, n, words);
        return;
    }
    if (HD_UNLIKELY(hd_the_recorder.n_counters > 0) && hd_log_counts_at(kind))
        hd_log_count(log, time);
    hd_log_set_busy(log, true);
    if (HD_UNLIKELY(log->end - log->next < (ptrdiff_t)(2 + n)) && !hd_log_turn(log)) {
        hd_log_set_busy(log, false);
        return;
    }
    at        = log->next;
    time      = time > log->last ? time : log->last;
    log->last = time;
    at[0]     = time;
    for (uint32_t i = 0; i < n; i++)
        at[2 + i] = words[i];
    __atomic_store_n(&at[1], hd_raw_head(kind, n, id), __ATOMIC_RELEASE);
    log->next = at + 2 + n;
    hd_log_set_busy(log, false);
}

/* The same, but in a pause. */
static inline void
hd_log_put(hd_log *log, uint64_t time, hd_raw_kind kind, uint32_t id, uint32_t n, const uint64_t *words)
{
    if (HD_UNLIKELY(log->is_paused))
        hd_log_leave_out(kind, id, words);
    else
        hd_log_put_always(log, time, kind, id, n, words);
}

/* Enters a region that was called from `caller`, with as many levels of callers as are wanted. Returns how many. */
uint32_t hd_log_enter(hd_log *log, uint64_t time, uint32_t id, const void *caller);

#define HD_LOG_PUT(log, time, kind, id, ...)                                                                           \
    hd_log_put(log, time, HD_RAW_##kind, id, sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t),             \
               (const uint64_t[]){ __VA_ARGS__ })
#define HD_LOG_PUT_PLAIN(log, time, kind, id) hd_log_put(log, time, HD_RAW_##kind, id, 0, NULL)

#endif
