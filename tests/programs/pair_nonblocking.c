/* Non-blocking collective operations with work between start and completion; ranks 0 and 1 work FACTOR times as long.
 * usage: pair_nonblocking FACTOR */
#include <mpi.h>

#include "pair_work.h"

enum { N_ROUNDS = 12, N = 64, MAX_RANKS = 64 };

int
main(int argc, char **argv)
{
    static int  in[N * MAX_RANKS], out[N * MAX_RANKS];
    double      factor = argument(argc, argv, 1);
    MPI_Request request;
    int         rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    factor = rank < 2 ? factor : 1;
    for (int i = 0; i < N_ROUNDS; i++) {
        work(10 * factor);
        MPI_Iallreduce(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        work(10 * factor);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        work(10 * factor);
        MPI_Ibcast(in, N, MPI_INT, i % 2, MPI_COMM_WORLD, &request);
        work(6 * factor);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        work(10 * factor);
        MPI_Ialltoall(in, N, MPI_INT, out, N, MPI_INT, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
