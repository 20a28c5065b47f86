/* Two functions that compute, the first of them 3 times as long in processor time, and what is to be recorded beside.
 *
 * sampled STEPS MS [how]: in each of STEPS steps rank 0 computes for 4 x MS ms, then sends to rank 1, which waits.
 *   how   signals    the program uses SIGPROF with a timer, waits for signals in a thread, and handles the highest ones
 *         blocks     it blocks all signals
 *         polls      rank 1 looks for the message by MPI_Iprobe
 *         team       the functions run in 2 threads of OpenMP
 *         threads    they run in 2 POSIX threads
 *         pauses     the second half of the steps is not recorded
 *         child      a child of fork() computes as well, and another program is executed
 *         kill       rank 0 is killed after it has computed for 0.5 s of processor time
 *         deep       only computes, below 200 calls, for STEPS x MS ms
 *         astray     a function whose table of frames is wrong computes as well
 *         small      a thread with the smallest stack and a handler with a small stack of its own compute as well
 * Rank 0 prints "computed A B", the processor time [ns] of the two functions.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile double sum;
static int             n_steps, step_ms;
static _Atomic int64_t computed[2];

static int64_t
processor_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static __attribute__((noinline)) void
turn(int64_t ns)
{
    for (int64_t end = processor_ns() + ns; processor_ns() < end;)
        for (int i = 0; i < 2000; i++)
            sum = sum * 0.5 + i;
}

static __attribute__((noinline)) void
assemble(void)
{
    int64_t begin = processor_ns();

    turn(3 * (int64_t)step_ms * 1000000);
    computed[0] += processor_ns() - begin;
}

static __attribute__((noinline)) void
solve(void)
{
    int64_t begin = processor_ns();

    turn((int64_t)step_ms * 1000000);
    computed[1] += processor_ns() - begin;
}

static __attribute__((noinline)) void
down(int depth)
{
    if (depth > 0)
        down(depth - 1);
    else
        turn((int64_t)n_steps * step_ms * 1000000);
    sum = sum + 1;
}

static __attribute__((noinline)) void
exchange(int rank, int polls)
{
    int number = 1, is_there = 0;

    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank != 1)
        return;
    while (polls && !is_there)
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static __attribute__((noinline)) void
work(void)
{
    assemble();
    solve();
}

/* Its table says that nothing is on the stack: the return address would be what it has put there, where nothing is. */
void turn_astray(long n);
#if defined(__x86_64__)
__asm__(".text\n.globl turn_astray\n.type turn_astray, @function\nturn_astray:\n.cfi_startproc\n"
        "subq $24, %rsp\nmovabsq $0x123456789abc, %rax\nmovq %rax, (%rsp)\n"
        "1: decq %rdi\njnz 1b\naddq $24, %rsp\nret\n.cfi_endproc\n.size turn_astray, . - turn_astray\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl turn_astray\n.type turn_astray, %function\nturn_astray:\n.cfi_startproc\n.cfi_offset 30, 0\n"
        "sub sp, sp, 16\nmovz x1, 0x9abc\nmovk x1, 0x5678, lsl 16\nmovk x1, 0x1234, lsl 32\nstr x1, [sp]\n"
        "1: subs x0, x0, 1\nb.ne 1b\nadd sp, sp, 16\nret\n.cfi_endproc\n.size turn_astray, . - turn_astray\n");
#else
void
turn_astray(long n)
{
    sum = sum + (double)n;
}
#endif

static __attribute__((noinline)) void
go_astray(void)
{
    for (int64_t end = processor_ns() + 300000000; processor_ns() < end;)
        turn_astray(100000);
}

static void *
work_in_thread(void *none)
{
    work();
    return none;
}

static void
start(pthread_t *thread, void *(*function)(void *), void *argument)
{
    if (pthread_create(thread, NULL, function, argument) != 0)
        abort();
}

