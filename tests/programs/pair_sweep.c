/* A wavefront over a grid of COLUMNS columns, from each corner in turn: processes of the first column work FACTOR times as long, all
 * others OTHERS times.
 * usage: pair_sweep FACTOR OTHERS */
#include <mpi.h>

#include "pair_work.h"

enum { N_SWEEPS = 8, N_BLOCKS = 4, COLUMNS = 3, N = 128 };

static int
neighbour(int column, int row, int n_rows)
{
    return column < 0 || column >= COLUMNS || row < 0 || row >= n_rows ? MPI_PROC_NULL : row * COLUMNS + column;
}

int
main(int argc, char **argv)
{
    double factor = argument(argc, argv, 1), others = argument(argc, argv, 2), block[N] = { 0 };
    int    rank, n_ranks, row, column, n_rows;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    n_rows = n_ranks / COLUMNS;
    column = rank % COLUMNS;
    row    = rank / COLUMNS;
    for (int sweep = 0; sweep < N_SWEEPS; sweep++) {
        int to_right = sweep % 2 == 0 ? 1 : -1, to_bottom = sweep / 2 % 2 == 0 ? 1 : -1;

        for (int b = 0; b < N_BLOCKS; b++) {
            MPI_Recv(block, N, MPI_DOUBLE, neighbour(column - to_right, row, n_rows), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(block, N, MPI_DOUBLE, neighbour(column, row - to_bottom, n_rows), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            work(10 * (column == 0 ? factor : others));
            MPI_Send(block, N, MPI_DOUBLE, neighbour(column + to_right, row, n_rows), 0, MPI_COMM_WORLD);
            MPI_Send(block, N, MPI_DOUBLE, neighbour(column, row + to_bottom, n_rows), 1, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
