/* Tells the thread sanitizer what libgomp, which it does not see into, orders: loaded behind the recorder and before
 * libgomp, so these functions are what the recorder calls. Nothing else is told, and nothing is suppressed.
 *
 *     begin of a team   what the forking thread did is before what its threads do, that before the end of the team
 *     barrier           what all threads did is before what they do then; the ends of loops and sections, and waiting
 *                       for tasks, as well
 *     critical, lock    what was done with it is before what the next one does that has it
 *     task              what made it is before what it does, that before the end of the next wait in its team
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void __tsan_acquire(void *at);
void __tsan_release(void *at);

/* Several threads may look it up, and find the same. */
#define REAL(name, type)                                                                                               \
    static _Atomic(uintptr_t) found;                                                                                   \
    if (found == 0)                                                                                                    \
        found = (uintptr_t)dlsym(RTLD_NEXT, name);                                                                     \
    __typeof__(type) *real = (__typeof__(type) *)found

/* ---- teams ------------------------------------------------------------------------------------------------------- */

typedef struct team {
    void (*function)(void *);
    void *data;
} team;

static _Thread_local team *mine;

static void
run(void *team_)
{
    team *outer = mine;

    mine = team_;
    __tsan_acquire(mine);
    mine->function(mine->data);
    __tsan_release(mine);
    mine = outer;
}

#define PARALLEL(name, parameters, arguments, types)                                                                   \
    void name parameters;                                                                                              \
    void name parameters                                                                                               \
    {                                                                                                                  \
        REAL(#name, void types);                                                                                       \
        team made = { function, data };                                                                                \
                                                                                                                       \
        function = run;                                                                                                \
        data     = &made;                                                                                              \
        __tsan_release(&made);                                                                                         \
        real arguments;                                                                                                \
        __tsan_acquire(&made);                                                                                         \
    }
#define PARALLEL_LOOP(name)                                                                                            \
    PARALLEL(name,                                                                                                     \
             (void (*function)(void *), void *data, unsigned n, long from, long to, long step, long chunk,             \
              unsigned flags),                                                                                         \
             (function, data, n, from, to, step, chunk, flags),                                                        \
             (void (*)(void *), void *, unsigned, long, long, long, long, unsigned))

PARALLEL(GOMP_parallel, (void (*function)(void *), void *data, unsigned n, unsigned flags), (function, data, n, flags),
         (void (*)(void *), void *, unsigned, unsigned))
PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

static void
release_team(void)
{
    if (mine != NULL)
        __tsan_release(mine);
}

#define WAIT(name)                                                                                                     \
    void name(void);                                                                                                   \
    void name(void)                                                                                                    \
    {                                                                                                                  \
        REAL(#name, void(void));                                                                                       \
                                                                                                                       \
        release_team();                                                                                                \
        real();                                                                                                        \
        if (mine != NULL)                                                                                              \
            __tsan_acquire(mine);                                                                                      \
    }

WAIT(GOMP_barrier)
WAIT(GOMP_loop_end)
WAIT(GOMP_sections_end)
WAIT(GOMP_taskwait)
WAIT(GOMP_taskgroup_end)

/* ---- locks ------------------------------------------------------------------------------------------------------- */

static char unnamed;

#define LOCK(name, parameters, arguments, types, at)                                                                   \
    void name parameters;                                                                                              \
    void name parameters                                                                                               \
    {                                                                                                                  \
        REAL(#name, void types);                                                                                       \
                                                                                                                       \
        real arguments;                                                                                                \
        __tsan_acquire(at);                                                                                            \
    }
#define UNLOCK(name, parameters, arguments, types, at)                                                                 \
    void name parameters;                                                                                              \
    void name parameters                                                                                               \
    {                                                                                                                  \
        REAL(#name, void types);                                                                                       \
                                                                                                                       \
        __tsan_release(at);                                                                                            \
        real arguments;                                                                                                \
    }

LOCK(GOMP_critical_start, (void), (), (void), &unnamed)
UNLOCK(GOMP_critical_end, (void), (), (void), &unnamed)
LOCK(GOMP_critical_name_start, (void **name), (name), (void **), name)
UNLOCK(GOMP_critical_name_end, (void **name), (name), (void **), name)
LOCK(omp_set_lock, (void *lock), (lock), (void *), lock)
UNLOCK(omp_unset_lock, (void *lock), (lock), (void *), lock)

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

/* Of the recorder, which gives these two to all tasks that it records. Others have no function that copies, in C. */
static _Atomic(uintptr_t) task_function, task_copy;

static void
run_task(void *data)
{
    __tsan_acquire(data);
    ((void (*)(void *))task_function)(data);
    release_team();
}

static void
copy_task(void *to, void *from)
{
    ((void (*)(void *, void *))task_copy)(to, from);
    __tsan_release(to);
}

static void
keep(void (*function)(void *), void (*copy)(void *, void *))
{
    task_function = (uintptr_t)function;
    task_copy     = (uintptr_t)copy;
}

void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long align,
               bool is_deferred, unsigned flags, void **depend, int priority, void *detach);
void
GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long align, bool is_deferred,
          unsigned flags, void **depend, int priority, void *detach)
{
    REAL("GOMP_task", void(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int,
                           void *));

    if (copy != NULL)
        keep(function, copy);
    real(copy != NULL ? run_task : function, data, copy != NULL ? copy_task : NULL, bytes, align, is_deferred, flags,
         depend, priority, detach);
}

void GOMP_taskloop(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long align,
                   unsigned flags, unsigned long n, int priority, long from, long to, long step);
void
GOMP_taskloop(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long align,
              unsigned flags, unsigned long n, int priority, long from, long to, long step)
{
    REAL("GOMP_taskloop", void(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned, unsigned long,
                               int, long, long, long));

    if (copy != NULL)
        keep(function, copy);
    real(copy != NULL ? run_task : function, data, copy != NULL ? copy_task : NULL, bytes, align, flags, n, priority,
         from, to, step);
    if (mine != NULL)
        __tsan_acquire(mine);
}

/* ---- condition variables ----------------------------------------------------------------------------------------- */

/* The recorder asks for these with their version, which the functions of the sanitizer lack. */
#ifdef __x86_64__
#define CONDITION(name, parameters, arguments, types)                                                                  \
    int on_##name parameters;                                                                                          \
    int on_##name parameters                                                                                           \
    {                                                                                                                  \
        REAL(#name, int types);                                                                                        \
                                                                                                                       \
        return real arguments;                                                                                         \
    }                                                                                                                  \
    __asm__(".symver on_" #name ", " #name "@@GLIBC_2.3.2");

CONDITION(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex),
          (pthread_cond_t *, pthread_mutex_t *))
CONDITION(pthread_cond_timedwait, (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *until),
          (condition, mutex, until), (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))
CONDITION(pthread_cond_signal, (pthread_cond_t * condition), (condition), (pthread_cond_t *))
CONDITION(pthread_cond_broadcast, (pthread_cond_t * condition), (condition), (pthread_cond_t *))
#endif
