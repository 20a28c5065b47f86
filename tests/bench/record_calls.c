/* What a call costs, with heddle record and without: [ns], the best of several rounds.
 *
 * usage: record_calls self | pair | locks | functions     (pair: with 2 ranks) */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N_ROUNDS = 9, N_CALLS = 20000, N_FEW_CALLS = 1000 /* not so many that a function is dropped */ };

typedef void work(int rank);

static char byte;

static void
allreduce(int rank)
{
    int value = rank;

    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

/* 3 calls; 8 records of enters, leaves, and what is in between. */
static void
message_to_self(int rank)
{
    MPI_Request request;

    (void)rank;
    MPI_Irecv(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static MPI_Request never;

/* A test that finds nothing. */
static void
test_in_vain(int rank)
{
    int flag;

    (void)rank;
    MPI_Test(&never, &flag, MPI_STATUS_IGNORE);
}

static void
ping_pong(int rank)
{
    if (rank == 0) {
        MPI_Send(&byte, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&byte, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

/* Nobody waits for it. */
static void
lock_and_unlock(int rank)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

    (void)rank;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

/* What -finstrument-functions makes of a function: the C library has functions of these names that do nothing. */
void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

static void
empty_function(int rank)
{
    (void)rank;
    __cyg_profile_func_enter(&byte, NULL);
    __cyg_profile_func_exit(&byte, NULL);
}

static void *
wait_for_end(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

static void
measure(const char *name, work *once, int n_calls, int rank)
{
    double best = 1e9;

    for (int round = 0; round < N_ROUNDS; round++) {
        double begin = MPI_Wtime();

        for (int i = 0; i < n_calls; i++)
            once(rank);
        begin = (MPI_Wtime() - begin) / n_calls;
        best  = begin < best ? begin : best;
    }
    if (rank == 0)
        printf("%s %.2f\n", name, best * 1e9);
}

/* With a second thread, before there are many calls, as well as after. */
static void
measure_locks(int rank)
{
    pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
    pthread_t       thread;

    pthread_mutex_lock(&end);
    if (pthread_create(&thread, NULL, wait_for_end, &end) != 0)
        return;
    measure("first-locks", lock_and_unlock, N_FEW_CALLS, rank);
    measure("locks", lock_and_unlock, N_CALLS, rank);
    pthread_mutex_unlock(&end);
    pthread_join(thread, NULL);
}

int
main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "self") == 0) {
        measure("allreduce", allreduce, N_CALLS, rank);
        measure("message", message_to_self, N_CALLS, rank);
        MPI_Irecv(&byte, 1, MPI_BYTE, 0, 1, MPI_COMM_SELF, &never);
        measure("test", test_in_vain, N_CALLS, rank);
        MPI_Cancel(&never);
        MPI_Wait(&never, MPI_STATUS_IGNORE);
    } else if (argc > 1 && strcmp(argv[1], "pair") == 0)
        measure("ping-pong", ping_pong, N_CALLS, rank);
    else if (argc > 1 && strcmp(argv[1], "locks") == 0)
        measure_locks(rank);
    else if (argc > 1 && strcmp(argv[1], "functions") == 0)
        measure("function", empty_function, N_FEW_CALLS, rank);
    MPI_Finalize();
    return 0;
}
