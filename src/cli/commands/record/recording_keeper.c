/* src/cli/commands/record/recording_keeper.c: waits at a pipe, whose other end closes when heddle record ends. */
#define _GNU_SOURCE /* pipe2 */
#include "recording_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* It may be that nobody asks for its exit code any more. */
static bool
runs(pid_t process)
{
    char    path[64], text[512];
    int     fd;
    ssize_t n;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return strrchr(text, ')') != NULL && strncmp(strrchr(text, ')'), ") Z", 3) != 0 &&
           strncmp(strrchr(text, ')'), ") X", 3) != 0;
}

static void
keep(int words, void (*work)(void *context), void *context)
{
    const struct timespec shortly = { .tv_nsec = 10000000 };
    int                   program = 0, signal = 0;

    setsid();
    if (!hear(words, &program) || program == 0)
        return;
    if (!hear(words, &signal))
        while (runs(program))
            nanosleep(&shortly, NULL);
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
hd_recording_keeper_end(const hd_recording_keeper *keeper, int signal, int *how)
{
    *how = 0;
    if (keeper->process == 0) {
        keeper->work(keeper->context);
        return;
    }
    say(keeper, signal);
    close(keeper->words);
    while (waitpid(keeper->process, how, 0) < 0 && errno == EINTR)
        ;
}
