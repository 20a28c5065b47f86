/* One-sided communication between fences; odd ranks work FACTOR times as long.
 * usage: pair_fence FACTOR */
#include <mpi.h>

#include "pair_work.h"

enum { N_ROUNDS = 15, N = 256 };

int
main(int argc, char **argv)
{
    static int in[N];
    double     factor = argument(argc, argv, 1);
    MPI_Win    win;
    int        rank, n_ranks, *window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    factor = rank % 2 == 1 ? factor : 1;
    MPI_Win_allocate(N * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < N_ROUNDS; i++) {
        work(12 * factor);
        MPI_Put(in, N, MPI_INT, (rank + 1) % n_ranks, 0, N, MPI_INT, win);
        work(8 * factor);
        MPI_Win_fence(0, win);
        work(10 * factor);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
