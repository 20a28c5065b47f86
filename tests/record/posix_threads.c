/* POSIX threads whose waits are programmed, and threads that end in all ways. With MPI (WITH_MPI) two ranks do the
 * same, and two threads of each exchange messages. Above the functions are the numbers of records, which
 * test_pthreads.py reads.
 *
 * usage: posix_threads [hot | signals | nested | killed | keys | cancelled]
 *   hot         very many locks before the waits
 *   signals     very many locks, and signals for which no thread waits
 *   nested      very many locks, and a thread that waits for another mutex between a signal and the release
 *   keys        threads that lock a mutex in a destructor, and nothing else
 *   cancelled   a thread that is cancelled while it locks a mutex often, which does not end it, and nothing else */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { WAIT_NS = 20000000, N_MESSAGES = 50, N_HOT = 400000, N_CANCELLED = 5000 };

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  condition = PTHREAD_COND_INITIALIZER;
static atomic_bool     is_held, is_there;
static bool            is_woken;

static int64_t
now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void
sleep_ns(long ns)
{
    nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

static void
await(atomic_bool *what)
{
    while (!atomic_load(what))
        sleep_ns(100000);
}

static void
must(bool is_right, const char *what)
{
    if (!is_right) {
        printf("wrong: %s\n", what);
        exit(1);
    }
}

static pthread_t
begin(void *(*function)(void *), void *argument)
{
    pthread_t thread;

    must(pthread_create(&thread, NULL, function, argument) == 0, "pthread_create");
    return thread;
}

static void *
end(pthread_t thread)
{
    void *value;

    must(pthread_join(thread, &value) == 0, "pthread_join");
    return value;
}

/* ---- waits ------------------------------------------------------------------------------------------------------- */

static void *
want_mutex(void *waited_)
{
    int64_t *waited = waited_, begin_ns;

    await(&is_held);
    begin_ns = now_ns();
    atomic_store(&is_there, true);
    pthread_mutex_lock(&first);
    *waited = now_ns() - begin_ns;
    pthread_mutex_unlock(&first);
    return waited;
}

/* records: THREAD_CREATE 1 THREAD_BEGIN 1 THREAD_END 1 THREAD_WAIT 1 THREAD_ACQUIRE_LOCK 2 THREAD_RELEASE_LOCK 2 */
static void
hold_mutex(void)
{
    int64_t   waited = 0;
    pthread_t thread;

    atomic_store(&is_held, false);
    atomic_store(&is_there, false);
    thread = begin(want_mutex, &waited);
    pthread_mutex_lock(&first);
    atomic_store(&is_held, true);
    await(&is_there);
    sleep_ns(WAIT_NS);
    pthread_mutex_unlock(&first);
    must(end(thread) == &waited, "value of a thread");
    printf("mutex %ld\n", (long)waited);
}

static void *
want_condition(void *waited_)
{
    int64_t *waited = waited_, begin_ns;

    pthread_mutex_lock(&second);
    atomic_store(&is_there, true);
    begin_ns = now_ns();
    while (!is_woken)
        pthread_cond_wait(&condition, &second);
    *waited = now_ns() - begin_ns;
    pthread_mutex_unlock(&second);
    return NULL;
}

/* records: THREAD_CREATE 1 THREAD_BEGIN 1 THREAD_END 1 THREAD_WAIT 1 THREAD_ACQUIRE_LOCK 3 THREAD_RELEASE_LOCK 3 */
static void
wake(void)
{
    int64_t   waited = 0;
    pthread_t thread;

    atomic_store(&is_there, false);
    is_woken = false;
    thread   = begin(want_condition, &waited);
    await(&is_there);
    sleep_ns(WAIT_NS);
    pthread_mutex_lock(&second);
    is_woken = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&second);
    end(thread);
    printf("condition %ld\n", (long)waited);
}

/* records: THREAD_ACQUIRE_LOCK 2 THREAD_RELEASE_LOCK 2 */
static void
wait_in_vain(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    errno = 77;
    pthread_mutex_lock(&second);
    must(pthread_cond_timedwait(&condition, &second, &until) == ETIMEDOUT, "pthread_cond_timedwait");
    pthread_mutex_unlock(&second);
    pthread_cond_broadcast(&condition);
    must(errno == 77, "errno");
}

/* records: THREAD_ACQUIRE_LOCK 3 THREAD_RELEASE_LOCK 3 */
static void
take_mutexes(void)
{
    pthread_mutex_t     recursive;
    pthread_mutexattr_t kind;

    pthread_mutex_lock(&first);
    must(pthread_mutex_trylock(&first) == EBUSY, "trylock of a mutex that is taken");
    pthread_mutex_unlock(&first);
    must(pthread_mutex_trylock(&first) == 0, "trylock of a mutex that is free");
    pthread_mutex_unlock(&first);
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    must(pthread_mutex_destroy(&recursive) == 0, "pthread_mutex_destroy");
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&recursive, &kind);
    must(pthread_mutex_unlock(&recursive) == EPERM, "unlock of a mutex that is free");
    pthread_mutex_destroy(&recursive);
    pthread_mutexattr_destroy(&kind);
}

/* ---- ends of threads --------------------------------------------------------------------------------------------- */

static void
leave_from_within(void *value)
{
    pthread_exit(value);
}

static void *
exit_early(void *value)
{
    leave_from_within(value);
    return NULL;
}

/* records: THREAD_CREATE 1 THREAD_BEGIN 1 THREAD_END 1 THREAD_WAIT 1 */
static void
exit_thread(void)
{
    static int value;

    must(end(begin(exit_early, &value)) == &value, "value of pthread_exit");
}

