/* Two processes that spawn another one, to which rank 0 sends 3 messages of 4 bytes, and which answers with one. */
#include <mpi.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
    MPI_Comm    parent, others;
    MPI_Request request;
    int         rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        for (int i = 0; i < 3; i++)
            MPI_Recv(&value, 1, MPI_INT, 0, i, parent, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 9, parent);
        MPI_Comm_disconnect(&parent);
    } else {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_INT, 0, 0, others);
            MPI_Isend(&value, 1, MPI_INT, 0, 1, others, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            value = 7;
            MPI_Send(&value, 1, MPI_INT, 0, 2, others);
            MPI_Recv(&value, 1, MPI_INT, 0, 9, others, MPI_STATUS_IGNORE);
            printf("got %d\n", value);
        }
        MPI_Comm_disconnect(&others);
    }
    MPI_Finalize();
    return 0;
}
