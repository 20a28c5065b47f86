/* src/record/preload/gomp_work.c: barriers, loops, sections, critical and ordered sections, locks. */
#include "gomp.h"

#define CALLER __builtin_return_address(0)

enum { N_LOCKS = 1 << 16 };

/* Acquisitions by the number of a lock: changed by the thread that has it. */
static _Atomic uint32_t order_of[N_LOCKS];

static uint32_t
last_order(uint32_t lock)
{
    return atomic_load_explicit(&order_of[lock % N_LOCKS], memory_order_relaxed);
}

static uint32_t
next_order(uint32_t lock)
{
    uint32_t order = last_order(lock) + 1;

    atomic_store_explicit(&order_of[lock % N_LOCKS], order, memory_order_relaxed);
    return order;
}

/* ---- waiting in a call ------------------------------------------------------------------------------------------- */

/* The log may be another one after a call in which tasks ran: it is asked for anew. */
static uint32_t
enter(hd_raw_role role, const void *caller)
{
    hd_log  *log    = hd_gomp_log();
    uint32_t region = log != NULL ? hd_recorder_region(role, caller) : 0;

    if (region != 0)
        HD_LOG_PUT(log, hd_recorder_now(), ENTER, region, 0);
    return region;
}

static void
leave(uint32_t region)
{
    hd_log *log = region != 0 ? hd_gomp_log() : NULL;

    if (log != NULL)
        HD_LOG_PUT_PLAIN(log, hd_recorder_now(), LEAVE, region);
}

