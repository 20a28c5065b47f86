/* src/record/preload/pthread_lock.c: mutexes and condition variables.
 *
 * As in Score-P all calls are recorded, until many have not waited: from then on those that wait, and the release that
 * each of them waits for. So a mutex that is taken millions of times does not fill the log, and the waiting times stay
 * right. Acquisitions of a mutex are numbered by the thread that has it, those only that are recorded. A thread that
 * waits says so in the mutex's entry; the owner that gives it back then records that, also if it did not record that it
 * took it.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait */
#include "pthread_call.h"

#include <errno.h>
#include <pthread.h>

#define CALLER __builtin_return_address(0)

enum { MANY_CALLS = 100000, MANY_DEEP_CALLS = 10000, SHORT_NS = 1000, N_MUTEXES = 1 << 16, N_PROBES = 16 };

typedef struct mutex_entry {
    _Atomic(uintptr_t)    address; /* 0: free */
    atomic_uint           n_waiting;  /* threads that want it */
    atomic_uint           n_sleeping; /* that gave it back until a condition is signalled, also if cancelled */
    _Atomic(const void *) owner; /* a thread whose acquisition is recorded, by the address of its depth */
    uint32_t              depth, order; /* acquisitions by the owner that are open; the last that was numbered */
    uint64_t              released;     /* [ticks] the last release that was recorded; by who has the mutex */
} mutex_entry;

/* An open hash table that is only added to. Of a mutex that finds no place the calls alone are recorded. */
static mutex_entry mutexes[N_MUTEXES];

static atomic_uint n_short; /* calls that have not waited, up to many_calls() */
static _Atomic uint64_t short_ticks; /* SHORT_NS, from then on */
static HD_THREAD_LOCAL bool has_signalled; /* while others slept, since a recorded release that wakes one */
static HD_THREAD_LOCAL uint32_t n_owned; /* mutexes whose owner the thread is */
static atomic_uint n_waiting, n_sleeping; /* of all mutexes */

static mutex_entry *
entry_of(const pthread_mutex_t *mutex, bool is_new)
{
    uintptr_t key  = (uintptr_t)mutex;
    uint32_t  slot = (uint32_t)((uint64_t)key * 0x9E3779B97F4A7C15U >> 48);

    for (int i = 0; i < N_PROBES; i++, slot = (slot + 1) % N_MUTEXES) {
        mutex_entry *at    = &mutexes[slot];
        uintptr_t    there = atomic_load_explicit(&at->address, memory_order_relaxed);

        if (there == key)
            return at;
        if (there != 0)
            continue;
        if (!is_new)
            break;
        if (atomic_compare_exchange_strong(&at->address, &there, key) || there == key)
            return at;
    }
    return NULL;
}

static uint32_t
number_of(const mutex_entry *at)
{
    return (uint32_t)(at - mutexes);
}

/* Whether something may be recorded of this thread. */
static inline bool
is_on(void)
{
    return hd_recording() && atomic_load_explicit(&hd_the_recorder.is_threaded, memory_order_relaxed) &&
           hd_thread_log != NULL && hd_thread_depth == 0;
}

/* With several levels of callers a call costs about ten times as much. */
static unsigned
many_calls(void)
{
    return hd_the_recorder.n_callers > 1 ? MANY_DEEP_CALLS : MANY_CALLS;
}

static bool
is_brief(void)
{
    return atomic_load_explicit(&n_short, memory_order_relaxed) >= many_calls() && !hd_the_recorder.all_functions;
}

/* A call that has not waited. The one that makes it many says so. */
static void
count(void)
{
    unsigned many = many_calls();

    if (atomic_load_explicit(&n_short, memory_order_relaxed) >= many || hd_the_recorder.all_functions ||
        atomic_fetch_add(&n_short, 1) + 1 != many)
        return;
    hd_thread_depth++;
    atomic_store(&short_ticks, (uint64_t)(SHORT_NS * hd_recorder_ticks_per_ns()));
    hd_recorder_define(HD_RAW_DROPPED,
                       (const uint64_t[]){ hd_recorder_region(HD_RAW_ROLE_MUTEX_LOCK, NULL), many }, 2, NULL,
                       NULL);
    hd_thread_depth--;
}

