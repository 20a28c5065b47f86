/* Many calls of several kinds, in iterations that are marked, and a short function, with 2 ranks: how large its trace
 * is. Argument 1: how many iterations; 2: how many operations on MPI_COMM_SELF are in each, beside them. */
#include <heddle/record.h>
#include <mpi.h>
#include <stdlib.h>

static volatile int sum;

__attribute__((noinline)) static void
tiny(int i)
{
    sum += i;
}

__attribute__((noinline)) static void
exchange(int rank, double *values)
{
    MPI_Request requests[2];
    int         partner = 1 - rank;

    MPI_Irecv(values, 100, MPI_DOUBLE, partner, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(values + 100, 100, MPI_DOUBLE, partner, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
        MPI_Send(values, 10, MPI_DOUBLE, partner, 4, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 10, MPI_DOUBLE, partner, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, values, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

__attribute__((noinline)) static void
synchronize(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

int
main(int argc, char **argv)
{
    static double values[200];
    int           n = argc > 1 ? atoi(argv[1]) : 10, n_of_self = argc > 2 ? atoi(argv[2]) : 0, rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n; i++) {
        heddle_iteration_begin("step");
        for (int j = 0; j < 10; j++)
            tiny(j);
        exchange(rank, values);
        synchronize(n_of_self);
        heddle_iteration_end("step");
    }
    MPI_Finalize();
    return 0;
}