static void
give_back(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void *
wait_for_ever(void *unused)
{
    pthread_mutex_lock(&second);
    pthread_cleanup_push(give_back, &second);
    atomic_store(&is_there, true);
    for (;;)
        pthread_cond_wait(&condition, &second);
    pthread_cleanup_pop(1);
    return unused;
}

/* The thread is in its call when the mutex is free. It has it again when it is cancelled, which is not recorded.
 * records: THREAD_CREATE 1 THREAD_BEGIN 1 THREAD_END 1 THREAD_WAIT 1 THREAD_ACQUIRE_LOCK 2 THREAD_RELEASE_LOCK 2 */
static void
cancel_thread(void)
{
    pthread_t thread;

    atomic_store(&is_there, false);
    thread = begin(wait_for_ever, NULL);
    await(&is_there);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_cancel(thread);
    must(end(thread) == PTHREAD_CANCELED, "value of a cancelled thread");
    must(pthread_mutex_trylock(&second) == 0 && pthread_mutex_unlock(&second) == 0, "the mutex is free again");
}

static void *
run_on(void *unused)
{
    for (;;)
        pause();
    return unused;
}

/* Runs until the program ends.
 * records: THREAD_CREATE 1 THREAD_BEGIN 1 THREAD_END 1 */
static void
detach_thread(void)
{
    pthread_attr_t attributes;
    pthread_t      thread;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    must(pthread_create(&thread, &attributes, run_on, NULL) == 0, "pthread_create");
    pthread_attr_destroy(&attributes);
}

/* ---- many calls -------------------------------------------------------------------------------------------------- */

static void *
lock_often(void *mutex)
{
    for (int i = 0; i < N_HOT; i++) {
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
    }
    return NULL;
}

static void
lock_very_often(void)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_t       thread = begin(lock_often, &first);

    lock_often(&own);
    end(thread);
}

/* No thread sleeps. */
static void
signal_often(void)
{
    for (int i = 0; i < N_HOT; i++) {
        pthread_mutex_lock(&second);
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&second);
    }
}

static void *
hold_first(void *unused)
{
    pthread_mutex_lock(&first);
    atomic_store(&is_held, true);
    sleep_ns(WAIT_NS);
    pthread_mutex_unlock(&first);
    return unused;
}

/* Between the signal and the release that is waited for it waits for another mutex, and gives that back. */
static void
wake_and_take(void)
{
    int64_t   waited = 0;
    pthread_t sleeper, holder;

    atomic_store(&is_there, false);
    atomic_store(&is_held, false);
    sleeper = begin(want_condition, &waited);
    await(&is_there);
    holder = begin(hold_first, NULL);
    await(&is_held);
    pthread_mutex_lock(&second);
    is_woken = true;
    pthread_cond_signal(&condition);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    end(sleeper);
    end(holder);
    printf("condition %ld\n", (long)waited);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

#ifdef WITH_MPI
static void *
exchange(void *tag_)
{
    int tag = *(int *)tag_, rank, value;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N_MESSAGES; i++)
        MPI_Sendrecv(&i, 1, MPI_INT, 1 - rank, tag, &value, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    must(value == N_MESSAGES - 1, "value of a message");
    return NULL;
}

static void
exchange_by_threads(void)
{
    int       tags[] = { 1, 2 };
    pthread_t one = begin(exchange, &tags[0]), two = begin(exchange, &tags[1]);

    end(one);
    end(two);
}
#endif

/* The last one of cancel_thread is a call of main:
 * records: THREAD_ACQUIRE_LOCK 1 THREAD_RELEASE_LOCK 1 */
/* ---- destructors ------------------------------------------------------------------------------------------------- */

static pthread_key_t key;

static void
lock_at_end(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

static void *
set_key(void *mutex)
{
    lock_at_end(mutex);
    must(pthread_key_create(&key, lock_at_end) == 0 && pthread_setspecific(key, mutex) == 0, "pthread_key_create");
    return NULL;
}

static void
lock_in_destructors(void)
{
    for (int i = 0; i < 3; i++)
        end(begin(set_key, &first));
}

static void *
lock_cancelled(void *n_locked)
{
    pthread_cancel(pthread_self());
    for (long i = 0; i < N_CANCELLED; i++) {
        pthread_mutex_lock(&first);
        ++*(long *)n_locked;
        pthread_mutex_unlock(&first);
    }
    pthread_testcancel();
    return NULL;
}

static void
cancel_where_nothing_waits(void)
{
    long n_locked = 0;

    must(end(begin(lock_cancelled, &n_locked)) == PTHREAD_CANCELED, "value of a cancelled thread");
    must(n_locked == N_CANCELLED && pthread_mutex_trylock(&first) == 0, "all locks, and the mutex is free");
}

int
main(int argc, char **argv)
{
#ifdef WITH_MPI
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    must(level == MPI_THREAD_MULTIPLE, "thread level");
#endif
    if (argc > 1 && strcmp(argv[1], "keys") == 0) {
        lock_in_destructors();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "cancelled") == 0) {
        cancel_where_nothing_waits();
        return 0;
    }
    detach_thread();
    if (argc > 1 && strcmp(argv[1], "signals") == 0) {
        pthread_mutex_lock(&second); /* one that is recorded */
        pthread_mutex_unlock(&second);
        lock_very_often();
        signal_often();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "nested") == 0) {
        lock_very_often();
        wake_and_take();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "hot") == 0) {
        lock_very_often();
        hold_mutex();
        wake();
    } else {
        hold_mutex();
        wake();
        wait_in_vain();
        take_mutexes();
        exit_thread();
        cancel_thread();
        if (argc > 1 && strcmp(argv[1], "killed") == 0)
            raise(SIGKILL);
#ifdef WITH_MPI
        exchange_by_threads();
#endif
    }
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
