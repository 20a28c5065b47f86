/* What threads do at the same time, for the thread sanitizer: functions, marked parts, mutexes and conditions, threads,
 * teams of OpenMP, communicators, messages, windows and files of MPI. Some begin before MPI_Init. With libgomp one is
 * in the middle of a team when the program ends; libomp crashes where threads go on behind its end. Prints a number.
 *
 * Version 14 of libomp does not bear the end of a thread that has had a team: it reads from the first one that ever had
 * one, at the end of a critical section while a tool listens, and it gives memory back to those that are gone. So with
 * Clang the first thread has a team before others, and all stay to the end. */
#include <heddle/record.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N_THREADS = 3, N_ROUNDS = 5 };

static pthread_mutex_t   lock      = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t    changed   = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all, done;
static long              sum; /* under the lock */

static void *
end_thread(void)
{
    pthread_barrier_wait(&done);
#ifdef __clang__
    for (;;)
        pause();
#endif
    return NULL;
}

static void
add(long value)
{
    pthread_mutex_lock(&lock);
    sum += value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void
team(void)
{
    long inner = 0;

#pragma omp parallel num_threads(2) reduction(+ : inner)
    {
#pragma omp critical
        inner++;
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++)
            inner++;
#pragma omp single
#pragma omp task
        add(1);
    }
    add(inner);
}

static void *
short_thread(void *argument)
{
    add(*(const long *)argument);
    return NULL;
}

static void
threads(void)
{
    pthread_t thread;
    long      one = 1;

    if (pthread_create(&thread, NULL, short_thread, &one) != 0)
        abort();
    pthread_join(thread, NULL);
}

static void *
without_mpi(void *argument)
{
    (void)argument;
    pthread_barrier_wait(&all);
    for (int i = 0; i < N_ROUNDS; i++) {
        heddle_iteration_begin("step");
        team();
        threads();
        heddle_topology_define("line", 1, (const int[]){ N_THREADS }, NULL, NULL);
        heddle_iteration_end("step");
    }
    return end_thread();
}

#ifndef __clang__
static void *
endless(void *argument)
{
    for (;;)
        team();
    return argument;
}

static void
begin_endless(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, endless, NULL) != 0)
        abort();
    pthread_detach(thread);
    team();
}
#endif

static void
messages(MPI_Comm comm)
{
    MPI_Request requests[3];
    int         sent = 1, received, flag = 0;

    MPI_Irecv(&received, 1, MPI_INT, 0, 1, comm, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, 0, 1, comm, &requests[1]);
    MPI_Ibarrier(comm, &requests[2]);
    while (!flag)
        MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Send_init(&sent, 1, MPI_INT, 0, 2, comm, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 2, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Allreduce(&sent, &received, 1, MPI_INT, MPI_SUM, comm);
    add(received);
}

static void
window_and_file(MPI_Comm comm)
{
    MPI_Win  window;
    MPI_File file;
    int     *memory, one = 1;

    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, comm, &memory, &window);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
    MPI_File_open(comm, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write(file, &one, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void *
with_mpi(void *comm_)
{
    MPI_Comm comm = *(MPI_Comm *)comm_, own;

    pthread_barrier_wait(&all);
    for (int i = 0; i < N_ROUNDS; i++) {
        MPI_Comm_dup(comm, &own);
        messages(own);
        if (i == 0)
            window_and_file(own);
        MPI_Comm_free(&own);
        messages(comm);
        MPI_Pcontrol(i % 2);
        team();
    }
    MPI_Pcontrol(1);
    return end_thread();
}

static void
begin(pthread_t thread[N_THREADS], void *(*function)(void *), void *argument, size_t bytes)
{
    for (size_t i = 0; i < N_THREADS; i++)
        if (pthread_create(&thread[i], NULL, function, (char *)argument + i * bytes) != 0)
            abort();
}

static void
end(const pthread_t thread[N_THREADS])
{
    pthread_barrier_wait(&done);
#ifndef __clang__
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(thread[i], NULL);
#else
    (void)thread;
#endif
}

int
main(int argc, char **argv)
{
    pthread_t thread[N_THREADS], caller[N_THREADS];
    MPI_Comm  comms[N_THREADS];
    int       level;

    pthread_barrier_init(&all, NULL, N_THREADS);
    pthread_barrier_init(&done, NULL, N_THREADS + 1);
#ifdef __clang__
    team();
#endif
    begin(thread, without_mpi, thread, 0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    for (int i = 0; i < N_THREADS; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    end(thread);
    begin(caller, with_mpi, comms, sizeof *comms);
    end(caller);
    MPI_Finalize();
    printf("%ld\n", sum);
    fflush(stdout);
#ifndef __clang__
    begin_endless();
#endif
    return 0;
}
