/* src/record/preload/pthread_thread.c: threads that the program creates and joins.
 *
 * A thread gets its log from the one that creates it, so it begins with little on its stack. Its end is seen by the
 * destructor of a key, however it ends: return, pthread_exit() or pthread_cancel().
 */
#include "pthread_call.h"

#include <pthread.h>
#include <stdlib.h>

#include "pause.h"

#define CALLER __builtin_return_address(0)

typedef struct started { /* given to the thread, which frees it */
    void *(*function)(void *);
    void    *argument;
    hd_log  *log;
    uint64_t number;
} started;

static _Atomic uint64_t n_created;
static pthread_key_t    at_end;
static bool             has_key;
static pthread_once_t   at_end_once = PTHREAD_ONCE_INIT;

static HD_THREAD_LOCAL uint64_t own_number; /* of the thread, 0: it is none of those */
static HD_THREAD_LOCAL bool     is_ending;

/* ---- numbers of threads ------------------------------------------------------------------------------------------ */

enum { N_THREADS = 1 << 12, N_PROBES = 64 };

/* By identity of the thread, which another one has later. Of one that finds no place the join is a call only. */
static struct {
    _Atomic(uintptr_t) thread; /* 0: free */
    _Atomic uint64_t   number;
} threads[N_THREADS];

/* The place of a thread; is_new: takes one if it has none. HD_NONE: none. */
static uint32_t
place_of(pthread_t thread, bool is_new)
{
    uintptr_t key  = (uintptr_t)thread;
    uint32_t  slot = (uint32_t)((uint64_t)key * 0x9E3779B97F4A7C15U >> 52);

    for (int i = 0; i < N_PROBES; i++, slot = (slot + 1) % N_THREADS) {
        uintptr_t there = atomic_load(&threads[slot].thread);

        if (there == 0 && !is_new)
            break;
        if (there == key || (there == 0 && atomic_compare_exchange_strong(&threads[slot].thread, &there, key)) ||
            there == key)
            return slot;
    }
    return HD_NONE;
}

static void
remember(pthread_t thread, uint64_t number)
{
    uint32_t place = place_of(thread, true);

    if (place != HD_NONE)
        atomic_store(&threads[place].number, number);
}

static uint64_t
number_of(pthread_t thread) /* 0: not known */
{
    uint32_t place = place_of(thread, false);

    return place != HD_NONE ? atomic_load(&threads[place].number) : 0;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

/* Is called again after other keys' destructors, which may use mutexes: then the thread ends. */
static void
end_thread(void *log_)
{
    hd_log *log = log_;

    if (!hd_recording() || hd_thread_log != log)
        return;
    if (!is_ending) {
        is_ending = true;
        pthread_setspecific(at_end, log);
        return;
    }
    hd_thread_depth++;
    HD_LOG_PUT(log, hd_recorder_now(), THREAD_END, 0, own_number);
    hd_thread_log = NULL;
    hd_log_give_back(log);
    hd_thread_depth--;
}

static void
make_key(void)
{
    has_key = pthread_key_create(&at_end, end_thread) == 0;
}

static void *
run(void *given_)
{
    started given = *(started *)given_;

    free(given_);
    own_number    = given.number;
    hd_thread_log = given.log;
    hd_thread_depth++;
    if (given.log->last == 0)
        hd_log_define_thread(given.log->number);
    hd_pause_settle(given.log);
    remember(pthread_self(), given.number);
    if (has_key)
        pthread_setspecific(at_end, given.log);
    HD_LOG_PUT(given.log, hd_recorder_now(), THREAD_BEGIN, 0, given.number);
    hd_log_begin_samples();
    hd_thread_depth--;
    return given.function(given.argument);
}

/* What the recorder needs on the stack of a thread comes on top of what the program has asked for: its own variables of
 * each thread, which the C library puts there, its calls, and the signals of samples. Returns the attributes to use;
 * they are larger's where the program gives a size, and not the memory itself. */
static const pthread_attr_t *
with_larger_stack(const pthread_attr_t *attributes, pthread_attr_t *larger)
{
    enum { MORE = 32 << 10, ENOUGH = 1 << 20 };
    size_t bytes = 0, none;
    void  *begin = NULL;

    if (attributes == NULL || pthread_attr_getstacksize(attributes, &bytes) != 0 || bytes >= ENOUGH ||
        pthread_attr_getstack(attributes, &begin, &none) != 0 || (uintptr_t)begin + none != 0)
        return attributes;
    *larger = *attributes; /* what it points to stays */
    return pthread_attr_setstacksize(larger, bytes + MORE) == 0 ? larger : attributes;
}

/* NULL: the thread is not recorded. */
static started *
prepare(void *(*function)(void *), void *argument, const hd_log *creator)
{
    started *given = creator != NULL && !creator->is_paused ? malloc(sizeof *given) : NULL;

    if (given == NULL)
        return NULL;
    hd_thread_depth++;
    pthread_once(&at_end_once, make_key);
    *given = (started){ .function = function, .argument = argument, .log = hd_log_of_new_thread() };
    hd_thread_depth--;
    if (given->log == NULL) {
        free(given);
        return NULL;
    }
    given->number = atomic_fetch_add(&n_created, 1) + 1;
    return given;
}

HD_EXPORT int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
    __typeof__(&pthread_create) real  = HD_PTHREAD_REAL(pthread_create);
    hd_log                     *log   = NULL;
    started                    *given = NULL;
    uint64_t                    number, begin;
    uint32_t                    region;
    int                         result;
    pthread_attr_t              larger;

    if (hd_recording())
        attributes = with_larger_stack(attributes, &larger);
    if (hd_recording() && hd_thread_depth == 0 && hd_pthread_is_of_program(CALLER)) {
        log = hd_log_of_thread();
        hd_pause_settle(log);
        given = prepare(function, argument, log);
    }
    if (given == NULL)
        return real(thread, attributes, function, argument);
    number = given->number;
    region = hd_pthread_enter(log, hd_recorder_now(), HD_RAW_ROLE_PTHREAD_CREATE, CALLER);
    begin  = hd_recorder_now();
    result = real(thread, attributes, run, given);
    if (result == 0)
        HD_LOG_PUT(log, begin, THREAD_CREATE, 0, number);
    else {
        hd_log_give_back(given->log);
        free(given);
    }
    hd_pthread_leave(log, hd_recorder_now(), region);
    return result;
}

/* The thread itself tells its number, so it is known when it has ended; a number that came up after this call began is
 * of another thread that has its identity now. */
HD_EXPORT int
pthread_join(pthread_t thread, void **value)
{
    __typeof__(&pthread_join) real = HD_PTHREAD_REAL(pthread_join);
    hd_log                   *log  = hd_recording() && hd_thread_depth == 0 ? hd_thread_log : NULL;
    uint64_t                  number, before, n_before;
    uint32_t                  region;
    int                       result;

    if (log == NULL || !hd_pthread_is_of_program(CALLER))
        return real(thread, value);
    before   = number_of(thread);
    n_before = atomic_load(&n_created);
    region = hd_pthread_enter(log, hd_recorder_now(), HD_RAW_ROLE_PTHREAD_JOIN, CALLER);
    result = real(thread, value);
    number = number_of(thread);
    number = number <= n_before ? number : before;
    if (result == 0 && number != 0)
        HD_LOG_PUT(log, hd_recorder_now(), THREAD_WAIT, 0, number);
    hd_pthread_leave(log, hd_recorder_now(), region);
    return result;
}
