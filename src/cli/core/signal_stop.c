#include "signal_stop.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
    int         number;
    const char *name;
} signals[] = { { SIGINT, "SIGINT" },   { SIGTERM, "SIGTERM" }, { SIGHUP, "SIGHUP" },
                { SIGXCPU, "SIGXCPU" }, { SIGUSR1, "SIGUSR1" }, { SIGUSR2, "SIGUSR2" } };

#define N_SIGNALS (sizeof signals / sizeof *signals)

/* What a signal handler can see: there is one per process, as there is one disposition of its signals. */
static _Atomic int             mark; /* lock-free, so handlers may set it */
static volatile time_t        first_second;
static _Atomic(void (*)(void)) first_words, final_words; /* release in hd_stop_catch(), acquire in the handlers */
static atomic_bool           has_deadline;  /* likewise */
static bool                  holds_pipe; /* SIGPIPE is ignored, and was not before */

static time_t
second(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void
end_at_once(void)
{
    void (*words)(void) = atomic_load_explicit(&final_words, memory_order_acquire);

    if (words == NULL)
        return;
    words();
    _exit(128 + mark);
}

static void
catch_signal(int number)
{
    void (*words)(void) = atomic_load_explicit(&first_words, memory_order_acquire);
    int error           = errno;

    if (mark == 0) {
        first_second = second();
        mark         = number;
        if (words != NULL)
            words();
        if (atomic_load_explicit(&has_deadline, memory_order_acquire))
            alarm(HD_STOP_GRACE_S);
    } else if (second() > first_second + 1)
        end_at_once();
    errno = error;
}

static void
catch_alarm(int number)
{
    (void)number;
    if (mark != 0 && atomic_load_explicit(&has_deadline, memory_order_acquire))
        end_at_once();
}

/* System calls go on, so that no library sees one that was interrupted. */
static void
handle(int number, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART }, before;

    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void
hd_stop_hold_pipe(void)
{
    struct sigaction before;

    if (holds_pipe || sigaction(SIGPIPE, NULL, &before) != 0 || before.sa_handler != SIG_DFL)
        return;
    holds_pipe = true;
    signal(SIGPIPE, SIG_IGN);
}

void
hd_stop_let_go_of_pipe(void)
{
    if (holds_pipe)
        signal(SIGPIPE, SIG_DFL);
    holds_pipe = false;
}

void
hd_stop_catch(void (*at_first)(void), void (*last_words)(void), bool in_time)
{
    atomic_store_explicit(&first_words, at_first, memory_order_release);
    atomic_store_explicit(&final_words, last_words, memory_order_release);
    atomic_store_explicit(&has_deadline, in_time, memory_order_release);
    if (in_time)
        handle(SIGALRM, catch_alarm);
    for (size_t i = 0; i < N_SIGNALS; i++)
        handle(signals[i].number, catch_signal);
    hd_stop_hold_pipe();
}

void
hd_stop_has_time(void)
{
    atomic_store_explicit(&has_deadline, false, memory_order_release);
    alarm(0);
}

void
hd_stop_release(void)
{
    for (size_t i = 0; i < N_SIGNALS; i++)
        handle(signals[i].number, SIG_DFL);
    hd_stop_let_go_of_pipe();
    hd_stop_has_time();
    atomic_store_explicit(&first_words, NULL, memory_order_release);
    atomic_store_explicit(&final_words, NULL, memory_order_release);
}

const _Atomic int *
hd_stop_mark(void)
{
    return &mark;
}

const char *
hd_stop_name(int signal)
{
    for (size_t i = 0; i < N_SIGNALS; i++)
        if (signals[i].number == signal)
            return signals[i].name;
    return NULL;
}

const _Atomic int *
hd_stop_hold(void)
{
    hd_stop_catch(NULL, NULL, false);
    return hd_stop_mark();
}

void
hd_stop_let_go(void)
{
    hd_stop_release();
    if (*hd_stop_mark() != 0)
        raise((int)*hd_stop_mark());
}