static __attribute__((noinline)) void
step(int rank, const char *how)
{
    pthread_t threads[2];

    if (rank == 0 && strcmp(how, "team") == 0) {
#pragma omp parallel num_threads(2)
        work();
    } else if (rank == 0 && strcmp(how, "threads") == 0) {
        for (int i = 0; i < 2; i++)
            start(&threads[i], work_in_thread, NULL);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    } else if (rank == 0)
        work();
    exchange(rank, strcmp(how, "polls") == 0);
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t n_profiled, n_highest, n_foreign;

static void
on_profile(int number)
{
    (void)number;
    n_profiled = n_profiled + 1;
}

static void
on_highest(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    n_highest = n_highest + 1;
    n_foreign = n_foreign + (info->si_code != SI_TKILL && info->si_code != SI_USER && info->si_code != SI_QUEUE);
}

static void *
wait_for_signals(void *ended)
{
    int64_t  begin = processor_ns();
    sigset_t all;
    int      number;

    sigfillset(&all);
    turn(50000000);
    if (processor_ns() - begin < 50000000 || sigwait(&all, &number) != 0 || number != SIGUSR2)
        *(int *)ended = 1;
    return NULL;
}

/* Returns how many are wrong. */
static int
use_signals(void)
{
    struct itimerval often = { .it_interval.tv_usec = 10000, .it_value.tv_usec = 10000 };
    struct sigaction highest = { .sa_sigaction = on_highest, .sa_flags = SA_SIGINFO }, seen;
    sigset_t         all, before;
    pthread_t        waits;
    int              wrong = 0;

    sigaction(SIGRTMAX, NULL, &seen);
    wrong += seen.sa_handler != SIG_DFL;
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        sigaction(number, &highest, NULL);
    sigaction(SIGRTMAX, NULL, &seen);
    wrong += seen.sa_sigaction != on_highest;
    signal(SIGPROF, on_profile);
    sigfillset(&all);
    sigdelset(&all, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    start(&waits, wait_for_signals, &wrong);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
    turn(200000000);
    memset(&often, 0, sizeof often);
    setitimer(ITIMER_PROF, &often, NULL);
    usleep(300000);
    pthread_kill(waits, SIGUSR2);
    pthread_join(waits, NULL);
    raise(SIGRTMAX);
    highest.sa_flags |= (int)SA_RESETHAND;
    sigaction(SIGRTMAX, &highest, NULL);
    raise(SIGRTMAX);
    sigaction(SIGRTMAX, NULL, &seen);
    wrong += seen.sa_handler != SIG_DFL;
    wrong += n_profiled < 5;
    wrong += n_highest != 2 || n_foreign != 0;
    return wrong;
}

static void *
turn_in_thread(void *none)
{
    turn(100000000);
    return none;
}

static void
turn_in_handler(int number)
{
    (void)number;
    turn(100000000);
}

static void
use_small_stacks(void)
{
    size_t           bytes = (size_t)sysconf(_SC_MINSIGSTKSZ) + 2048;
    stack_t          own   = { .ss_sp = malloc(bytes), .ss_size = bytes };
    struct sigaction action = { .sa_handler = turn_in_handler, .sa_flags = SA_ONSTACK };
    pthread_attr_t   smallest;
    pthread_t        thread;

    pthread_attr_init(&smallest);
    if (pthread_attr_setstacksize(&smallest, (size_t)sysconf(_SC_THREAD_STACK_MIN)) != 0 ||
        pthread_create(&thread, &smallest, turn_in_thread, NULL) != 0 || pthread_join(thread, NULL) != 0 ||
        own.ss_sp == NULL || sigaltstack(&own, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        abort();
    raise(SIGUSR1);
    own.ss_flags = SS_DISABLE;
    sigaltstack(&own, NULL);
    free(own.ss_sp);
}

static void
use_children(const char *program)
{
    pid_t child = fork();
    int   how;

    if (child == 0) {
        turn(100000000);
        execl(program, program, "1", "1", "true", (char *)NULL);
        _exit(1);
    }
    waitpid(child, &how, 0);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        puts("wrong: a child");
}

int
main(int argc, char **argv)
{
    const char *how = argc > 3 ? argv[3] : "";
    sigset_t    all;
    int         rank, wrong = 0;

    n_steps = argc > 2 ? atoi(argv[1]) : 1;
    step_ms = argc > 2 ? atoi(argv[2]) : 1;
    if (strcmp(how, "true") == 0) {
        turn(30000000);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    sigfillset(&all);
    if (strcmp(how, "blocks") == 0)
        sigprocmask(SIG_BLOCK, &all, NULL);
    if (rank == 0 && strcmp(how, "signals") == 0)
        wrong = use_signals();
    if (rank == 0 && strcmp(how, "small") == 0)
        use_small_stacks();
    if (rank == 0 && strcmp(how, "astray") == 0)
        go_astray();
    if (rank == 0 && strcmp(how, "child") == 0)
        use_children(argv[0]);
    for (int i = 0; i < n_steps && strcmp(how, "deep") != 0; i++) {
        if (strcmp(how, "pauses") == 0 && i == n_steps / 2)
            MPI_Pcontrol(0);
        if (rank == 0 && strcmp(how, "kill") == 0 && i == n_steps - 1) {
            turn(500000000);
            raise(SIGKILL);
        }
        step(rank, how);
    }
    if (rank == 0 && strcmp(how, "deep") == 0)
        down(200);
    if (rank == 0)
        printf("computed %" PRId64 " %" PRId64 "\n", computed[0], computed[1]);
    if (wrong > 0)
        printf("wrong: %d\n", wrong);
    MPI_Finalize();
    return 0;
}