/* Calls that are a region of their own. */
#define REGION_CALL(name, role)                                                                                        \
    HD_EXPORT void name(void);                                                                                         \
    HD_EXPORT void name(void)                                                                                          \
    {                                                                                                                  \
        HD_GOMP_REAL(#name, void (*)(void));                                                                           \
        uint32_t region = enter(role, CALLER);                                                                         \
                                                                                                                       \
        real();                                                                                                        \
        leave(region);                                                                                                 \
    }

REGION_CALL(GOMP_barrier, HD_RAW_ROLE_BARRIER)
REGION_CALL(GOMP_taskwait, HD_RAW_ROLE_TASKWAIT)
REGION_CALL(GOMP_taskgroup_end, HD_RAW_ROLE_TASKGROUP)

HD_EXPORT bool GOMP_barrier_cancel(void);
HD_EXPORT bool
GOMP_barrier_cancel(void)
{
    HD_GOMP_REAL("GOMP_barrier_cancel", bool (*)(void));
    uint32_t region = enter(HD_RAW_ROLE_BARRIER, CALLER);
    bool     result = real();

    leave(region);
    return result;
}

HD_EXPORT void *GOMP_single_copy_start(void);
HD_EXPORT void *
GOMP_single_copy_start(void) /* others wait in it for the one thread's data */
{
    HD_GOMP_REAL("GOMP_single_copy_start", void *(*)(void));
    uint32_t region = enter(HD_RAW_ROLE_SINGLE, CALLER);
    void    *result = real();

    leave(region);
    return result;
}

/* ---- loops and sections ------------------------------------------------------------------------------------------ */

/* From the begin of a construct to its end, which does not say which one it is. */
static void
open_construct(hd_raw_role role, const void *caller)
{
    if (hd_gomp_log() != NULL)
        hd_gomp_push(enter(role, caller));
}

static void
close_construct(void)
{
    if (hd_gomp_log() != NULL)
        leave(hd_gomp_pop());
}

typedef unsigned long long large;

#define LOOP(name, parameters, arguments, types)                                                                       \
    HD_EXPORT bool name parameters;                                                                                    \
    HD_EXPORT bool name parameters                                                                                     \
    {                                                                                                                  \
        HD_GOMP_REAL(#name, bool(*) types);                                                                            \
                                                                                                                       \
        open_construct(HD_RAW_ROLE_LOOP, CALLER);                                                                      \
        return real arguments;                                                                                         \
    }
#define LOOP_CHUNK(name)                                                                                               \
    LOOP(name, (long from, long to, long step, long chunk, long *first, long *last),                                   \
         (from, to, step, chunk, first, last), (long, long, long, long, long *, long *))
#define LOOP_RUNTIME(name)                                                                                             \
    LOOP(name, (long from, long to, long step, long *first, long *last), (from, to, step, first, last),                \
         (long, long, long, long *, long *))
#define LARGE_CHUNK(name)                                                                                              \
    LOOP(name, (bool up, large from, large to, large step, large chunk, large *first, large *last),                    \
         (up, from, to, step, chunk, first, last), (bool, large, large, large, large, large *, large *))
#define LARGE_RUNTIME(name)                                                                                            \
    LOOP(name, (bool up, large from, large to, large step, large *first, large *last),                                 \
         (up, from, to, step, first, last), (bool, large, large, large, large *, large *))

#define CHUNKED(X, prefix)                                                                                             \
    X(prefix##_static_start)                                                                                           \
    X(prefix##_dynamic_start)                                                                                          \
    X(prefix##_guided_start)                                                                                           \
    X(prefix##_nonmonotonic_dynamic_start)                                                                             \
    X(prefix##_nonmonotonic_guided_start)                                                                              \
    X(prefix##_ordered_static_start)                                                                                   \
    X(prefix##_ordered_dynamic_start)                                                                                  \
    X(prefix##_ordered_guided_start)
#define RUNTIME(X, prefix)                                                                                             \
    X(prefix##_runtime_start)                                                                                          \
    X(prefix##_nonmonotonic_runtime_start)                                                                             \
    X(prefix##_maybe_nonmonotonic_runtime_start)                                                                       \
    X(prefix##_ordered_runtime_start)

CHUNKED(LOOP_CHUNK, GOMP_loop)
RUNTIME(LOOP_RUNTIME, GOMP_loop)
CHUNKED(LARGE_CHUNK, GOMP_loop_ull)
RUNTIME(LARGE_RUNTIME, GOMP_loop_ull)

#define LOOP_TASKS(name)                                                                                               \
    LOOP(name,                                                                                                         \
         (long from, long to, long step, long schedule, long chunk, long *first, long *last, uintptr_t *reductions,    \
          void **memory),                                                                                              \
         (from, to, step, schedule, chunk, first, last, reductions, memory),                                           \
         (long, long, long, long, long, long *, long *, uintptr_t *, void **))
LOOP_TASKS(GOMP_loop_start)
LOOP_TASKS(GOMP_loop_ordered_start)

#define LOOP_ACROSS(name)                                                                                              \
    LOOP(name, (unsigned n, long *counts, long chunk, long *first, long *last), (n, counts, chunk, first, last),       \
         (unsigned, long *, long, long *, long *))
LOOP_ACROSS(GOMP_loop_doacross_static_start)
LOOP_ACROSS(GOMP_loop_doacross_dynamic_start)
LOOP_ACROSS(GOMP_loop_doacross_guided_start)
LOOP(GOMP_loop_doacross_runtime_start, (unsigned n, long *counts, long *first, long *last), (n, counts, first, last),
     (unsigned, long *, long *, long *))

HD_EXPORT unsigned GOMP_sections_start(unsigned n);
HD_EXPORT unsigned
GOMP_sections_start(unsigned n)
{
    HD_GOMP_REAL("GOMP_sections_start", unsigned (*)(unsigned));

    open_construct(HD_RAW_ROLE_SECTIONS, CALLER);
    return real(n);
}

HD_EXPORT unsigned GOMP_sections2_start(unsigned n, uintptr_t *reductions, void **memory);
HD_EXPORT unsigned
GOMP_sections2_start(unsigned n, uintptr_t *reductions, void **memory)
{
    HD_GOMP_REAL("GOMP_sections2_start", unsigned (*)(unsigned, uintptr_t *, void **));

    open_construct(HD_RAW_ROLE_SECTIONS, CALLER);
    return real(n, reductions, memory);
}

/* The barrier at the end of a construct is inside of the call. */
#define END(name)                                                                                                      \
    HD_EXPORT void name(void);                                                                                         \
    HD_EXPORT void name(void)                                                                                          \
    {                                                                                                                  \
        HD_GOMP_REAL(#name, void (*)(void));                                                                           \
        uint32_t region = enter(HD_RAW_ROLE_IMPLICIT_BARRIER, CALLER);                                                 \
                                                                                                                       \
        real();                                                                                                        \
        leave(region);                                                                                                 \
        close_construct();                                                                                             \
    }
#define END_CANCEL(name)                                                                                               \
    HD_EXPORT bool name(void);                                                                                         \
    HD_EXPORT bool name(void)                                                                                          \
    {                                                                                                                  \
        HD_GOMP_REAL(#name, bool (*)(void));                                                                           \
        uint32_t region = enter(HD_RAW_ROLE_IMPLICIT_BARRIER, CALLER);                                                 \
        bool     result = real();                                                                                      \
                                                                                                                       \
        leave(region);                                                                                                 \
        close_construct();                                                                                             \
        return result;                                                                                                 \
    }
#define END_NOWAIT(name)                                                                                               \
    HD_EXPORT void name(void);                                                                                         \
    HD_EXPORT void name(void)                                                                                          \
    {                                                                                                                  \
        HD_GOMP_REAL(#name, void (*)(void));                                                                           \
                                                                                                                       \
        real();                                                                                                        \
        close_construct();                                                                                             \
    }

END(GOMP_loop_end)
END(GOMP_sections_end)
END_CANCEL(GOMP_loop_end_cancel)
END_CANCEL(GOMP_sections_end_cancel)
END_NOWAIT(GOMP_loop_end_nowait)
END_NOWAIT(GOMP_sections_end_nowait)

HD_EXPORT void GOMP_ordered_start(void);
HD_EXPORT void
GOMP_ordered_start(void)
{
    HD_GOMP_REAL("GOMP_ordered_start", void (*)(void));

    open_construct(HD_RAW_ROLE_ORDERED, CALLER);
    real(); /* waits for the iterations before this one */
    open_construct(HD_RAW_ROLE_ORDERED_SBLOCK, CALLER);
}

HD_EXPORT void GOMP_ordered_end(void);
HD_EXPORT void
GOMP_ordered_end(void)
{
    HD_GOMP_REAL("GOMP_ordered_end", void (*)(void));

    close_construct(); /* before the next one is let in */
    real();
    close_construct();
}

/* ---- critical sections ------------------------------------------------------------------------------------------- */

static const char unnamed;

/* After the real call, which has waited. */
static void
begin_critical(uint32_t region, const void *lock, const void *caller)
{
    hd_log  *log   = region != 0 ? hd_gomp_log() : NULL;
    uint64_t now   = hd_recorder_now();
    uint32_t number, order, block;

    if (log == NULL)
        return;
    number = hd_recorder_lock(lock);
    order  = number != 0 ? next_order(number) : 0;
    block  = hd_recorder_region(HD_RAW_ROLE_CRITICAL_SBLOCK, caller);
    if (number != 0)
        HD_LOG_PUT(log, now, ACQUIRE_LOCK, number, order);
    HD_LOG_PUT(log, now, ENTER, block, 0);
    hd_gomp_push(region);
    hd_gomp_push(block);
    hd_gomp_push(number);
    hd_gomp_push(order);
}

/* Before the real call, which lets the next one in. Returns the region to leave behind it. */
static uint32_t
end_critical(void)
{
    hd_log  *log = hd_gomp_log();
    uint64_t now;
    uint32_t order, number, block, region;

    if (log == NULL)
        return 0;
    now    = hd_recorder_now();
    order  = hd_gomp_pop();
    number = hd_gomp_pop();
    block  = hd_gomp_pop();
    region = hd_gomp_pop();
    if (region == 0)
        return 0;
    HD_LOG_PUT_PLAIN(log, now, LEAVE, block);
    if (number != 0)
        HD_LOG_PUT(log, now, RELEASE_LOCK, number, order);
    return region;
}

#define CRITICAL(name_start, name_end, lock, parameters, arguments, types)                                             \
    HD_EXPORT void name_start parameters;                                                                              \
    HD_EXPORT void name_start parameters                                                                               \
    {                                                                                                                  \
        HD_GOMP_REAL(#name_start, void(*) types);                                                                      \
        uint32_t region = enter(HD_RAW_ROLE_CRITICAL, CALLER);                                                         \
                                                                                                                       \
        real arguments;                                                                                                \
        begin_critical(region, lock, CALLER);                                                                          \
    }                                                                                                                  \
    HD_EXPORT void name_end parameters;                                                                                \
    HD_EXPORT void name_end parameters                                                                                 \
    {                                                                                                                  \
        HD_GOMP_REAL(#name_end, void(*) types);                                                                        \
        uint32_t region = end_critical();                                                                              \
                                                                                                                       \
        real arguments;                                                                                                \
        leave(region);                                                                                                 \
    }

CRITICAL(GOMP_critical_start, GOMP_critical_end, &unnamed, (void), (), (void))
CRITICAL(GOMP_critical_name_start, GOMP_critical_name_end, name, (void **name), (name), (void **))

/* ---- locks ------------------------------------------------------------------------------------------------------- */

/* What the thread has: when libomp tells a release, another thread may have the lock already. */
enum { MAX_HELD = 16 };

typedef struct held_lock {
    uint32_t number, order;
} held_lock;

static HD_THREAD_LOCAL held_lock held[MAX_HELD];
static HD_THREAD_LOCAL uint32_t  n_held;

static uint32_t
take_order(uint32_t number)
{
    uint32_t at = n_held, order;

    while (at > 0 && held[at - 1].number != number)
        at--;
    if (at == 0)
        return last_order(number);
    order = held[at - 1].order;
    for (n_held--; at <= n_held; at++)
        held[at - 1] = held[at];
    return order;
}

void
hd_gomp_acquired(hd_log *log, uint64_t time, const void *lock)
{
    uint32_t number = hd_recorder_lock(lock);

    uint32_t order;

    if (number == 0)
        return;
    order = next_order(number);
    if (n_held < MAX_HELD)
        held[n_held++] = (held_lock){ number, order };
    HD_LOG_PUT(log, time, ACQUIRE_LOCK, number, order);
}

void
hd_gomp_released(hd_log *log, uint64_t time, const void *lock)
{
    uint32_t number = hd_recorder_lock(lock);

    if (number != 0)
        HD_LOG_PUT(log, time, RELEASE_LOCK, number, take_order(number));
}

static void
set_lock(void (*real)(void *), void *lock)
{
    uint32_t region = enter(HD_RAW_ROLE_SET_LOCK, NULL);
    hd_log  *log;
    uint64_t now;

    real(lock);
    log = region != 0 ? hd_gomp_log() : NULL;
    if (log == NULL)
        return;
    now = hd_recorder_now();
    hd_gomp_acquired(log, now, lock);
    HD_LOG_PUT_PLAIN(log, now, LEAVE, region);
}

static void
unset_lock(void (*real)(void *), void *lock)
{
    uint32_t region = enter(HD_RAW_ROLE_UNSET_LOCK, NULL);
    hd_log  *log    = region != 0 ? hd_gomp_log() : NULL;

    if (log != NULL)
        hd_gomp_released(log, hd_recorder_now(), lock);
    real(lock);
    leave(region);
}

static int
test_lock(int (*real)(void *), void *lock)
{
    uint32_t region = enter(HD_RAW_ROLE_TEST_LOCK, NULL);
    int      result = real(lock);
    hd_log  *log    = region != 0 ? hd_gomp_log() : NULL;
    uint64_t now;

    if (log == NULL)
        return result;
    now = hd_recorder_now();
    if (result != 0)
        hd_gomp_acquired(log, now, lock);
    HD_LOG_PUT_PLAIN(log, now, LEAVE, region);
    return result;
}

/* In C, and in Fortran: the same names with "_" behind. */
#define LOCK_CALL(result_type, name, call, ...)                                                                        \
    HD_EXPORT result_type name(void *lock);                                                                            \
    HD_EXPORT result_type name(void *lock)                                                                             \
    {                                                                                                                  \
        HD_GOMP_REAL(#name, result_type(*)(void *));                                                                   \
                                                                                                                       \
        __VA_ARGS__ call(real, lock);                                                                                  \
    }

LOCK_CALL(void, omp_set_lock, set_lock, )
LOCK_CALL(void, omp_set_lock_, set_lock, )
LOCK_CALL(void, omp_unset_lock, unset_lock, )
LOCK_CALL(void, omp_unset_lock_, unset_lock, )
LOCK_CALL(int, omp_test_lock, test_lock, return )
LOCK_CALL(int, omp_test_lock_, test_lock, return )
