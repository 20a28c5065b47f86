/* tests/runner/forked_heddle.c: the program heddle without MPI, many times over: each request is run in a child of its
 * own, which costs a fork instead of the start of a program with its libraries.
 *
 * A request is a line of words with tabs between them: the files that standard output and standard error go to, a limit
 * [s of a processor], the arguments of heddle. Both may be the same file. The answer is a line: the exit code, or the
 * negative number of the signal, or "limit"; and the time that it took [ms]. What takes HANG_SECONDS hangs, and is past
 * its limit, too.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORDS = 64, HANG_SECONDS = 1200 };

int heddle_main(int argc, char **argv);

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void
run_child(char **words, int n)
{
    rlim_t limit = strtoul(words[2], NULL, 10);
    int    out   = open(words[0], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    int    err   = open(words[1], O_WRONLY | O_CREAT | O_APPEND, 0644);
    int    null  = open("/dev/null", O_RDONLY);

    setrlimit(RLIMIT_CPU, &(struct rlimit){ limit, limit }); /* SIGKILL */
    if (out < 0 || err < 0 || null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(99);
    close(out);
    close(err);
    close(null);
    words[2] = (char *)(size_t)"heddle";
    exit(heddle_main(n - 2, words + 2));
}

/* SIGCHLD is blocked, so it is there when it is waited for. */
static void
answer(pid_t child)
{
    double   start = now();
    sigset_t ended;
    int      status = 0;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    while (waitpid(child, &status, WNOHANG) == 0) {
        double          left = HANG_SECONDS - (now() - start);
        struct timespec wait = { .tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * (left - (double)(time_t)left)) };

        if (left <= 0) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        sigtimedwait(&ended, NULL, &wait);
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        printf("limit %.0f\n", 1e3 * (now() - start));
    else
        printf("%d %.0f\n", WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status), 1e3 * (now() - start));
}

int
main(void)
{
    char    *line = NULL;
    size_t   capacity = 0;
    sigset_t ended;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    while (getline(&line, &capacity, stdin) > 0) {
        char *words[MAX_WORDS + 1] = { NULL };
        int   n = 0;
        pid_t child;

        line[strcspn(line, "\n")] = '\0';
        for (char *at = line; at != NULL; words[n++] = strsep(&at, "\t"))
            if (n == MAX_WORDS)
                return 2;
        if (n < 4)
            return 2;
        child = fork();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            sigprocmask(SIG_UNBLOCK, &ended, NULL);
            run_child(words, n);
        }
        if (child < 0)
            return 1;
        answer(child);
        fflush(stdout);
    }
    free(line);
    return 0;
}
