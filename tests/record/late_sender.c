/* A Late Sender of 200 ms in each pair of ranks: the odd one waits in MPI_Recv while the even one sleeps. */
#include <mpi.h>
#include <unistd.h>

enum { WAIT_US = 200000 };

static __attribute__((noinline)) void
exchange(int rank)
{
    int value = rank;

    if (rank % 2 == 0) {
        usleep(WAIT_US);
        MPI_Send(&value, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);
    } else
        MPI_Recv(&value, 1, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
