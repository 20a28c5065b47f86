/* Calls of two functions of MPI from two functions of its own, and MPI_Pcontrol with arguments for a tool. Argument: so
 * many messages to nobody. */
#include <mpi.h>
#include <stdlib.h>

static void __attribute__((noinline))
second(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void __attribute__((noinline))
third(int *sum)
{
    int one = 1;

    MPI_Allreduce(&one, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
    int size, sum = 0, n = argc > 1 ? atoi(argv[1]) : 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Pcontrol(3, "words", 42, 2.5, 1, 2, 3, 4, 5.5);
    second();
    third(&sum);
    for (int i = 0; i < n; i++)
        MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != size;
}
