/* src/record/preload/sample_signal.c: a signal beside those of the program. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "sample_signal.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

static int own; /* the signal, 0: none; written by the constructor */
static void (*own_handler)(void *context, int overrun);
static struct sigaction of_program; /* what it has set for the signal */

static struct { /* written by the constructor find(), or by who is earlier */
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    __sighandler_t (*signal)(int, __sighandler_t);
    int (*sigprocmask)(int, const sigset_t *, sigset_t *);
    int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
} real;

/* Before the program's first call, which may be in a handler or in the child of vfork(). */
__attribute__((constructor)) static void
find(void)
{
    real.sigaction       = (__typeof__(real.sigaction))dlsym(RTLD_NEXT, "sigaction");
    real.signal          = (__typeof__(real.signal))dlsym(RTLD_NEXT, "signal");
    real.sigprocmask     = (__typeof__(real.sigprocmask))dlsym(RTLD_NEXT, "sigprocmask");
    real.pthread_sigmask = (__typeof__(real.pthread_sigmask))dlsym(RTLD_NEXT, "pthread_sigmask");
}

static void
find_once(void)
{
    if (HD_UNLIKELY(real.pthread_sigmask == NULL))
        find();
}

void *
hd_sample_signal_value(void)
{
    return &own;
}

/* One that another process, or the program itself, has sent. */
static void
pass_on(int number, siginfo_t *info, void *context)
{
    struct sigaction action = of_program;
    sigset_t         only;

    if (((unsigned)action.sa_flags & SA_RESETHAND) != 0) { /* once only */
        of_program.sa_handler = SIG_DFL;
        of_program.sa_flags &= ~SA_SIGINFO;
    }
    if ((action.sa_flags & SA_SIGINFO) != 0)
        action.sa_sigaction(number, info, context);
    else if (action.sa_handler == SIG_DFL) { /* it ends the program */
        real.sigaction(number, &action, NULL);
        raise(number);
        sigemptyset(&only);
        sigaddset(&only, number);
        real.pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    } else if (action.sa_handler != SIG_IGN)
        action.sa_handler(number);
}

static void
on_signal(int number, siginfo_t *info, void *context)
{
    int error = errno;

    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &own)
        own_handler(context, info->si_overrun);
    else
        pass_on(number, info, context);
    errno = error;
}

int
hd_sample_signal_take(void (*handler)(void *context, int overrun))
{
    struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART }, before;
    sigset_t         only;

    sigfillset(&action.sa_mask);
    find_once();
    own_handler = handler;
    for (int number = SIGRTMAX; number >= SIGRTMIN && own == 0; number--) {
        if (real.sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL ||
            real.sigaction(number, &action, NULL) != 0)
            continue;
        of_program = before;
        own        = number;
        sigemptyset(&only);
        sigaddset(&only, number);
        real.pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    }
    return own;
}

/* ---- what the program calls -------------------------------------------------------------------------------------- */

/* A handler with a stack of its own is not interrupted by samples, which may need more than that stack has: the system
 * ends the program where a signal's frame does not fit. */
static int
set_other(int number, const struct sigaction *action, struct sigaction *before)
{
    struct sigaction changed;
    int              result;

    if (own != 0 && action != NULL && (action->sa_flags & SA_ONSTACK) != 0) {
        changed = *action;
        sigaddset(&changed.sa_mask, own);
        action = &changed;
    }
    result = real.sigaction(number, action, before);
    if (own != 0 && result == 0 && before != NULL && (before->sa_flags & SA_ONSTACK) != 0)
        sigdelset(&before->sa_mask, own);
    return result;
}

int
sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    struct sigaction kept = of_program;

    find_once();
    if (number != own || own == 0)
        return set_other(number, action, before);
    if (action != NULL)
        of_program = *action;
    if (before != NULL)
        *before = kept;
    return 0;
}

__sighandler_t
signal(int number, __sighandler_t handler)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART }, before;

    find_once();
    if (number != own || own == 0)
        return real.signal(number, handler);
    sigaction(number, &action, &before);
    return before.sa_handler;
}

/* The set without the recorder's signal. */
static const sigset_t *
without_own(const sigset_t *set, sigset_t *changed)
{
    if (own == 0 || set == NULL)
        return set;
    *changed = *set;
    sigdelset(changed, own);
    return changed;
}

int
sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t changed;

    find_once();
    return real.sigprocmask(how, without_own(set, &changed), before);
}

int
pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t changed;

    find_once();
    return real.pthread_sigmask(how, without_own(set, &changed), before);
}