static bool
is_had(int result)
{
    return result == 0 || result == EOWNERDEAD;
}

static bool
is_own(const mutex_entry *at)
{
    return atomic_load_explicit(&at->owner, memory_order_relaxed) == &hd_thread_depth;
}

static void
give_up(mutex_entry *at)
{
    atomic_store_explicit(&at->owner, NULL, memory_order_relaxed);
    n_owned--;
}

/* The thread has it. */
static void
note_acquired(hd_log *log, mutex_entry *at, uint64_t now)
{
    if (at == NULL)
        return;
    if (is_own(at)) {
        at->depth++;
        return;
    }
    atomic_store_explicit(&at->owner, &hd_thread_depth, memory_order_relaxed);
    n_owned++;
    at->depth = 1;
    at->order++;
    HD_LOG_PUT(log, now, ACQUIRE_MUTEX, number_of(at), at->order);
}

/* The thread still has it, and gives it back. is_recorded: its acquisition has a number. */
static void
note_released(hd_log *log, mutex_entry *at, bool is_recorded, uint64_t now)
{
    if (!is_recorded)
        at->order++;
    at->released = now;
    HD_LOG_PUT(log, now, RELEASE_MUTEX, number_of(at), at->order);
    if (atomic_load_explicit(&at->n_sleeping, memory_order_relaxed) > 0)
        has_signalled = false;
}

/* Whether others wait for a release of the thread, whose acquisition is not recorded. Where they wait all the time, and
 * it is taken again and again before they have it, each microsecond is enough. */
static bool
is_awaited(const mutex_entry *at)
{
    return (has_signalled && atomic_load_explicit(&at->n_sleeping, memory_order_relaxed) > 0) ||
           (atomic_load_explicit(&at->n_waiting, memory_order_relaxed) > 0 &&
            hd_recorder_now() - at->released >= atomic_load_explicit(&short_ticks, memory_order_relaxed));
}

/* ---- mutexes ----------------------------------------------------------------------------------------------------- */

/* The thread has taken it without a record: perhaps once more. */
static void
note_unrecorded(const pthread_mutex_t *mutex)
{
    mutex_entry *at = n_owned > 0 ? entry_of(mutex, false) : NULL;

    if (at != NULL && is_own(at))
        at->depth++;
}

static int
wait_for(pthread_mutex_t *mutex, mutex_entry *at)
{
    int result;

    if (at != NULL) {
        atomic_fetch_add(&n_waiting, 1);
        atomic_fetch_add(&at->n_waiting, 1);
    }
    result = HD_PTHREAD_REAL(pthread_mutex_lock)(mutex);
    if (at != NULL) {
        atomic_fetch_sub(&at->n_waiting, 1);
        atomic_fetch_sub(&n_waiting, 1);
    }
    return result;
}

static int
lock_recorded(pthread_mutex_t *mutex, bool has_to_wait, const void *caller)
{
    hd_log      *log = hd_thread_log;
    mutex_entry *at  = entry_of(mutex, true);
    uint32_t     region = hd_pthread_enter(log, hd_recorder_now(), HD_RAW_ROLE_MUTEX_LOCK, caller);
    uint64_t     now;
    int          result;

    result = has_to_wait ? EBUSY : HD_PTHREAD_REAL(pthread_mutex_trylock)(mutex);
    if (is_had(result))
        count();
    else
        result = wait_for(mutex, at);
    now = hd_recorder_now();
    if (is_had(result))
        note_acquired(log, at, now);
    hd_pthread_leave(log, now, region);
    return result;
}

