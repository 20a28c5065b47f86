/* MPI with tasks of OpenMP, all of them FACTOR times as long.
 * usage: pair_tasks FACTOR */
#include <mpi.h>
#include <omp.h>

#include "pair_work.h"

enum { N_ROUNDS = 10, N_THREADS = 3, N_TASKS = 6 };

int
main(int argc, char **argv)
{
    double factor = argument(argc, argv, 1), sum = 0, all;
    int    rank, level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N_ROUNDS; i++) {
#pragma omp parallel num_threads(N_THREADS)
#pragma omp single
        for (int t = 0; t < N_TASKS; t++) {
#pragma omp task
            work(12 * factor);
        }
        work(10 + 5 * rank);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
