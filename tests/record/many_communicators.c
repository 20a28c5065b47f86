/* Threads that make communicators and windows, each of its own one, at the same time. Says how many windows there were:
 * some MPI libraries make none. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { N_THREADS = 4, N_COMMS = 1000, N_WINDOWS = 100 };

static atomic_int n_windows;

static void *
make(void *comm_)
{
    MPI_Comm comm = *(MPI_Comm *)comm_, made;
    MPI_Win  window;
    int      memory = 0;

    for (int i = 0; i < N_COMMS; i++) {
        MPI_Comm_dup(comm, &made);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < N_WINDOWS; i++)
        if (MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, comm, &window) == MPI_SUCCESS) {
            MPI_Win_free(&window);
            n_windows++;
        }
    return NULL;
}

int
main(int argc, char **argv)
{
    MPI_Comm  comms[N_THREADS];
    pthread_t threads[N_THREADS];
    int       level, n = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    for (int i = 0; i < N_THREADS; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    while (n < N_THREADS && level == MPI_THREAD_MULTIPLE && pthread_create(&threads[n], NULL, make, &comms[n]) == 0)
        n++;
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    printf("%d\n", level == MPI_THREAD_MULTIPLE ? n_windows : -1);
    return level == MPI_THREAD_MULTIPLE && n < N_THREADS;
}
