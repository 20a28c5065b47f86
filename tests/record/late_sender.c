/* A Late Sender of about 200 ms in each pair of ranks: the odd one waits in MPI_Recv while the even one sleeps. The
 * message has the time when the send began, so the receiver prints how long it has waited, in nanoseconds. */
#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_US = 200000 };

static int64_t
now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static __attribute__((noinline)) void
exchange(int rank)
{
    int64_t from = now_ns(), to = 0;

    if (rank % 2 == 0) {
        usleep(WAIT_US);
        to = now_ns();
        MPI_Send(&to, 1, MPI_INT64_T, rank + 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&to, 1, MPI_INT64_T, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("waited %" PRId64 "\n", to - from);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    exchange(rank);
    MPI_Finalize();
    return 0;
}
