/* src/cli/commands/record/recording_keeper.c: waits at a pipe, whose other end closes when heddle record ends. */
#define _GNU_SOURCE /* pipe2 */
#include "recording_keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child_program.h"

/* False: heddle record has ended. */
static bool
hear(int words, int *word)
{
    ssize_t n;

    do
        n = read(words, word, sizeof *word);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *word;
}

/* state: /proc/PID/stat, which stays that of the process, also when another one gets its number. It may be that nobody
 * asks for its exit code any more, or that its first thread has ended before the others. */
static bool
runs(int state)
{
    char        text[512], letter;
    const char *at;
    int         n_threads;
    ssize_t     n = pread(state, text, sizeof text - 1, 0);

    if (n <= 0)
        return false;
    text[n] = '\0';
    at      = strrchr(text, ')'); /* its name may have some */
    return at != NULL && sscanf(at, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d", &letter,
                                &n_threads) == 2 &&
           ((letter != 'Z' && letter != 'X') || n_threads > 1);
}

/* Whoever started heddle record may wait until its pipes, sockets, locks and terminals are closed: but for `state`, what
 * stays open are standard output and errors in files. */
static void
let_go(int state)
{
    int            none = open("/dev/null", O_RDWR | O_CLOEXEC);
    DIR           *all  = opendir("/proc/self/fd");
    struct dirent *entry;
    struct stat    info;

    for (int fd = 0; fd <= STDERR_FILENO && none >= 0; fd++)
        if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
            dup2(none, fd);
    while (all != NULL && (entry = readdir(all)) != NULL) {
        int fd = atoi(entry->d_name);

        if (fd > STDERR_FILENO && fd != state && fd != dirfd(all))
            close(fd);
    }
    if (all != NULL)
        closedir(all);
}

static void
keep(int words, void (*work)(void *context), void *context)
{
    const struct timespec shortly = { .tv_nsec = 100000000 };
    int                   program = 0, signal = 0, state;
    char                  path[64];

    setsid();
    if (!hear(words, &program))
        return;
    snprintf(path, sizeof path, "/proc/%d/stat", program);
    state = open(path, O_RDONLY | O_CLOEXEC);
    if (!hear(words, &signal)) {
        let_go(state);
        while (runs(state))
            nanosleep(&shortly, NULL);
    }
    if (state >= 0)
        close(state);
    if (signal != 0)
        raise(signal); /* which is noted */
    work(context);
}

hd_recording_keeper
hd_recording_keeper_start(void (*work)(void *context), void *context)
{
    hd_recording_keeper keeper = { .work = work, .context = context };
    int                 ends[2];

    fflush(stdout);
    fflush(stderr);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return keeper;
    keeper.process = fork();
    if (keeper.process == 0) {
        close(ends[1]);
        keep(ends[0], work, context);
        fflush(stderr);
        _exit(EXIT_SUCCESS);
    }
    close(ends[0]);
    keeper.words = ends[1];
    if (keeper.process < 0) {
        close(ends[1]);
        keeper.process = 0;
    }
    return keeper;
}

static void
say(const hd_recording_keeper *keeper, int word)
{
    ssize_t n;

    do
        n = write(keeper->words, &word, sizeof word);
    while (n < 0 && errno == EINTR);
}

void
hd_recording_keeper_tell(const hd_recording_keeper *keeper, pid_t program)
{
    if (keeper->process != 0)
        say(keeper, program);
}

void
hd_recording_keeper_drop(hd_recording_keeper *keeper)
{
    int how;

    if (keeper->process == 0)
        return;
    close(keeper->words);
    while (waitpid(keeper->process, &how, 0) < 0 && errno == EINTR)
        ;
    keeper->process = 0;
}

void
hd_recording_keeper_end(const hd_recording_keeper *keeper, int signal, int *how)
{
    *how = 0;
    if (keeper->process == 0) {
        keeper->work(keeper->context);
        return;
    }
    hd_child_program_interrupt(keeper->process);
    say(keeper, signal);
    close(keeper->words);
    while (waitpid(keeper->process, how, 0) < 0 && errno == EINTR)
        ;
    hd_child_program_interrupt(0);
}
