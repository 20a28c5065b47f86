/* Functions that are inlined into main, built with -O2 -g; two processes, of which rank 0 is late at a barrier.
 * test_openmp.py reads the comments "place NAME", which stand at the lines of the constructs and calls. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 1000, N_STEPS = 3 };

static double values[N];

static void
grow(void)
{
#pragma omp parallel for num_threads(2) /* place parallel */
    for (int i = 0; i < N; i++)
        values[i] += i;
}

static double
add_up(void)
{
    double sum = 0;

#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic, 100) /* place parallel, for */
    for (int i = 0; i < N; i++)
        sum += values[i];
    return sum;
}

static void
wait_for_all(int rank)
{
    if (rank == 0)
        usleep(20000);
    MPI_Barrier(MPI_COMM_WORLD); /* place barrier */
}

static double
add_all(double own)
{
    double sum = 0;

    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* place allreduce */
    return sum;
}

int
main(int argc, char **argv)
{
    double sum = 0;
    int    rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N_STEPS; i++) {
        grow();
        sum += add_up();
        wait_for_all(rank);
        sum = add_all(sum);
    }
    if (rank == 0)
        usleep(20000);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* place allreduce */
    if (rank == 0)
        printf("%.0f\n", sum);
    MPI_Finalize();
    return 0;
}
