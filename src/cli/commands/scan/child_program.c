/* src/cli/commands/scan/child_program.c: starts a program, passes signals on to it, and waits for it. */
#define _GNU_SOURCE /* SI_..., sched_setaffinity */
#include "child_program.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

extern char **environ;

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2 };
#define N_SIGNALS (sizeof signals / sizeof *signals)

/* What a signal handler can see: there is one per process, as there is one disposition of its signals. */
static atomic_int child; /* process id, 0: none runs */
static atomic_int asked; /* the first signal that asks for the end */
static atomic_int aside; /* a process of another session, 0: none */

enum { MAX_PROCESSORS = 8192 };
static cpu_set_t processors[MAX_PROCESSORS / CPU_SETSIZE]; /* that this program was started with */
static bool      is_known;

/* Before the constructors of libraries: that of OpenMP binds this program where OMP_PROC_BIND wants it for those that it
 * starts. */
static void
remember_processors(void)
{
    is_known = sched_getaffinity(0, sizeof processors, processors) == 0;
}

__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = remember_processors;

void
hd_child_program_unbind(void)
{
    if (is_known)
        (void)sched_setaffinity(0, sizeof processors, processors);
}

static bool ends_by_pipe; /* a program that is started, when nobody reads its output */

/* Signals that the system makes, as those of a terminal, go to the child as well. */
static void
pass_on(int number, siginfo_t *info, void *context)
{
    int error = errno, none = 0, process = atomic_load(&child), other = atomic_load(&aside);

    (void)context;
    if (number != SIGUSR1 && number != SIGUSR2)
        atomic_compare_exchange_strong(&asked, &none, number);
    if (info->si_code <= 0 && process > 0)
        kill(process, number);
    if (number == SIGINT && info->si_code > 0 && other > 0)
        kill(other, number);
    errno = error;
}

void
hd_child_program_catch(void)
{
    struct sigaction action = { .sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO }, before;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < N_SIGNALS; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    action       = (struct sigaction){ .sa_handler = SIG_IGN };
    ends_by_pipe = sigaction(SIGPIPE, &action, &before) == 0 && before.sa_handler != SIG_IGN;
}

void
hd_child_program_release(void)
{
    struct sigaction action = { .sa_handler = SIG_DFL }, before;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < N_SIGNALS; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    if (ends_by_pipe)
        sigaction(SIGPIPE, &action, NULL);
    ends_by_pipe = false;
}

int
hd_child_program_signal(void)
{
    return atomic_load(&asked);
}

pid_t
hd_child_program_process(void)
{
    return atomic_load(&child);
}

void
hd_child_program_interrupt(pid_t process)
{
    atomic_store(&aside, process);
}

/* A script has no zero in its first line, as programs have. */
static bool
is_text(const char *path)
{
    char        text[256];
    int         fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t     n  = fd >= 0 ? read(fd, text, sizeof text) : -1;
    const char *end;

    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return n == 0;
    end = memchr(text, '\n', (size_t)n);
    return memchr(text, '\0', end != NULL ? (size_t)(end - text) : (size_t)n) == NULL;
}

/* A script whose first line names no interpreter is one of the shell, as for execvp(). */
static int
start_script(const char *path, const char *const *words, const posix_spawnattr_t *attributes, pid_t *process)
{
    const char **shell;
    size_t       n = 0;
    int          error;

    while (words[n] != NULL)
        n++;
    shell    = HD_NEW_ARRAY(const char *, n + 2);
    shell[0] = "/bin/sh";
    shell[1] = path;
    for (size_t i = 1; i < n; i++)
        shell[i + 1] = words[i];
    error = posix_spawn(process, shell[0], NULL, attributes, (char *const *)(uintptr_t)shell, environ);
    free(shell);
    return error;
}

/* Signals wait meanwhile, so that none is lost before the handler knows the child. */
static int
start(const char *path, const char *const *words, pid_t *process)
{
    posix_spawnattr_t attributes;
    sigset_t          all, before, defaults;
    int               error;

    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | (ends_by_pipe ? POSIX_SPAWN_SETSIGDEF : 0));
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    error = posix_spawn(process, path, NULL, &attributes, (char *const *)(uintptr_t)words, environ);
    if (error == ENOEXEC && is_text(path))
        error = start_script(path, words, &attributes, process);
    posix_spawnattr_destroy(&attributes);
    if (error == 0)
        atomic_store(&child, *process);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

hd_status
hd_child_program_start(const char *path, const char *const *words)
{
    pid_t process;
    int   error = start(path, words, &process);

    if (error == 0)
        return HD_OK;
    hd_fail(HD_EOPEN, "\"%s\" cannot be started: %s", words[0], strerror(error));
    hd_fail_detail("file", "\"%s\"", path);
    return HD_EOPEN;
}

void
hd_child_program_wait(int *exit_code, int *by_signal)
{
    int how = 0;

    while (waitpid(atomic_load(&child), &how, 0) < 0 && errno == EINTR)
        ;
    atomic_store(&child, 0);
    *by_signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    *exit_code = *by_signal != 0 ? 128 + *by_signal : WEXITSTATUS(how);
}

hd_status
hd_child_program_run(const char *path, const char *const *words, int *exit_code, int *by_signal)
{
    hd_status status = hd_child_program_start(path, words);

    if (status == HD_OK)
        hd_child_program_wait(exit_code, by_signal);
    return status;
}