/* Of the program. */
static HD_NOINLINE int
lock_looked_at(pthread_mutex_t *mutex, const void *caller)
{
    int result;

    if (!is_brief())
        return lock_recorded(mutex, false, caller);
    result = HD_PTHREAD_REAL(pthread_mutex_trylock)(mutex);
    if (is_had(result))
        note_unrecorded(mutex);
    else
        result = result == EBUSY ? lock_recorded(mutex, true, caller) : HD_PTHREAD_REAL(pthread_mutex_lock)(mutex);
    return result;
}

HD_EXPORT int
pthread_mutex_lock(pthread_mutex_t *mutex)
{
    __typeof__(&pthread_mutex_lock) real = HD_PTHREAD_REAL(pthread_mutex_lock);

    if (HD_UNLIKELY(real == NULL)) /* memory that is allocated while it is looked up */
        return 0;
    if (!is_on() || !hd_pthread_is_of_program(CALLER))
        return real(mutex);
    return lock_looked_at(mutex, CALLER);
}

static HD_NOINLINE int
try_looked_at(pthread_mutex_t *mutex, const void *caller)
{
    hd_log  *log = hd_thread_log;
    uint64_t now;
    uint32_t region;
    int      result;

    if (is_brief()) {
        result = HD_PTHREAD_REAL(pthread_mutex_trylock)(mutex);
        if (is_had(result))
            note_unrecorded(mutex);
        return result;
    }
    region = hd_pthread_enter(log, hd_recorder_now(), HD_RAW_ROLE_MUTEX_TRYLOCK, caller);
    result = HD_PTHREAD_REAL(pthread_mutex_trylock)(mutex);
    count();
    now = hd_recorder_now();
    if (is_had(result))
        note_acquired(log, entry_of(mutex, true), now);
    hd_pthread_leave(log, now, region);
    return result;
}

HD_EXPORT int
pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    __typeof__(&pthread_mutex_trylock) real = HD_PTHREAD_REAL(pthread_mutex_trylock);

    if (HD_UNLIKELY(real == NULL))
        return 0;
    if (!is_on() || !hd_pthread_is_of_program(CALLER))
        return real(mutex);
    return try_looked_at(mutex, CALLER);
}

/* An entry is there where an acquisition was recorded, or is waited for. */
static HD_NOINLINE int
unlock_looked_at(pthread_mutex_t *mutex, const void *caller)
{
    __typeof__(&pthread_mutex_unlock) real = HD_PTHREAD_REAL(pthread_mutex_unlock);
    hd_log                           *log  = hd_thread_log;
    mutex_entry                      *at   = entry_of(mutex, false);
    bool                              is_recorded = at != NULL && is_own(at);
    uint64_t                          now;
    uint32_t                          region;
    int                               result;

    if (is_recorded && --at->depth > 0)
        return real(mutex);
    if (is_recorded)
        give_up(at);
    if (at == NULL || !is_on() || (!is_recorded && !is_awaited(at)))
        return real(mutex);
    now    = hd_recorder_now();
    region = hd_pthread_enter(log, now, HD_RAW_ROLE_MUTEX_UNLOCK, caller);
    note_released(log, at, is_recorded, now);
    result = real(mutex);
    hd_pthread_leave(log, hd_recorder_now(), region);
    return result;
}

/* Most are looked at no further: the thread has no mutex whose acquisition is recorded, and nobody waits. */
HD_EXPORT int
pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    __typeof__(&pthread_mutex_unlock) real = HD_PTHREAD_REAL(pthread_mutex_unlock);

    if (HD_UNLIKELY(real == NULL))
        return 0;
    if (n_owned == 0 && !has_signalled && atomic_load_explicit(&n_waiting, memory_order_relaxed) == 0)
        return real(mutex);
    return unlock_looked_at(mutex, CALLER);
}

/* ---- condition variables ----------------------------------------------------------------------------------------- */

