/* MPI with OpenMP: in a loop that is not balanced the first thread works FACTOR times as long.
 * usage: pair_loop FACTOR */
#include <mpi.h>
#include <omp.h>

#include "pair_work.h"

enum { N_ROUNDS = 15, N_THREADS = 3 };

int
main(int argc, char **argv)
{
    double factor = argument(argc, argv, 1), sum = 0, all;
    int    rank, level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N_ROUNDS; i++) {
#pragma omp parallel for num_threads(N_THREADS) schedule(static, 1)
        for (int t = 0; t < N_THREADS; t++)
            work(t == 0 ? 15 * factor : 15 + 3 * rank);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
