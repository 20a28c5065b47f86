/* tests/runner/runner.c: starts servers, sends requests, waits for answers. */
#define _GNU_SOURCE /* nftw */

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bytes.h"
#include "memory.h"

enum { MAX_RANKS = 16, MAX_WORDS = 64, LOOK_MS = 100, HANG_MS = 1200000, END_MS = 10000 };
#define HANG_SECONDS "1200"

typedef struct server {
    pid_t pid; /* 0: not started */
    FILE *ranks[MAX_RANKS];
    char *errors; /* of the launcher */
} server;

static server servers[MAX_RANKS + 1]; /* by number of ranks; 0: forked_heddle */
static char  *server_folder;
static pid_t  owner; /* of the servers: a child of it leaves them alone */

const char *
runner_environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);

    return value == NULL || *value == '\0' ? otherwise : value;
}

_Noreturn static void
release(const char *what)
{
    fprintf(stderr, "runner: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int
exit_code_of(pid_t child)
{
    int status = -1;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The child's standard streams; it ends with this process. */
static pid_t
start(char *const *words, const char *folder, int in, int out, int err)
{
    pid_t parent = getpid(), child = fork();

    if (child < 0)
        release("fork");
    if (child > 0)
        return child;
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    /* Launchers that start at the same moment as those of other tests get into each other's way in one folder. */
    setenv("TMPDIR", folder, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    execvp(words[0], words);
    _exit(127);
}

static int
open_new(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (file < 0)
        release(path);
    return file;
}

int
runner_command(char *const *words, const char *folder, const char *output, const char *errors)
{
    int   in = open("/dev/null", O_RDONLY | O_CLOEXEC), out = open_new(output), err = open_new(errors);
    pid_t child = start(words, folder, in, out, err);

    close(in);
    close(out);
    close(err);
    return exit_code_of(child);
}

static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

static void
server_close(server *one)
{
    for (uint32_t i = 0; i < MAX_RANKS; i++)
        if (one->ranks[i] != NULL)
            fclose(one->ranks[i]);
    free(one->errors);
    *one = (server){ 0 };
}

/* What does not end by itself soon is killed; a launcher then ends its ranks. Returns the exit code. */
static int
end_of(pid_t pid)
{
    siginfo_t info = { 0 };

    for (int i = 0; i < END_MS / LOOK_MS; i++) {
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0)
            return exit_code_of(pid);
        poll(NULL, 0, LOOK_MS);
        if (i == END_MS / LOOK_MS / 2)
            kill(pid, SIGTERM);
    }
    kill(pid, SIGKILL);
    return exit_code_of(pid);
}

__attribute__((destructor)) static void
end_servers(void)
{
    if (getpid() != owner)
        return;
    for (uint32_t n = 0; n <= MAX_RANKS; n++)
        if (servers[n].pid != 0) {
            pid_t pid = servers[n].pid;

            server_close(&servers[n]); /* it reads to the end of its requests */
            end_of(pid);
        }
    if (server_folder != NULL)
        nftw(server_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(server_folder);
    server_folder = NULL;
}

static void
server_folder_make(void)
{
    if (server_folder != NULL)
        return;
    server_folder = hd_format("%s/heddle-runner-XXXXXX", runner_environment("TMPDIR", "/tmp"));
    if (mkdtemp(server_folder) == NULL)
        release(server_folder);
    owner = getpid();
}

static void
start_forked(server *one)
{
    int ends[2], in = 0;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        release("socketpair");
    in            = ends[1];
    one->pid      = start((char *[]){ (char *)(uintptr_t)getenv("HEDDLE_FORKED"), NULL }, server_folder, in, in, 2);
    one->ranks[0] = fdopen(ends[0], "r");
    one->errors   = hd_strdup("/dev/null");
    close(in);
}

static int
accept_rank(const server *one, int listener)
{
    struct pollfd wanted = { .fd = listener, .events = POLLIN };

    while (poll(&wanted, 1, LOOK_MS) <= 0)
        if (waitpid(one->pid, NULL, WNOHANG) != 0) {
            fprintf(stderr, "runner: the job of served_heddle ends when it starts\n");
            exit(1);
        }
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

static void
start_job(server *one, uint32_t n_ranks)
{
    struct sockaddr_un address  = { .sun_family = AF_UNIX };
    int                listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
                                  null = open("/dev/null", O_RDWR | O_CLOEXEC), err;
    char              *number   = hd_format("%" PRIu32, n_ranks);

    errno = ENAMETOOLONG;
    if (snprintf(address.sun_path, sizeof address.sun_path, "%s/%" PRIu32, server_folder, n_ranks) >=
        (int)sizeof address.sun_path)
        release(server_folder);
    unlink(address.sun_path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, MAX_RANKS) != 0)
        release(address.sun_path);
    one->errors = hd_format("%s.err", address.sun_path);
    err         = open_new(one->errors);
    one->pid    = start((char *[]){ (char *)(uintptr_t)runner_environment("HEDDLE_MPIRUN", "mpirun"),
                                    (char *)(uintptr_t)"-n", number,
                                    (char *)(uintptr_t)getenv("HEDDLE_SERVED"), address.sun_path, NULL },
                        server_folder, null, null, err);
    for (uint32_t i = 0; i < n_ranks; i++) {
        FILE    *opened = fdopen(accept_rank(one, listener), "r");
        uint32_t rank;

        if (opened == NULL || fscanf(opened, "%" SCNu32, &rank) != 1 || rank >= n_ranks || one->ranks[rank] != NULL ||
            getc(opened) != '\n')
            release("a rank of served_heddle does not say its number");
        one->ranks[rank] = opened;
    }
    close(listener);
    close(null);
    close(err);
    free(number);
}

/* What the launcher has said belongs to the call after which the job ended. */
static void
pass_errors(const char *from, const char *to)
{
    FILE *in = fopen(from, "r"), *out = fopen(to, "a");
    int   c;

    while (in != NULL && out != NULL && (c = getc(in)) != EOF)
        putc(c, out);
    if (in != NULL)
        fclose(in);
    if (out != NULL)
        fclose(out);
}

/* The answers of all ranks; a job that has ended answers with its exit code. */
static int
answer_of(server *one, uint32_t n_ranks, const char *errors)
{
    int  first = 0;
    bool agree = true;
    char line[64];

    for (uint32_t i = 0; i < n_ranks; i++) {
        struct pollfd answer = { .fd = fileno(one->ranks[i]), .events = POLLIN };
        int           code;

        if (poll(&answer, 1, HANG_MS) == 0 || fgets(line, sizeof line, one->ranks[i]) == NULL) {
            code = end_of(one->pid);
            pass_errors(one->errors, errors);
            server_close(one);
            return code;
        }
        code  = strncmp(line, "limit", 5) == 0 ? -SIGKILL : atoi(line);
        first = i == 0 ? code : first;
        agree = agree && code == first;
    }
    return !agree ? HD_RUNNER_DISAGREE : first < 0 ? 128 - first : first;
}

static void
put_word(hd_bytes *request, const char *word)
{
    hd_bytes_put(request, "\t", 1);
    hd_bytes_put(request, word, strlen(word));
}

static int
ask(uint32_t n_ranks, char *const *arguments, const char *output, const char *errors)
{
    server  *one     = &servers[n_ranks];
    uint32_t n       = n_ranks == 0 ? 1 : n_ranks;
    hd_bytes request = { 0 };

    server_folder_make();
    if (one->pid == 0 && n_ranks == 0)
        start_forked(one);
    else if (one->pid == 0)
        start_job(one, n_ranks);
    close(open_new(output));
    close(open_new(errors));
    hd_bytes_put(&request, output, strlen(output));
    put_word(&request, errors);
    if (n_ranks == 0)
        put_word(&request, HANG_SECONDS);
    for (char *const *argument = arguments; *argument != NULL; argument++)
        put_word(&request, *argument);
    hd_bytes_put(&request, "\n", 1);
    for (uint32_t i = 0; i < n; i++) /* what cannot be written has ended, which shows when there is no answer */
        send(fileno(one->ranks[i]), request.data, request.n, MSG_NOSIGNAL);
    free(request.data);
    return answer_of(one, n, errors);
}

int
runner_heddle(uint32_t n_ranks, char *const *arguments, const char *folder, const char *output, const char *errors)
{
    char *words[MAX_WORDS] = { NULL }, *number = NULL;
    int   n = 0, code;

    if (n_ranks <= MAX_RANKS && getenv(n_ranks == 0 ? "HEDDLE_FORKED" : "HEDDLE_SERVED") != NULL &&
        strcmp(runner_environment("HEDDLE_RUNS", "all"), "all") != 0)
        return ask(n_ranks, arguments, output, errors);
    if (n_ranks > 0) {
        words[n++] = (char *)(uintptr_t)runner_environment("HEDDLE_MPIRUN", "mpirun");
        words[n++] = (char *)(uintptr_t)"-n";
        words[n++] = number = hd_format("%" PRIu32, n_ranks);
    }
    words[n++] = (char *)(uintptr_t)runner_environment("HEDDLE", "./heddle");
    for (char *const *argument = arguments; *argument != NULL; argument++) {
        HD_ASSERT(n < MAX_WORDS - 1);
        words[n++] = *argument;
    }
    code = runner_command(words, folder, output, errors);
    free(number);
    return code;
}