/* Gives the mutex back, as the call does. NULL: it is not recorded. If the thread is cancelled in the call, it has the
 * mutex again, without a record. */
static hd_log *
begin_wait(hd_raw_role role, const pthread_mutex_t *mutex, const void *caller, uint32_t *region)
{
    hd_log      *log = hd_thread_log;
    uint64_t     now;
    mutex_entry *at;
    bool         is_recorded;

    if (!is_on() || !hd_pthread_is_of_program(caller))
        return NULL;
    now         = hd_recorder_now();
    *region     = hd_pthread_enter(log, now, role, caller);
    at          = entry_of(mutex, true);
    is_recorded = at != NULL && is_own(at);
    if (is_recorded)
        give_up(at);
    if (at != NULL) {
        atomic_fetch_add(&n_sleeping, 1);
        atomic_fetch_add(&at->n_sleeping, 1);
        note_released(log, at, is_recorded, now);
    }
    return log;
}

static void
end_wait(hd_log *log, uint32_t region, const pthread_mutex_t *mutex)
{
    uint64_t     now;
    mutex_entry *at;

    if (log == NULL)
        return;
    now = hd_recorder_now();
    at  = entry_of(mutex, false);
    if (at != NULL) {
        atomic_fetch_sub(&at->n_sleeping, 1);
        atomic_fetch_sub(&n_sleeping, 1);
    }
    note_acquired(log, at, now);
    hd_pthread_leave(log, now, region);
}

HD_EXPORT int
pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    uint32_t region = 0;
    hd_log  *log    = begin_wait(HD_RAW_ROLE_COND_WAIT, mutex, CALLER, &region);
    int      result = HD_PTHREAD_REAL(pthread_cond_wait)(condition, mutex);

    end_wait(log, region, mutex);
    return result;
}

HD_EXPORT int
pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    uint32_t region = 0;
    hd_log  *log    = begin_wait(HD_RAW_ROLE_COND_TIMEDWAIT, mutex, CALLER, &region);
    int      result = HD_PTHREAD_REAL(pthread_cond_timedwait)(condition, mutex, until);

    end_wait(log, region, mutex);
    return result;
}

#if __GLIBC_PREREQ(2, 30)
HD_EXPORT int
pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                       const struct timespec *until)
{
    uint32_t region = 0;
    hd_log  *log    = begin_wait(HD_RAW_ROLE_COND_TIMEDWAIT, mutex, CALLER, &region);
    int      result = HD_PTHREAD_REAL(pthread_cond_clockwait)(condition, mutex, clock, until);

    end_wait(log, region, mutex);
    return result;
}
#endif

/* A thread that sleeps has its mutex again when this one has given it back: that release is what it waits for. */
static int
wake(hd_raw_role role, int (*real)(pthread_cond_t *), pthread_cond_t *condition, const void *caller)
{
    hd_log  *log = hd_thread_log;
    uint32_t region;
    int      result;

    if (!is_on() || !hd_pthread_is_of_program(caller))
        return real(condition);
    has_signalled |= atomic_load_explicit(&n_sleeping, memory_order_relaxed) > 0;
    if (is_brief())
        return real(condition);
    count();
    region = hd_pthread_enter(log, hd_recorder_now(), role, caller);
    result = real(condition);
    hd_pthread_leave(log, hd_recorder_now(), region);
    return result;
}

HD_EXPORT int
pthread_cond_signal(pthread_cond_t *condition)
{
    return wake(HD_RAW_ROLE_COND_SIGNAL, HD_PTHREAD_REAL(pthread_cond_signal), condition, CALLER);
}

HD_EXPORT int
pthread_cond_broadcast(pthread_cond_t *condition)
{
    return wake(HD_RAW_ROLE_COND_BROADCAST, HD_PTHREAD_REAL(pthread_cond_broadcast), condition, CALLER);
}
