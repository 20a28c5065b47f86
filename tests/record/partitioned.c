/* Partitioned communication, with 2 ranks: rank 0 makes the last partition ready 200 ms after rank 1 waits, in each of
 * the steps of main; with threads, in one more. Prints the waits of rank 1 in nanoseconds.
 * records of main: MPI_ISEND 7 MPI_ISEND_COMPLETE 7 MPI_IRECV_REQUEST 7 MPI_IRECV 7 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { N_PARTITIONS = 4, N_STEPS = 3, N_DOUBLES = 1000 };

static double      buffer[N_PARTITIONS * N_DOUBLES];
static MPI_Request request;

static long long
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void
pause_ms(long ms)
{
    nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

/* All three ways, the last partition late. */
static void
send_all(void)
{
    int last = N_PARTITIONS - 1;

    MPI_Start(&request);
    MPI_Pready(0, request);
    MPI_Pready_range(1, N_PARTITIONS - 2, request);
    pause_ms(200);
    MPI_Pready_list(1, &last, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void *
ready(void *partition)
{
    pause_ms(50 * ((long)partition + 1));
    MPI_Pready((int)(long)partition, request);
    return NULL;
}

/* A thread for each partition, while this one waits for all. */
static void
send_by_threads(void)
{
    pthread_t threads[N_PARTITIONS];

    MPI_Start(&request);
    for (long i = 0; i < N_PARTITIONS; i++)
        if (pthread_create(&threads[i], NULL, ready, (void *)i) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    for (int flag = 0; !flag;)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    for (int i = 0; i < N_PARTITIONS; i++)
        pthread_join(threads[i], NULL);
}

static long long
receive(void)
{
    long long from;

    MPI_Start(&request);
    from = now();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return now() - from;
}

/* Looks for the partitions one after the other. */
static void
receive_by_looking(void)
{
    MPI_Start(&request);
    for (int i = 0; i < N_PARTITIONS; i++)
        for (int flag = 0; !flag;)
            MPI_Parrived(request, i, &flag);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int
main(int argc, char **argv)
{
    int       rank, level;
    long long waited = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int repeat = 0; repeat < 2; repeat++) { /* of the second the handle may be that of the first */
        if (rank == 0)
            MPI_Psend_init(buffer, N_PARTITIONS, N_DOUBLES, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        else if (rank == 1)
            MPI_Precv_init(buffer, N_PARTITIONS, N_DOUBLES, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        for (int i = 0; i < N_STEPS - repeat; i++) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank == 0)
                send_all();
            else if (rank == 1)
                waited += receive();
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0 && repeat == 0)
            send_by_threads();
        else if (rank == 0)
            send_all();
        else if (rank == 1 && repeat == 0)
            waited += receive();
        else if (rank == 1)
            receive_by_looking();
        if (rank < 2)
            MPI_Request_free(&request);
    }
    if (waited > 0)
        printf("waited %lld\n", waited);
    MPI_Finalize();
    return 0;
}
